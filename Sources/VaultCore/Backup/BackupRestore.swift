// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import Glibc
internal import VaultCrypto
public import VaultFormat

/// Makes a vault of a snapshot, in a new directory that gets its name at the end.
public enum BackupRestore {
    /// Copies the snapshot's sealed files: the vault opens with what opened it when the snapshot was made. Then it is made newer than anything that this
    /// account has seen of the vault; the account's pin follows at the first unlock.
    ///
    /// A snapshot of an epoch before the one that this account knows cannot become that vault again, because whoever has the old key could have written
    /// it; from such a one a vault with a new key is made, which `owner` opens.
    ///
    /// - Parameters:
    ///   - credential: of the time when the snapshot was made.
    ///   - path: must not exist, or be an empty directory.
    ///   - goesOn: told how many bytes are done; false ends the work.
    /// - Throws: `VaultError`; then nothing is left at the path.
    public static func run(
        _ folder: BackupFolder, _ name: SnapshotName, _ credential: borrowing Credential, to path: [UInt8],
        owner: () throws -> NewOwner, pins: PinStore = PinStore(), goesOn: @escaping (UInt64) -> Bool
    ) throws -> RestoredVault {
        let snapshot = try SnapshotReader(folder, name, credential)
        let pin = pins.pin(of: snapshot.header.vaultID)
        if let pin, pin.epoch > snapshot.header.epoch { return try withNewKey(snapshot, to: path, owner(), pins, goesOn) }
        let vault = try NewVaultFolder(path)
        try copy(snapshot, to: vault.directory, goesOn)
        guard vault.directory.syncDisk() else { throw VaultDirectory.failure() }
        let made = try vault.publish()
        // Whatever was here before: the owner has said that it is this vault now.
        pins.move(snapshot.header.vaultID, to: made.canonicalPath)
        let store = try VaultStore(VaultProbe(path: path, pins: pins.readingOnly, acceptRollback: true), credential)
        let counts = try store.counts()
        try store.close()
        let notes = NotePlace.allCases.reduce(0) { $0 + counts.notes[$1] }
        return RestoredVault(notes: notes, counts: snapshot.list.counts, takesThePlaceOfOlder: pin != nil)
    }

    private static func withNewKey(
        _ snapshot: SnapshotReader, to path: [UInt8], _ owner: borrowing NewOwner, _ pins: PinStore, _ goesOn: @escaping (UInt64) -> Bool
    ) throws -> RestoredVault {
        let index = try snapshot.index(goesOn: goesOn)
        let vault = try VaultOfItems(index.archived(made: snapshot.list.made), at: path, owner, pins)
        try ArchiveSource(index, to: vault, drafts: snapshot.draftFiles()).run(made: snapshot.list.made)
        return try vault.finish()
    }

    private static func copy(_ snapshot: SnapshotReader, to directory: VaultDirectory, _ goesOn: (UInt64) -> Bool) throws {
        let name = VaultStore.indexName(epoch: snapshot.header.epoch)
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
            try directory.folder(ObjectFolder.name).folder(object.name.folder).copy(object.name.hex, from: file, byteCount: object.byteCount)
            done += object.byteCount
            guard goesOn(done) else { throw VaultError(.cancelled) }
        }
        for draft in snapshot.list.drafts {
            let bytes = try snapshot.folder.piece(draft.digest, byteCountMax: ArchivedDraft.journalByteCountMax)
            try directory.folder("drafts").put(draft.id.hex, bytes)
        }
        for header in HeaderFile.names { try directory.replace(header, with: snapshot.header.encoded) }
        try directory.replace(ManifestFile.name, with: snapshot.list.manifest)
    }
}
