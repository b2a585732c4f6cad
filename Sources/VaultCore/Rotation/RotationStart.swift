// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import GRDB
internal import SealedSQLite
internal import VaultCrypto
internal import VaultFormat

/// A `RotationStart` does a rotation up to its commit: it makes a second index under the next key, while the vault goes
/// on under the present one.
///
/// Until `commit` has replaced the header, whatever happens leaves the vault as it was; the files of the next epoch
/// mean nothing then.
public final class RotationStart {
    private let vault: OpenVault
    private let next: NextEpoch
    private let objectByteCount: UInt64
    private let copy: IndexCopy
    private let salt: [UInt8]
    private var isOver = false
    private var waited: ContinuousClock.Instant?

    /// Pages that are left to the commit itself: few enough that nobody notices.
    private static let lastPageCount = 256
    /// Pages of one step: about 5 ms.
    private static let stepPageCount = 500
    /// How long an attachment that is being written is waited for.
    private static let patience = Duration.seconds(120)

    /// Begins the second index.
    ///
    /// - Throws: `VaultError.rotationRuns`, `.exportRuns`, `.noRoom`, `.keysChanged`, `.readOnly`, `.saveFailed`.
    public init(_ vault: OpenVault, _ next: NextEpoch, _ plan: RotationPlan) throws(VaultError) {
        guard vault.layer.previous == nil, !vault.isPreparingRotation else { throw VaultError(.rotationRuns) }
        guard !vault.isFrozen else { throw VaultError(.exportRuns) }
        guard !vault.isReadOnly else { throw VaultError(.readOnly) }
        try vault.requireOurHeader()
        guard next.base == vault.header else { throw VaultError(.keysChanged) }
        guard plan.hasRoom else { throw VaultError(.noRoom, found: plan.freeByteCount, expected: plan.neededByteCount) }
        self.vault = vault
        self.next = next
        objectByteCount = plan.objectByteCount
        // What an earlier try has left would be taken for a part of this one.
        try vault.discardOtherEpochs()
        do throws(VaultError) {
            (copy, salt) = try VaultError.translating {
                let salt = try SecureRandom.bytes(Manifest.logSaltByteCount)
                let files = try IndexFile.storage(
                    vault.directory, header: next.header, keys: VaultKeys(next.root), logSalt: salt, creating: true)
                return (try IndexCopy(vault.database, to: files) { $0.add(tokenizer: GramTokenizer.self) }, salt)
            }
        } catch {
            try? vault.discardOtherEpochs()
            throw error
        }
        vault.isPreparingRotation = true
    }

    deinit { abandon() }

    /// Discards what is not committed. Call it on the vault's own thread, before the vault is closed.
    public func abandon() {
        guard !isOver else { return }
        isOver = true
        vault.isPreparingRotation = false
        copy.abandon()
        try? vault.discardOtherEpochs()
    }

    /// How many pages of how many are copied.
    public private(set) var progress: (done: UInt64, total: UInt64) = (0, 1)

    /// Copies a little more; false when what is left belongs to the commit.
    public func step() throws(VaultError) -> Bool {
        let hasMore = try VaultError.translating {
            try copy.step(pageCount: Self.stepPageCount, leaving: Self.lastPageCount)
        }
        progress = (UInt64(copy.done), UInt64(max(copy.pageCount, 1)))
        return hasMore
    }

    /// Returns a descriptor of what is copied, to wait for the disk on another thread, because it may take seconds. Its
    /// owner closes it.
    public func descriptorToSync() -> Int32 { copy.duplicateDescriptor() }

    /// Whether an attachment is being written.
    public var hasAttachmentUnderWay: Bool { !vault.unfinished.isEmpty }

    /// Returns whether an attachment must be waited for: it would come in under a key that no longer exists.
    ///
    /// - Throws: `VaultError.attachmentIsWritten` when that has gone on for two minutes.
    public func mustWait() throws(VaultError) -> Bool {
        guard !vault.unfinished.isEmpty else { return false }
        let now = ContinuousClock.now
        let begin = waited ?? now
        waited = begin
        guard begin.duration(to: now) < Self.patience else { throw VaultError(.attachmentIsWritten) }
        return true
    }

    /// Replaces the header, which is the one commit point. From then on nothing is sealed under the old key.
    ///
    /// - Parameter remoteStates: what the sync engines of remotes must not forget from then on, by the remotes' names.
    /// - Throws: `VaultError`; then the vault is as before, or the next unlock says which epoch counts.
    public func commit(remoteStates: [String: [UInt8]] = [:]) throws(VaultError) {
        try vault.requireOurHeader()
        guard next.base == vault.header else { throw VaultError(.keysChanged) }
        try VaultError.translating { try copy.finishPages() }
        let (database, layer, manifest) = try VaultError.translating { try finishCopy(remoteStates) }
        let records = try VaultError.translating { try RecordSealer(layer, keyring: vault.records.keyring) }
        let file = ManifestFile(vault.directory, keys: layer.keys, header: next.header)
        try file.write(manifest, to: ManifestFile.nextNames)
        do throws(VaultError) {
            try vault.replaceHeader(next.header)
        } catch {
            // One copy of the header may be new: nothing of either epoch is removed then.
            if error.code == .keysUncertain { end() }
            throw error
        }
        end()
        vault.adopt(layer, records, database, file, manifest)
    }

    private func end() {
        isOver = true
        vault.isPreparingRotation = false
    }

    /// Returns the copy as an index of its own, with what makes it the next epoch's.
    private func finishCopy(_ remoteStates: [String: [UInt8]]) throws -> (SealedDatabase, VaultLayer, Manifest) {
        try copy.close()
        let header = next.header
        let keys = try VaultKeys(next.root)
        let layer = try VaultLayer(keys, vaultID: header.vaultID, epoch: header.epoch, previous: vault.keys)
        let place = RotationState.place(previousEpoch: vault.header.epoch, counter: header.counter)
        let wrapped = try layer.seal(vault.keys.root, place)
        let files = try IndexFile.storage(vault.directory, header: header, keys: keys, logSalt: salt, creating: false)
        let database = try SealedDatabase(files, syncedByteCount: 0) { $0.add(tokenizer: GramTokenizer.self) }
        let generation = try database.queue.write { connection in
            try RotationState.insert(connection, wrapped: wrapped, counter: header.counter, total: objectByteCount)
            try connection.execute(sql: "DELETE FROM keyslot")
            for slot in next.slots { try slot.insert(connection) }
            try KnownHeader(header).save(connection)
            // What the remote has of the epoch before is ended there, or was.
            if try Row.fetchOne(connection, sql: "SELECT 1 FROM remote LIMIT 1") != nil {
                try FormerEpoch.save(connection, vault.keys, of: vault.header, next, layer)
                try LeftObject.forget(before: vault.header.epoch, connection)
            }
            for (name, state) in remoteStates {
                try connection.execute(
                    sql: "UPDATE remote SET state = ? WHERE name = ?", arguments: [state.blob, name])
            }
            return try IndexState.advanceGeneration(connection)
        }
        try database.checkpoint()
        // The log had frames under the first one.
        let logSalt = try SecureRandom.bytes(Manifest.logSaltByteCount)
        try files.renewLogSalt(logSalt)
        var manifest = Manifest(
            generation: generation, pageCount: files.pageCount, logSalt: logSalt, syncedByteCount: 0, isOpen: true)
        manifest.map = MapRoot(try files.buildMap(IndexFile.mapName(epoch: header.epoch)))
        return (database, layer, try manifest.naming(header))
    }
}
