// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import GRDB
internal import SealedSQLite
public import TextMerge
internal import VaultCrypto
internal import VaultFormat

/// An `OpenVault` is an open vault: keys in locked memory, the sealed index, and every operation on notes. One thread
/// at a time.
///
/// Order of writes: transaction (durable when it returns), then, at close and every few seconds, manifest, then pin. So
/// database ≥ manifest ≥ pin, and a crash can only run ahead. Spec: docs/format.md §14.
public final class OpenVault {
    /// The log is emptied into the database when it grows beyond this, in bytes.
    static let logByteCountMax: UInt64 = 16 << 20
    let current: CurrentHeader
    public var header: Header { current.header }
    /// Whether another program has replaced the header or the index: nothing is written any more.
    var headerWasReplaced: Bool { current.wasReplaced || watch.loss != nil }
    let watch: FileWatch
    var foldIsKnown = false
    /// Why writing is refused, if it is: the disk was full or read-only when the vault was opened.
    public private(set) var isReadOnly = false
    /// The system's errno that made it so, where there was one; else 0.
    public private(set) var refusal: Int32 = 0
    /// Whether the pin could be written; without it an older copy of the vault is not noticed.
    public internal(set) var pinIsRecorded = true
    public let directory: VaultDirectory
    // A rotation's commit puts others in the place of these four.
    private(set) var layer: VaultLayer
    private(set) var database: SealedDatabase
    private(set) var records: RecordSealer
    private(set) var manifestFile: ManifestFile
    private(set) var device: [UInt8]
    let openedKeyslot: OpenedKeyslot
    /// Compares lines when two versions of a note are merged. Without one, all that differs is a conflict.
    public var comparison: any TokenComparison = WholeTexts()
    /// Whether tags in a text, such as `#work`, become the note's too when it is written.
    public var readsTags = false
    let unfinished = UnfinishedObjects()
    /// Entries of other devices that were recorded since the vault was opened.
    var arrivedEntryCount = 0
    /// Whether words may wait to get into the search table; false only when nothing was found.
    public internal(set) var mayHaveUnindexed = true
    /// What it was opened without, on its owner's word; nil for a whole vault.
    public let loss: OpeningLoss?
    /// What was dropped from the end of its log; nil for a log that was whole.
    public let tornLog: TornLog?
    /// It may be older than it was, on its owner's word.
    let acceptsRollback: Bool
    /// What was lost is not to count as newer: the generation rises above this before anything else is written.
    var generationToPass: UInt64?
    let pins: PinStore
    private(set) var manifest: Manifest
    /// Whether both copies on disk name the map that counts; nil until somebody has looked.
    var mapIsInBothManifests: Bool?
    private(set) var recordedGeneration: UInt64 = 0 { didSet { uploads.forget() } }
    /// Which notes the remotes do not have as they are, until the next transaction.
    let uploads = KnownUploads()
    /// What is written now removes something, so it may use the reserve.
    var makesRoom = false
    /// The newer state that the owner gave up, until that stands on disk.
    var pinToAccept: Pin?
    /// What the sealed state knows of the header, until that is put right at the opening.
    var headerAtOpening: HeaderAtOpening
    /// Whether the vault's own chain was found whole, as far as it was looked at.
    public internal(set) var chain: ChainFinding
    /// How the last check ended; nil when that was not looked up yet.
    var knownLastCheck: LastCheck??
    /// How many read the index as it was.
    var freezeCount = 0
    /// A rotation is being prepared, and no second one may be.
    var isPreparingRotation = false
    let wasUnknown: Bool
    /// It goes on from an older state, and not yet as another device.
    var mustBecomeAnother: Bool
    /// Old files of a rotation that are still to be removed.
    var replacedFiles = (count: 0, byteCount: UInt64(0))

    var keys: VaultKeys { layer.keys }

    /// Whether the kernel keeps the vault key out of swap.
    public var keysAreLocked: Bool { keys.root.isLocked }

    /// Notes: listed, read, written, thrown away.
    public var notes: Notes { Notes(vault: self) }
    /// Their revisions, what can be undone, and what changed.
    public var history: History { History(vault: self) }
    public var drafts: Drafts { Drafts(vault: self) }
    public var attachments: Attachments { Attachments(vault: self) }
    /// Notebooks, tags, titles and links.
    public var names: Names { Names(vault: self) }
    public var search: Search { Search(vault: self) }
    /// Notes with a password of their own.
    public var privateNotes: PrivateNotes { PrivateNotes(vault: self) }
    public var imports: Imports { Imports(vault: self) }
    /// What opens the vault.
    public var keyslots: Keyslots { Keyslots(vault: self) }
    /// The way to another vault key.
    public var rotation: Rotation { Rotation(vault: self) }
    public var backups: Backups { Backups(vault: self) }
    public var checks: Checks { Checks(vault: self) }

    init(probe: VaultProbe, header: Header, keys: VaultKeys, opened: OpenedKeyslot) throws(VaultError) {
        (directory, acceptsRollback) = (probe.directory, probe.acceptsRollback)
        openedKeyslot = opened
        current = CurrentHeader(header, in: probe.directory)
        pins = probe.pins
        manifestFile = ManifestFile(directory, keys: keys, header: header)
        let found = try Self.openIndex(probe, header, keys, acceptingLoss: probe.acceptsLoss)
        (database, manifest) = (found.database, found.manifest)
        watch = FileWatch(tellsPlace: database.storage.isInPlace, lease: probe.lease)
        (device, recordedGeneration, loss) = (found.device, found.generation, found.loss)
        tornLog = TornLog(found.database.tornTail)
        generationToPass = found.generationToPass
        (headerAtOpening, chain) = (found.header, found.chain)
        let previous = try RotationState.previousKeys(database, keys, header)
        (layer, records) = try VaultError.translating {
            let layer = try VaultLayer(keys, vaultID: header.vaultID, epoch: header.epoch, previous: previous)
            return (layer, try RecordSealer(layer))
        }
        // What goes on from an older state is another device for everybody who has heard of the newer one.
        wasUnknown = probe.pin == nil
        let isRestored = pins.isRestored(header.identity, at: directory.canonicalPath)
        mustBecomeAnother = acceptsRollback || loss != nil || isRestored
        if mustBecomeAnother { pins.disown(header.identity) }
        try begin(acceptedOver: probe.acceptsRollback ? probe.pin : nil)
        try upgradeSchema()
        try dropEndedRotation()
        // A sync tries it again, and says why it fails.
        try? devices.settleIdentity()
    }

    /// Writes a manifest. When that fails nothing more is written in this session: changes that no manifest vouches for
    /// could be taken back by the disk's owner.
    ///
    /// - Parameter secondWaits: for the disk, with the second copy.
    func vouch(_ next: Manifest, secondWaits: Bool = true) throws(VaultError) {
        // Under a key that is no more it would be taken for damage.
        try requireOurHeader()
        let next = try next.naming(header)
        do throws(VaultError) {
            try manifestFile.write(next, secondWaits: secondWaits)
        } catch {
            isReadOnly = true
            refusal = error.systemError
            mapIsInBothManifests = false
            throw error
        }
        manifest = next
        if secondWaits { mapIsInBothManifests = true }
        watch.manifests = ManifestFile.names.map { directory.identity($0) }
    }

    /// Vouches for what has become durable since the last time; the agent calls it every few seconds and after each
    /// burst of writes.
    ///
    /// - Throws: `VaultError.readOnly`, `.saveFailed`; from then on the vault refuses writes.
    public func recordProgress() throws(VaultError) {
        guard !isReadOnly, !headerWasReplaced, recordedGeneration > manifest.generation else { return }
        if database.storage.logByteCount > Self.logByteCountMax, !isFrozen {
            do throws(VaultError) { try startNewLog(isOpen: true) } catch {
                // The log goes on; what is in it is vouched for anyway.
                guard !isReadOnly, !headerWasReplaced else { throw error }
                try vouch(progressed, secondWaits: false)
                recordPin()
                throw error
            }
        } else {
            // Under the same log salt: an older second copy fits the log too, and every few seconds it need not wait.
            try vouch(progressed, secondWaits: false)
        }
        recordPin()
    }

    /// Closes the index with an empty log and gives the vault back. The keys are wiped with the object.
    public func close() throws(VaultError) {
        // Only when SQLite has let go of the files may another agent take them.
        defer { giveBack() }
        do throws(VaultError) {
            if let loss = watch.loss { rescuedAgain(loss) } else { try requireOurIndex() }
            if !isReadOnly, !headerWasReplaced {
                try startNewLog(isOpen: false)
                recordPin()
                layReserve()
                // Once more: what is moved from here on is moved under a vault that is closed.
                try requireOurIndex(readsBack: true)
            }
        } catch {
            try? database.close()
            throw error
        }
        try VaultError.translating { try database.close() }
    }

    /// Goes on in the next epoch. The old index is closed and removed; the header on disk no longer names it. What
    /// fails from here on is made good at the next unlock, and nothing is written until then.
    func adopt(
        _ nextLayer: VaultLayer, _ nextRecords: RecordSealer, _ nextDatabase: SealedDatabase, _ file: ManifestFile,
        _ found: Manifest
    ) {
        let old = database
        (layer, records, database, manifestFile) = (nextLayer, nextRecords, nextDatabase, file)
        recordedGeneration = found.generation
        do {
            try vouch(found)
            recordPin()
            try old.close()
            try discardOtherEpochs()
        } catch {
            refuseWrites()
            // The header is of the next epoch, whatever else is not: one of before is refused from now on.
            recordPin()
        }
    }

    /// Goes on under this epoch's key alone.
    func forgetPreviousKey() throws(VaultError) {
        let alone = try VaultError.translating { try VaultLayer(keys, vaultID: header.vaultID, epoch: header.epoch) }
        let sealer = try VaultError.translating { try RecordSealer(alone, keyring: records.keyring) }
        // First a header that the row is older than: from now on no page with that row brings the old key back.
        try changeHeader(bindsRotation: false) { _ in }
        (layer, records) = (alone, sealer)
        try dropEndedRotation()
    }

    /// Ends the writing in this session; without an error, what was known of its reason stays.
    func refuseWrites(_ systemError: Int32? = nil) {
        isReadOnly = true
        if let systemError { refusal = systemError }
    }

    func allowWrites() { isReadOnly = false }

    /// Writes entries of another device from here on.
    func take(_ device: [UInt8]) { self.device = device }

    /// Puts a verified header in the place of the one that is there. It is durable when this returns.
    ///
    /// - Throws: `VaultError.keysUncertain` when one copy may be new; nothing is written from then on.
    func replaceHeader(_ next: Header) throws(VaultError) {
        do throws(VaultError) { try current.replace(by: next) } catch {
            if error.code == .keysUncertain { refuseWrites() }
            throw error
        }
    }

    /// Reads the generation again, after the index was changed outside of `write`.
    func countAgain() throws(VaultError) { recordedGeneration = try generation() }

    /// Does what `write` does, and nothing is given up for it.
    func writeOnce<R>(_ body: (Transaction) throws -> R) throws(VaultError) -> R {
        guard !isReadOnly else { throw VaultError(.readOnly, systemError: refusal) }
        try requireOurHeader()
        try refreshFold()
        do {
            let (result, generation) = try database.queue.write { database in
                let transaction = Transaction(
                    database: database, layer: layer, records: records, device: device, comparison: comparison,
                    uploads: uploads, readsTags: readsTags)
                return (try body(transaction), try IndexState.advanceGeneration(database))
            }
            // Only now: a commit that failed must not be vouched for.
            recordedGeneration = generation
            // What went into a file that is no longer the vault's is not acknowledged.
            try requireOurIndex(readsBack: true)
            // The change is durable whatever becomes of the log.
            if database.storage.logByteCount > 4 * Self.logByteCountMax { try? startNewLog(isOpen: true) }
            return result
        } catch {
            uploads.forgetAll()
            // Why it failed, before the next call of the system.
            let failure = VaultError.translated(error)
            database.storage.discardUncommittedTail()
            // Only then: a file that is somebody else's by now is left as it is.
            if [.readOnly, .saveFailed].contains(failure.code) { database.storage.giveRoomBack() }
            throw failure
        }
    }
}
