// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import GRDB
internal import SealedSQLite
internal import VaultCrypto
internal import VaultFormat

/// A rotation up to its commit: a second index under the next key, while the vault goes on under the present one.
///
/// Until `commit` has replaced the header, whatever happens leaves the vault as it was; the files of the next epoch mean nothing then.
public final class RotationStart: @unchecked Sendable {
    private let store: VaultStore
    private let next: NextEpoch
    private let objectByteCount: UInt64
    private let copy: IndexCopy
    private let salt: [UInt8]
    private var isOver = false

    /// Pages that are left to the commit itself: few enough that nobody notices.
    private static let lastPageCount = 256
    /// Pages of one step: about 5 ms.
    private static let stepPageCount = 500

    /// - Throws: `VaultError.rotationRuns`, `.noRoom`, `.keysChanged`, `.readOnly`, `.saveFailed`.
    public init(_ store: VaultStore, _ next: NextEpoch, _ plan: RotationPlan) throws(VaultError) {
        guard store.layer.previous == nil else { throw VaultError(.rotationRuns) }
        guard !store.isReadOnly else { throw VaultError(.readOnly) }
        guard next.base == store.header else { throw VaultError(.keysChanged) }
        guard plan.hasRoom else { throw VaultError(.noRoom, found: plan.freeByteCount, expected: plan.neededByteCount) }
        self.store = store
        self.next = next
        objectByteCount = plan.objectByteCount
        // What an earlier try has left would be taken for a part of this one.
        try store.discardOtherEpochs()
        (copy, salt) = try VaultStore.mapErrors {
            let salt = try SecureRandom.bytes(Manifest.logSaltByteCount)
            let files = try VaultStore.storage(
                store.directory, header: next.header.content, keys: VaultKeys(next.root), logSalt: salt, creating: true)
            return (try IndexCopy(store.database, to: files) { $0.add(tokenizer: GramTokenizer.self) }, salt)
        }
    }

    deinit { if !isOver { try? store.discardOtherEpochs() } }

    /// How many pages of how many are copied.
    public private(set) var progress: (done: UInt64, total: UInt64) = (0, 1)

    /// Copies a little more; false when what is left belongs to the commit.
    public func step() throws(VaultError) -> Bool {
        let hasMore = try VaultStore.mapErrors { try copy.step(pageCount: Self.stepPageCount, leaving: Self.lastPageCount) }
        progress = (UInt64(copy.done), UInt64(max(copy.pageCount, 1)))
        return hasMore
    }

    /// Waits until what is copied is on disk: on another thread, because it may take seconds.
    public func sync() -> Bool { copy.sync() }

    /// Whether an attachment is being written: it would come in under a key that is no more.
    public var mustWait: Bool { !store.unfinished.isEmpty }

    /// Replaces the header: the one commit point. From then on nothing is sealed under the old key.
    ///
    /// - Throws: `VaultError`; then the vault is as before, or the next unlock says which epoch counts.
    public func commit() throws(VaultError) {
        guard next.base == store.header else { throw VaultError(.keysChanged) }
        try VaultStore.mapErrors { try copy.finishPages() }
        let (database, layer, manifest) = try VaultStore.mapErrors { try finishCopy() }
        let file = ManifestFile(store.directory, keys: layer.keys, header: next.header.content)
        try file.write(manifest, to: ManifestFile.nextName)
        // If this fails halfway, one copy of the header may be new: nothing of either epoch is removed then.
        isOver = true
        try store.replaceHeader(next.header)
        try store.adopt(layer, database, file, manifest)
    }

    /// The copy as an index of its own, with what makes it the next epoch's.
    private func finishCopy() throws -> (SealedDatabase, VaultLayer, Manifest) {
        try copy.close()
        let header = next.header.content
        let keys = try VaultKeys(next.root)
        let layer = try VaultLayer(keys, vaultID: header.vaultID, epoch: header.epoch, previous: store.keys)
        let wrapped = try layer.seal(store.keys.root, RotationState.place(previousEpoch: store.header.epoch))
        let files = try VaultStore.storage(store.directory, header: header, keys: keys, logSalt: salt, creating: false)
        let database = try SealedDatabase(files, syncedByteCount: 0) { $0.add(tokenizer: GramTokenizer.self) }
        let generation = try database.queue.write { connection in
            try RotationState.insert(connection, wrapped: wrapped, total: objectByteCount)
            try connection.execute(sql: "DELETE FROM keyslot")
            for slot in next.slots { try VaultStore.insert(connection, slot) }
            return try IndexState.advanceGeneration(connection)
        }
        try database.checkpoint()
        let manifest = Manifest(generation: generation, pageCount: files.pageCount, logSalt: salt, syncedByteCount: 0, isOpen: true)
        return (database, layer, manifest)
    }
}

extension VaultStore {
    /// Goes on in the next epoch. The old index is closed and removed; the header on disk does not name it any more.
    func adopt(_ next: VaultLayer, _ nextDatabase: SealedDatabase, _ file: ManifestFile, _ found: Manifest) throws(VaultError) {
        let old = database
        layer = next
        database = nextDatabase
        records = try Self.mapErrors { try RecordSealer(next, keyring: records.keyring) }
        manifestFile = file
        recordedGeneration = found.generation
        try? old.close()
        try vouch(found)
        recordPin()
        try discardOtherEpochs()
    }
}
