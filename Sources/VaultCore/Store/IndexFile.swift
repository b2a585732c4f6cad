// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import GRDB
internal import SealedSQLite
internal import SearchText
internal import VaultCrypto
internal import VaultFormat

/// `IndexFile` names, makes and opens the files of a vault's sealed index.
enum IndexFile {
    static func name(epoch: UInt32) -> String { "index-\(epoch).db" }

    /// Returns the name of the map of its pages.
    static func mapName(epoch: UInt32) -> String { "index-\(epoch).map" }

    /// Stands in the name of a log that was damaged and kept, after the log's own; then a date.
    static let damagedLogMark = ".damaged-"

    /// Returns whether a name is one of the index's: `index-<epoch>.db`, its log, the map of its pages, and logs of it
    /// that were damaged and kept.
    static func isOurs(_ name: String) -> Bool {
        guard name.hasPrefix("index-") else { return false }
        let rest = name.dropFirst(6).drop { $0 >= "0" && $0 <= "9" }
        return rest.count < name.count - 6
            && ([".db", ".db-wal", ".map"].contains(rest) || isDamagedLog(name) || IndexSwitch.isOurs(rest))
    }

    /// Returns whether it is damaged, and its owner's to remove.
    static func isKept(_ name: String) -> Bool { isDamagedLog(name) || IndexSwitch.isKept(name) }

    static func isDamagedLog(_ name: String) -> Bool {
        guard name.hasPrefix("index-") else { return false }
        return name.dropFirst(6).drop { $0 >= "0" && $0 <= "9" }.hasPrefix(".db-wal" + damagedLogMark)
    }

    /// Returns the sealed files of an epoch's index.
    static func storage(
        _ directory: VaultDirectory, header: Header, keys: VaultKeys, logSalt: [UInt8], creating: Bool,
        named other: String? = nil
    ) throws -> SealedStorage {
        func binding(_ kind: Context.Kind) -> [UInt8] {
            Context(kind: kind, vaultID: header.vaultID, epoch: header.epoch).encoded
        }
        return try SealedStorage(
            directory: directory.descriptor, name: other ?? name(epoch: header.epoch), pageKey: keys.indexPage,
            logKey: keys.indexLog,
            pageBinding: binding(.indexPage), logBinding: binding(.indexLog), logSalt: logSalt, creating: creating)
    }

    /// Makes the empty index and the first manifest of a new vault.
    static func make(
        _ directory: VaultDirectory, header: Header, keys: VaultKeys, _ slots: [NewKeyslot]
    ) throws(VaultError) {
        try VaultError.translating {
            let salt = try SecureRandom.bytes(Manifest.logSaltByteCount)
            let files = try storage(directory, header: header, keys: keys, logSalt: salt, creating: true)
            let database = try SealedDatabase(files, syncedByteCount: 0) { $0.add(tokenizer: GramTokenizer.self) }
            let device = try SecureRandom.bytes(Entry.deviceByteCount)
            try database.queue.write { connection in
                try Schema.create(connection)
                try IndexState.insert(connection, device: device, fold: foldDigest())
                for slot in slots { try slot.insert(connection) }
            }
            try database.checkpoint()
            var manifest = Manifest(
                generation: 1, pageCount: files.pageCount, logSalt: salt, syncedByteCount: 0, isOpen: false)
            manifest.map = MapRoot(try files.buildMap(mapName(epoch: header.epoch)))
            try ManifestFile(directory, keys: keys, header: header).write(manifest.naming(header))
            try database.close()
        }
    }

    /// Returns a digest that tells one fold of text from another: a new run-time library that folds differently needs a
    /// new search index. So does another rule for titles and texts in `NoteText`: it raises the number, which is added
    /// from 2 on.
    static func foldDigest() throws -> [UInt8] {
        try Digest.sha256(TextFold.probe() + (textRules > 1 ? [textRules] : []))
    }
    private static let textRules: UInt8 = 1

    /// Opens the index that the manifest speaks of. Nothing is written to index and log before `beginWriting`: what is
    /// refused may be another machine's, and a sync program would carry what was changed of it there. A log or a map
    /// that is missing is made.
    ///
    /// - Parameter acceptingLoss: a damaged log ends at the last whole commit before the damage, and pages count as
    ///   they are.
    /// - Throws: `VaultError.integrity` for an index that is not what the manifest left, as far as sizes tell.
    static func open(
        _ directory: VaultDirectory, header: Header, keys: VaultKeys, manifest: Manifest, acceptingLoss: Bool = false
    ) throws(VaultError) -> SealedDatabase {
        try VaultError.translating {
            let storage = try storage(directory, header: header, keys: keys, logSalt: manifest.logSalt, creating: false)
            // After a clean close the log is empty and the file has its size: an old or emptied file shows here.
            // It never shrinks, so after a crash it has at least the pages that it had. A part of a page may stand at
            // its end only while the log holds that page.
            let endsWell = storage.hasWholePages || storage.logByteCount > 0
            let isWhole = endsWell && storage.pageCount >= max(manifest.pageCount, 1)
            let isAsClosed = storage.logByteCount == 0 && storage.pageCount == manifest.pageCount
            guard isWhole, manifest.isOpen || isAsClosed else { throw VaultError(.integrity) }
            if let map = manifest.map {
                try storage.openMap(
                    mapName(epoch: header.epoch), root: PageMapRoot(map), accepting: acceptingLoss)
            }
            return try SealedDatabase(
                storage, syncedByteCount: manifest.syncedByteCount, acceptingLogDamage: acceptingLoss, waits: true
            ) {
                $0.add(tokenizer: GramTokenizer.self)
            }
        }
    }

    /// Checks the index against the manifest, and returns the device and how many transactions the index has seen.
    ///
    /// - Throws: `VaultError.newerFormat`, `.integrity` for one that is older than the manifest.
    static func check(
        _ database: SealedDatabase, against manifest: Manifest, acceptingLoss: Bool = false
    ) throws(VaultError) -> ([UInt8], UInt64) {
        // Tables that are not there mean that pages were put in their place.
        let state: IndexState
        do throws(VaultError) {
            state = try VaultError.translating { try database.queue.inDatabase { try IndexState.fetch($0) } }
        } catch {
            throw error.code == .system || error.damage != nil ? error : VaultError(.integrity)
        }
        guard state.schema <= Schema.version else { throw VaultError(.newerFormat) }
        // Every page may be authentic and still old: the manifest says how far this index had come.
        guard state.generation >= manifest.generation || acceptingLoss else {
            throw VaultError(.integrity, damage: .log)
        }
        return (state.device, state.generation)
    }
}
