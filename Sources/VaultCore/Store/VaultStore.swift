// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import GRDB
internal import SealedSQLite
internal import SearchText
public import TextMerge
internal import VaultCrypto
public import VaultFormat

/// An open vault: keys in locked memory, the sealed index, and every operation on notes. One thread at a time.
///
/// Order of writes: transaction (durable when it returns), then, at close and every few seconds, manifest, then pin. So
/// database ≥ manifest ≥ pin, and a crash can only run ahead. Spec: docs/format.md §14.
public final class VaultStore {
    public internal(set) var header: UnverifiedHeader
    var foldIsKnown = false
    /// Why writing is refused, if it is: the disk was full or read-only when the vault was opened.
    public internal(set) var isReadOnly = false
    /// The system's errno that made it so, where there was one; else 0.
    public internal(set) var refusal: Int32 = 0
    /// Whether the pin could be written; without it an older copy of the vault is not noticed.
    public private(set) var pinIsRecorded = true
    public let directory: VaultDirectory
    // A rotation's commit puts others in the place of these four.
    var layer: VaultLayer
    var database: SealedDatabase
    var records: RecordSealer
    var manifestFile: ManifestFile
    let device: [UInt8]
    /// What the owner came in with.
    let openedKeyslot: OpenedKeyslot
    /// Compares lines when two versions of a note are merged. Without one, all that differs is a conflict.
    public var comparison: any TokenComparison = WholeTexts()
    let unfinished = UnfinishedObjects()
    var forgotten: Set<NoteID> = []
    let pins: PinStore
    var manifest: Manifest
    var recordedGeneration: UInt64 = 0
    /// Another program has replaced the header: nothing is written any more.
    var isForeign = false
    /// What is written now removes something, so it may use the reserve.
    var makesRoom = false
    /// The newer state that the owner gave up, until that stands on disk.
    var pinToAccept: Pin?
    /// How the last check ended; nil when that was not looked up yet.
    var knownLastCheck: LastCheck??
    /// How many read the index as it was.
    var freezeCount = 0
    /// A rotation is being prepared, and no second one may be.
    var isPreparingRotation = false
    /// Old files of a rotation that are still to be removed.
    var replacedFiles = (count: 0, byteCount: UInt64(0))
    /// The header file that this store stands on, as the system knows it.
    var headerSeen: FileIdentity?

    /// The log is emptied into the database when it grows beyond this, in bytes.
    static let logByteCountMax: UInt64 = 16 << 20

    var keys: VaultKeys { layer.keys }

    public static func indexName(epoch: UInt32) -> String { "index-\(epoch).db" }

    /// Unlocks a probed vault and opens its index.
    ///
    /// - Throws: `VaultError` with `.wrongPassword` before a slot has opened, `.integrity` after, `.busy`, `.rollback`.
    public convenience init(_ probe: VaultProbe, _ credential: borrowing Credential) throws(VaultError) {
        try probe.directory.lock()
        do throws(VaultError) {
            try probe.look()
            let (header, keys, opened) = try probe.unlock(credential)
            try self.init(probe: probe, header: header, keys: keys, opened: opened)
        } catch {
            probe.directory.unlock()
            throw error
        }
    }

    private init(probe: VaultProbe, header: Header, keys: VaultKeys, opened: OpenedKeyslot) throws(VaultError) {
        directory = probe.directory
        openedKeyslot = opened
        self.header = header.content
        pins = probe.pins
        manifestFile = ManifestFile(directory, keys: keys, header: header.content)
        // Under the lock this is the vault's header, whichever of its copies opened.
        headerSeen = probe.directory.identity(HeaderFile.names[0])
        let found = try manifestFile.read()
        manifest = found
        if let pin = probe.pin, manifest.generation < pin.generation, !probe.acceptsRollback {
            throw VaultError(.rollback, found: manifest.generation, expected: pin.generation)
        }
        database = try Self.openIndex(directory, header: header.content, keys: keys, manifest: found)
        (device, recordedGeneration) = try Self.check(database, against: found)
        let previous = try Self.previousKeys(database, keys, header.content)
        (layer, records) = try Self.mapErrors {
            let layer = try VaultLayer(keys, vaultID: header.content.vaultID, epoch: header.content.epoch, previous: previous)
            return (layer, try RecordSealer(layer))
        }
        try begin(acceptedOver: probe.acceptsRollback ? probe.pin : nil)
        try upgradeSchema()
        try dropEndedRotation()
    }

    /// Empties the log and writes a manifest with a new salt: in this order, and only while the log's length is 0.
    func startNewLog(isOpen: Bool) throws(VaultError) {
        try requireOurHeader()
        // Somebody reads the file that the log would be emptied into.
        guard !isFrozen else { throw VaultError(.exportRuns) }
        if manifest.syncedByteCount > 0 {
            // The log is about to be shorter than the manifest says; should the second manifest fail, that must not look like a cut.
            var unclaimed = manifest
            unclaimed.syncedByteCount = 0
            try vouch(unclaimed)
        }
        try Self.mapErrors { try database.checkpoint() }
        let salt = try VaultError.mapping { () throws(CryptoError) in try SecureRandom.bytes(Manifest.logSaltByteCount) }
        try vouch(
            Manifest(
                generation: try generation(), pageCount: database.storage.pageCount, logSalt: salt, syncedByteCount: 0, isOpen: isOpen))
        try Self.mapErrors { try database.storage.renewLogSalt(salt) }
    }

    /// Writes a manifest. When that fails nothing more is written in this session: changes that no manifest vouches for could be taken
    /// back by whoever owns the disk.
    func vouch(_ next: Manifest) throws(VaultError) {
        // Under a key that is no more it would be taken for damage.
        try requireOurHeader()
        do throws(VaultError) {
            try manifestFile.write(next)
        } catch {
            isReadOnly = true
            refusal = error.systemError
            throw error
        }
        manifest = next
    }

    /// Vouches for what has become durable since the last time; the agent calls it every few seconds and after each burst of writes.
    ///
    /// - Throws: `VaultError.readOnly`, `.saveFailed`; from then on the store refuses writes.
    public func recordProgress() throws(VaultError) {
        guard !isReadOnly, !isForeign, recordedGeneration > manifest.generation else { return }
        if database.storage.logByteCount > Self.logByteCountMax, !isFrozen {
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
            if !isReadOnly, !isForeign {
                try startNewLog(isOpen: false)
                recordPin()
                layReserve()
            }
        } catch {
            try? database.close()
            throw error
        }
        try Self.mapErrors { try database.close() }
    }

    func recordPin() {
        guard !isForeign, let digest = try? Digest.sha256(header.encoded) else { return }
        let known = pins.pin(of: header.identity)
        let pin = Pin(
            vaultID: header.vaultID, epoch: header.epoch, counter: header.counter, digest: digest,
            generation: max(manifest.generation, known?.epoch == header.epoch ? known?.generation ?? 0 : 0))
        // Most unlocks change nothing here, and each file costs two waits for the disk.
        let isThere = known == pin && pins.vault(at: directory.canonicalPath) == header.identity
        pinIsRecorded = isThere || pins.record(pin, of: header.copyID, canonicalPath: directory.canonicalPath)
    }

    func generation() throws(VaultError) -> UInt64 {
        try Self.mapErrors { try database.queue.inDatabase { try IndexState.fetch($0).generation } }
    }

    /// Runs one durable transaction and counts it. One that makes room is run once more on a full disk, with the reserve given up.
    func write<R>(_ body: (Database) throws -> R) throws(VaultError) -> R {
        do throws(VaultError) { return try writeOnce(body) } catch {
            guard makesRoom, error.code == .readOnly else { throw error }
            try giveUpReserve()
            let result = try writeOnce(body)
            // What the log holds is in the database then, and its room is free again.
            if !isFrozen { try? startNewLog(isOpen: true) }
            return result
        }
    }

    private func writeOnce<R>(_ body: (Database) throws -> R) throws(VaultError) -> R {
        guard !isReadOnly else { throw VaultError(.readOnly, systemError: refusal) }
        try requireOurHeader()
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
