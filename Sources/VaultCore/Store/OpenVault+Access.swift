// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import GRDB
internal import SealedSQLite

/// This extension lends the index, for reading and for writing.
extension OpenVault {
    /// Where the vault lies, for people.
    public var directoryText: String { String(decoding: directory.canonicalPath, as: UTF8.self) }

    /// Lends a transaction, makes it durable and counts it. One that makes room runs again on a full disk.
    func write<R>(_ body: (Transaction) throws -> R) throws(VaultError) -> R {
        do throws(VaultError) { return try writeOnce(body) } catch {
            guard makesRoom, error.code == .readOnly else { throw error }
            try giveUpReserve()
            let result = try writeOnce(body)
            // What the log holds is in the database then, and its room is free again.
            if !isFrozen { try? startNewLog(isOpen: true) }
            return result
        }
    }

    func generation() throws(VaultError) -> UInt64 {
        try VaultError.translating { try database.queue.inDatabase { try IndexState.fetch($0).generation } }
    }

    /// Lends the index as it is now.
    func read<R>(_ body: (ReadAccess) throws -> R) throws(VaultError) -> R {
        try VaultError.translating { try database.queue.inDatabase { try body(access($0, uploads)) } }
    }

    /// Lends another index of this vault, with what opens its rows now.
    func access(_ database: Database) -> ReadAccess { access(database, KnownUploads()) }

    private func access(_ database: Database, _ uploads: KnownUploads) -> ReadAccess {
        ReadAccess(
            database: database, layer: layer, records: records, device: device, comparison: comparison,
            uploads: uploads)
    }
}
