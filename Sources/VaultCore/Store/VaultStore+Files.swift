// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import GRDB
internal import SealedSQLite
internal import SearchText
internal import VaultCrypto
internal import VaultFormat

extension VaultStore {
    /// The sealed files of an epoch's index.
    static func storage(
        _ directory: VaultDirectory, header: UnverifiedHeader, keys: VaultKeys, logSalt: [UInt8], creating: Bool
    ) throws -> SealedStorage {
        func binding(_ kind: Context.Kind) -> [UInt8] {
            Context(kind: kind, vaultID: header.vaultID, epoch: header.epoch).encoded
        }
        return try SealedStorage(
            directory: directory.descriptor, name: indexName(epoch: header.epoch), pageKey: keys.indexPage, logKey: keys.indexLog,
            pageBinding: binding(.indexPage), logBinding: binding(.indexLog), logSalt: logSalt, creating: creating)
    }

    /// Makes the empty index and the first manifest of a new vault.
    static func makeIndex(
        _ directory: VaultDirectory, header: Header, keys: VaultKeys, _ slots: [NewKeyslot]
    ) throws(VaultError) {
        try mapErrors {
            let salt = try SecureRandom.bytes(Manifest.logSaltByteCount)
            let files = try storage(directory, header: header.content, keys: keys, logSalt: salt, creating: true)
            let database = try SealedDatabase(files, syncedByteCount: 0) { $0.add(tokenizer: GramTokenizer.self) }
            let device = try SecureRandom.bytes(Entry.deviceByteCount)
            try database.queue.write { connection in
                try Schema.create(connection)
                try IndexState.insert(connection, device: device, fold: foldDigest())
                for slot in slots { try insert(connection, slot) }
            }
            try database.checkpoint()
            let manifest = Manifest(
                generation: 1, pageCount: files.pageCount, logSalt: salt, syncedByteCount: 0, isOpen: false)
            try ManifestFile(directory, keys: keys, header: header.content).write(manifest)
            try database.close()
        }
    }

    /// Tells one fold of text from another: a new run-time library that folds differently needs a new search index. So does another rule for titles and
    /// texts in `NoteText`: it raises the number, which is added from 2 on.
    static func foldDigest() throws -> [UInt8] { try Digest.sha256(TextFold.probe() + (textRules > 1 ? [textRules] : [])) }
    private static let textRules: UInt8 = 1

    static func mapErrors<R>(_ body: () throws -> R) throws(VaultError) -> R {
        do { return try body() } catch { throw vaultError(error) }
    }

    static func vaultError(_ error: any Error) -> VaultError {
        switch error {
        case let error as VaultError: return error
        case let error as DatabaseError:
            return vaultError(SealedDatabase.translated(error))
        case let error as SealedSQLiteError:
            if error.code == .noRoom { return VaultError(.readOnly, systemError: error.systemError) }
            guard error.code == .inputOutput else { return VaultError(.integrity) }
            return error.isOfReading ? .reading(error.systemError, otherwise: .saveFailed) : .writing(error.systemError)
        case let error as CryptoError: return VaultError(error)
        // What is left are bytes that do not parse, and GRDB's word for a column with a value of another type than its own.
        default: return VaultError(.integrity)
        }
    }
}
