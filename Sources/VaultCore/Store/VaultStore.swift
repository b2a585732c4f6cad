// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import GRDB
internal import SealedSQLite
internal import SearchText
internal import VaultCrypto
public import VaultFormat

/// An open vault: keys in locked memory, the sealed index, and every operation on notes. One thread at a time.
///
/// Order of writes: transaction (durable when it returns), then, at close and every few seconds, manifest, then pin. So
/// database ≥ manifest ≥ pin, and a crash can only run ahead. Spec: docs/format.md §14.
public final class VaultStore {
    public private(set) var header: UnverifiedHeader
    private var foldIsKnown = false
    /// Why writing is refused, if it is: the disk was full or read-only when the vault was opened.
    public private(set) var isReadOnly = false
    /// Whether the pin could be written; without it an older copy of the vault is not noticed.
    public private(set) var pinIsRecorded = true
    public let directory: VaultDirectory
    let keys: VaultKeys
    let database: SealedDatabase
    let records: RecordSealer
    let device: [UInt8]
    let unfinished = UnfinishedObjects()
    var forgotten: Set<NoteID> = []
    private let pins: PinStore
    private let manifestFile: ManifestFile
    private var manifest: Manifest
    private var recordedGeneration: UInt64 = 0

    /// The log is emptied into the database when it grows beyond this, in bytes.
    static let logByteCountMax: UInt64 = 16 << 20

    public static func indexName(epoch: UInt32) -> String { "index-\(epoch).db" }

    /// Unlocks a probed vault and opens its index.
    ///
    /// - Throws: `VaultError` with `.wrongPassword` before a slot has opened, `.integrity` after, `.busy`, `.rollback`.
    public convenience init(_ probe: VaultProbe, _ credential: borrowing Credential) throws(VaultError) {
        try probe.directory.lock()
        do throws(VaultError) {
            try probe.look()
            let (header, keys) = try probe.unlock(credential)
            try self.init(probe: probe, header: header, keys: keys)
        } catch {
            probe.directory.unlock()
            throw error
        }
    }

    private init(probe: VaultProbe, header: Header, keys: VaultKeys) throws(VaultError) {
        directory = probe.directory
        self.header = header.content
        self.keys = keys
        pins = probe.pins
        manifestFile = ManifestFile(directory, keys: keys, header: header.content)
        manifest = try manifestFile.read()
        if let pin = probe.pin, manifest.generation < pin.generation, !probe.acceptsRollback {
            throw VaultError(.rollback, found: manifest.generation, expected: pin.generation)
        }
        (database, records) = try Self.openIndex(directory, header: header.content, keys: keys, manifest: manifest)
        let found = manifest
        (device, recordedGeneration) = try Self.check(database, against: found)
        try begin(acceptedOver: probe.acceptsRollback ? probe.pin : nil)
        try upgradeSchema()
    }

    /// Brings an older index to this program's tables. Lists and search words are made anew then; a crash in between leaves the mark
    /// that says so, an empty fold.
    private func upgradeSchema() throws(VaultError) {
        let state = try read { try IndexState.fetch($0) }
        guard state.schema < Schema.version || state.fold.isEmpty else { return }
        guard !isReadOnly else { throw VaultError(.readOnly) }
        if state.schema < Schema.version {
            try Self.mapErrors { try database.queue.write { try Schema.upgrade($0, from: state.schema) } }
        }
        try refreshFold()
    }

    private static func openIndex(
        _ directory: VaultDirectory, header: UnverifiedHeader, keys: VaultKeys, manifest: Manifest
    ) throws(VaultError) -> (SealedDatabase, RecordSealer) {
        try mapErrors {
            let storage = try Self.storage(directory, header: header, keys: keys, logSalt: manifest.logSalt, creating: false)
            // After a clean close the log is empty and the file has its size: an old or emptied file shows here.
            // It never shrinks, so after a crash it has at least the pages that it had. A part of a page may stand at its end only while
            // the log holds that page.
            let endsWell = storage.hasWholePages || storage.logByteCount > 0
            let isWhole = endsWell && storage.pageCount >= manifest.pageCount
            let isAsClosed = storage.logByteCount == 0 && storage.pageCount == manifest.pageCount
            guard isWhole, manifest.isOpen || isAsClosed else { throw VaultError(.integrity) }
            let database = try SealedDatabase(storage, syncedByteCount: manifest.syncedByteCount) { $0.add(tokenizer: GramTokenizer.self) }
            return (database, try RecordSealer(keys: keys, vaultID: header.vaultID, epoch: header.epoch))
        }
    }

    private static func check(_ database: SealedDatabase, against manifest: Manifest) throws(VaultError) -> ([UInt8], UInt64) {
        // Tables that are not there mean that pages were put in their place.
        guard let state = try? database.queue.inDatabase({ try IndexState.fetch($0) }) else { throw VaultError(.integrity) }
        guard state.schema <= Schema.version else { throw VaultError(.newerFormat) }
        // Every page may be authentic and still old: the manifest says how far this index had come.
        guard state.generation >= manifest.generation else { throw VaultError(.integrity) }
        return (state.device, state.generation)
    }

    /// Recovery is done under the old log salt; from here a new log under a new one. On a disk that refuses, the vault opens for reading.
    private func begin(acceptedOver pin: Pin?) throws(VaultError) {
        guard database.storage.isWritable else {
            isReadOnly = true
            return
        }
        do throws(VaultError) {
            // An empty log first: whatever is written before would stand in a log that the old manifest speaks of.
            try startNewLog(isOpen: true)
            if let pin {
                try acceptRollback(over: pin)
                try startNewLog(isOpen: true)
            }
            try mendHeaders()
        } catch {
            guard error.code == .readOnly || error.code == .saveFailed else { throw error }
            isReadOnly = true
        }
        // What was not accepted on disk is not accepted in the pin either.
        if !isReadOnly { recordPin() }
    }

    private func acceptRollback(over pin: Pin) throws(VaultError) {
        if header.counter <= pin.counter {
            var raised = header
            raised.counter = pin.counter + 1
            guard let sealed = try? Header.make(raised, keys: keys) else { throw VaultError(.selfTestFailed) }
            try HeaderFile.write(sealed, to: directory)
            header = sealed.content
        }
        try Self.mapErrors {
            try database.queue.write { try IndexState.raiseGeneration($0, above: pin.generation) }
        }
        recordedGeneration = try generation()
    }

    /// Two equal copies of the header, whichever was damaged or older.
    private func mendHeaders() throws(VaultError) {
        let bytes = header.encoded
        for name in HeaderFile.names {
            let copy = try? directory.read(name, byteCountMax: UnverifiedHeader.byteCountMax)
            if copy != bytes { try directory.replace(name, with: bytes) }
        }
    }

    /// Words can only be deleted by the very text that was indexed: another fold needs another search index, before the first write.
    private func refreshFold() throws(VaultError) {
        guard !foldIsKnown else { return }
        foldIsKnown = true
        let stored = try read { try IndexState.fetch($0).fold }
        let current = try Self.mapErrors { try Self.foldDigest() }
        if stored != current { _ = try rebuildIndex() }
    }

    /// Empties the log and writes a manifest with a new salt: in this order, and only while the log's length is 0.
    func startNewLog(isOpen: Bool) throws(VaultError) {
        if manifest.syncedByteCount > 0 {
            // The log is about to be shorter than the manifest says; should the second manifest fail, that must not look like a cut.
            var unclaimed = manifest
            unclaimed.syncedByteCount = 0
            try vouch(unclaimed)
        }
        try Self.mapErrors { try database.checkpoint() }
        guard let salt = try? SecureRandom.bytes(Manifest.logSaltByteCount) else { throw VaultError(.selfTestFailed) }
        try vouch(
            Manifest(
                generation: try generation(), pageCount: database.storage.pageCount, logSalt: salt, syncedByteCount: 0, isOpen: isOpen))
        try Self.mapErrors { try database.storage.renewLogSalt(salt) }
    }

    /// Writes a manifest. When that fails nothing more is written in this session: changes that no manifest vouches for could be taken
    /// back by whoever owns the disk.
    private func vouch(_ next: Manifest) throws(VaultError) {
        do throws(VaultError) {
            try manifestFile.write(next)
        } catch {
            isReadOnly = true
            throw error
        }
        manifest = next
    }

    /// Vouches for what has become durable since the last time; the agent calls it every few seconds and after each burst of writes.
    ///
    /// - Throws: `VaultError.readOnly`, `.saveFailed`; from then on the store refuses writes.
    public func recordProgress() throws(VaultError) {
        guard !isReadOnly, recordedGeneration > manifest.generation else { return }
        if database.storage.logByteCount > Self.logByteCountMax {
            try startNewLog(isOpen: true)
        } else {
            var next = manifest
            next.generation = recordedGeneration
            next.syncedByteCount = database.storage.durableLogByteCount
            try vouch(next)
        }
        recordPin()
    }

    /// Closes the index with an empty log and gives the vault back. The keys are wiped with the object.
    public func close() throws(VaultError) {
        // Only when SQLite has let go of the files may another agent take them.
        defer { directory.unlock() }
        do throws(VaultError) {
            if !isReadOnly {
                try startNewLog(isOpen: false)
                recordPin()
            }
        } catch {
            try? database.close()
            throw error
        }
        try Self.mapErrors { try database.close() }
    }

    private func recordPin() {
        guard let digest = try? Digest.sha256(header.encoded) else { return }
        let known = pins.pin(of: header.vaultID)
        let pin = Pin(
            vaultID: header.vaultID, epoch: header.epoch, counter: header.counter, digest: digest,
            generation: max(manifest.generation, known?.epoch == header.epoch ? known?.generation ?? 0 : 0))
        // Most unlocks change nothing here, and each file costs two waits for the disk.
        let isThere = known == pin && pins.vault(at: directory.canonicalPath) == header.vaultID
        pinIsRecorded = isThere || pins.record(pin, canonicalPath: directory.canonicalPath)
    }

    func generation() throws(VaultError) -> UInt64 {
        try Self.mapErrors { try database.queue.inDatabase { try IndexState.fetch($0).generation } }
    }

    /// Runs one durable transaction and counts it.
    func write<R>(_ body: (Database) throws -> R) throws(VaultError) -> R {
        guard !isReadOnly else { throw VaultError(.readOnly) }
        try refreshFold()
        do {
            let (result, generation) = try database.queue.write { database in
                (try body(database), try IndexState.advanceGeneration(database))
            }
            // Only now: a commit that failed must not be vouched for.
            recordedGeneration = generation
            // The change is durable whatever becomes of the log.
            if database.storage.logByteCount > 4 * Self.logByteCountMax { try? startNewLog(isOpen: true) }
            return result
        } catch {
            database.storage.discardUncommittedTail()
            throw Self.vaultError(error)
        }
    }

    func read<R>(_ body: (Database) throws -> R) throws(VaultError) -> R {
        try Self.mapErrors { try database.queue.inDatabase(body) }
    }
}
