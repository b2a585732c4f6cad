// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import GRDB
internal import SealedSQLite
internal import VaultCrypto

extension VaultError {
    /// Runs what SQLite, the file layer or a parser may end, with an error of the vault's in place of theirs.
    static func translating<R>(_ body: () throws -> R) throws(VaultError) -> R {
        do { return try body() } catch { throw translated(error) }
    }

    static func translated(_ error: any Error) -> VaultError {
        switch error {
        case let error as VaultError: return error
        case let error as DatabaseError:
            return translated(SealedDatabase.translated(error))
        case let error as SealedSQLiteError:
            if error.code == .noRoom { return VaultError(.readOnly, systemError: error.systemError) }
            guard error.code == .inputOutput else {
                return VaultError(.integrity, damage: error.isOfLog ? .log : error.isOfOldPage ? .oldPages : nil)
            }
            return error.isOfReading ? .reading(error.systemError, otherwise: .saveFailed) : .writing(error.systemError)
        case let error as CryptoError: return VaultError(error)
        // What is left are bytes that do not parse, and GRDB's word for a column with a value of another type than its
        // own.
        default: return VaultError(.integrity)
        }
    }
}
