// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import GRDB
internal import Glibc
internal import VaultCrypto
public import VaultFormat

/// `BackupRestore` makes a vault of a snapshot, in a new directory that gets its name at the end.
public enum BackupRestore {
    /// Copies the snapshot's sealed files: the vault opens with what opened it when the snapshot was made. Then it gets
    /// an identity of its own in its header, or it is made newer than anything that this account has seen of the vault,
    /// whose place it takes (the account's pin follows at the first unlock); and everything in it is checked.
    ///
    /// A snapshot of an epoch before the one that this account knows cannot become that vault again, because anybody
    /// who has the old key could have written it; from such a one, when it was named, a vault with a new key is made,
    /// which `owner` opens.
    ///
    /// - Parameters:
    ///   - name: nil takes the newest snapshot of the latest key that opens.
    ///   - credential: one that opened the vault when the snapshot was made.
    ///   - salvaging: restores what opens of a damaged snapshot; otherwise nothing of it is. Lists, words and counters
    ///     are made again from the records in any case.
    ///   - path: must not exist, or be an empty directory.
    ///   - goesOn: told how many bytes are done; false ends the work.
    /// - Throws: `VaultError`; then nothing is left at the path.
    public static func run(
        _ folder: BackupFolder, _ name: SnapshotName?, _ credential: borrowing Credential, to path: [UInt8],
        owner: () throws -> NewOwner, as identity: RestoredIdentity = .automatic, salvaging: Bool = false,
        pins: PinStore = PinStore(), goesOn: @escaping (UInt64) -> Bool
    ) throws -> RestoredVault {
        let snapshot: SnapshotReader
        if let name {
            snapshot = try SnapshotReader(folder, name, credential)
        } else {
            snapshot = try .newest(folder, credential)
        }
        // Before anything is read that may take long.
        try NewVaultFolder.refuseExisting(path)
        let isOfOldKey = pins.leastEpoch(of: snapshot.header.identity) > snapshot.header.epoch
        guard !isOfOldKey || name != nil else { throw VaultError(.oldKey) }
        let isCopy = identity.isCopy(ofKnown: pins.pin(of: snapshot.header.identity) != nil)
        return try FrozenIndex.mapped {
            let index = try snapshot.index(salvaging: salvaging, goesOn: goesOn)
            let damage = try snapshot.damage(of: index, salvaging: salvaging, goesOn: goesOn)
            let order = Order(
                snapshot: snapshot, index: index, path: path, isCopy: isCopy, damage: damage,
                pins: pins, goesOn: goesOn)
            var restored: RestoredVault
            if isOfOldKey {
                restored = try withNewKey(order, owner())
            } else {
                restored = try withItsKey(order, credential)
            }
            restored.damage = damage
            (restored.snapshot, restored.passedOver) = ((snapshot.name.text, snapshot.made), snapshot.passedOver)
            return restored
        }
    }

    private struct Order {
        let snapshot: SnapshotReader
        let index: FrozenIndex
        let path: [UInt8]
        let isCopy: Bool
        let damage: SnapshotDamage
        var isOfSalvage: Bool { damage.isOfRecords }
        let pins: PinStore
        let goesOn: (UInt64) -> Bool
    }

    /// Makes the vault by a copy of the snapshot's files; where only lists or pages of lists are damaged, from the
    /// records.
    private static func withItsKey(_ order: Order, _ credential: borrowing Credential) throws -> RestoredVault {
        if order.damage.isEmpty {
            do { return try byCopy(order, credential) } catch let error as VaultError where error.code == .integrity {}
        }
        let vault = try VaultOfItems(
            order.snapshot, order.index, at: order.path, order.pins, isCopy: order.isCopy,
            isOfSalvage: order.isOfSalvage, goesOn: order.goesOn)
        try order.snapshot.give(order.index, isWhole: order.damage.isEmpty, to: vault)
        return try vault.finish()
    }

    private static func byCopy(_ order: Order, _ credential: borrowing Credential) throws -> RestoredVault {
        let (snapshot, pins, isCopy) = (order.snapshot, order.pins, order.isCopy)
        let pin = pins.pin(of: snapshot.header.identity)
        let vault = try NewVaultFolder(order.path)
        try copy(snapshot, to: vault.directory, order.goesOn)
        guard vault.directory.syncDisk() else { throw VaultDirectory.failure() }
        let proven = try proven(vault.directory, credential, isCopy: isCopy, pins, order.goesOn)
        if !isCopy { pins.disown(snapshot.header.identity) }
        let place = try vault.publish().canonicalPath
        if isCopy {
            pins.recordCopy(proven.header, generation: proven.generation, at: place)
        } else {
            // Whatever was here before: the owner has said that it is this vault now.
            pins.move(snapshot.header.identity, to: place)
        }
        return RestoredVault(
            notes: proven.notes, counts: snapshot.list.counts, takesThePlaceOfOlder: !isCopy && pin != nil,
            isCopy: isCopy)
    }

    /// Opens what was copied, gives it its identity or raises its counters, and reads all of it back: only then it gets
    /// its name.
    private static func proven(
        _ directory: VaultDirectory, _ credential: borrowing Credential, isCopy: Bool, _ pins: PinStore,
        _ goesOn: (UInt64) -> Bool
    ) throws -> (notes: Int, header: Header, generation: UInt64) {
        // A copy is no older state of what is known here, so it is compared with nothing.
        let probe = try VaultProbe(
            directory: directory, pins: isCopy ? .none : pins.readingOnly, acceptRollback: !isCopy)
        // As when the snapshot was opened, with the same slots.
        probe.triesDearKeyslots = true
        let store = try OpenVault(probe, credential)
        if isCopy {
            // Slots and content are bound to the vault's ID, which stays; the MAC alone holds this one. So it opens
            // with all that opened the snapshot.
            let copyID = try CopyID.random()
            try store.changeHeader { $0.copyID = copyID }
        }
        // Another program's folder of an edit that ran then is none of this vault's.
        try store.write { try $0.database.execute(sql: "UPDATE draft SET folder = ''") }
        let check = VaultCheck(store)
        var steps: UInt64 = 0
        while try check.step() {
            steps += 1
            guard goesOn(steps) else { throw VaultError(.cancelled) }
        }
        // What can be made of the records is made again: that a list was wrong is no reason to have no vault.
        guard check.report.problems.allSatisfy(\.kind.isMendedByRebuilding) else { throw VaultError(.integrity) }
        if !check.report.problems.isEmpty { _ = try store.checks.rebuildIndex() }
        let counts = try store.notes.counts()
        let header = store.header
        try store.close()
        return (NotePlace.allCases.reduce(0) { $0 + counts.notes[$1] }, header, counts.generation)
    }

    private static func withNewKey(_ order: Order, _ owner: borrowing NewOwner) throws -> RestoredVault {
        let vault = try VaultOfItems(
            order.index.archived(made: order.snapshot.made), at: order.path, owner, order.pins,
            of: order.snapshot.header.identity, isCopy: order.isCopy, isOfSalvage: order.isOfSalvage,
            goesOn: order.goesOn)
        try order.snapshot.give(order.index, isWhole: order.damage.isEmpty, to: vault)
        return try vault.finish()
    }

    private static func copy(_ snapshot: SnapshotReader, to directory: VaultDirectory, _ goesOn: (UInt64) -> Bool)
        throws
    {
        let name = IndexFile.name(epoch: snapshot.header.epoch)
        let index = directory.open(name, O_WRONLY | O_CREAT | O_EXCL)
        guard index >= 0 else { throw VaultDirectory.failure() }
        defer { close(index) }
        try snapshot.writeIndex(to: index, goesOn: goesOn)
        try directory.put(name + "-wal", [])
        var done = snapshot.list.indexByteCount
        let objects = ObjectFolder(snapshot.folder.directory)
        for object in snapshot.list.objects {
            guard let file = try objects.open(object.name) else { throw VaultError(.integrity) }
            defer { close(file) }
            try directory.folder(ObjectFolder.name).folder(object.name.folder)
                .copy(object.name.hex, from: file, byteCount: object.byteCount) { copied throws(VaultError) in
                    done += UInt64(copied)
                    guard goesOn(done) else { throw VaultError(.cancelled) }
                }
        }
        for draft in snapshot.list.drafts {
            let bytes = try snapshot.folder.piece(draft.digest, byteCountMax: ArchivedDraft.journalByteCountMax)
            try directory.folder("drafts").put(draft.id.hex, bytes)
        }
        for header in HeaderFile.names { try directory.replace(header, with: snapshot.header.encoded) }
        for name in ManifestFile.names { try directory.replace(name, with: snapshot.list.manifest) }
    }
}
