// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import CSystemShims
internal import Glibc
internal import VaultCrypto
public import VaultFormat

/// A `SnapshotReader` is a snapshot that is unlocked: what it says that it holds, and the way to read it without
/// restoring it.
public final class SnapshotReader: Sendable {
    let folder: BackupFolder
    let header: Header
    let keys: VaultKeys
    public let list: SnapshotList

    /// Bytes of everything that it names.
    public var byteCount: UInt64 { list.objects.reduce(list.indexByteCount) { $0 &+ $1.byteCount } }

    /// `Access` opens the snapshots of an open vault, on any thread.
    public struct Access: Sendable {
        fileprivate let header: Header
        fileprivate let keys: VaultKeys
    }

    public let name: SnapshotName
    /// Newer ones than this, when the newest was asked for, that do not open.
    public let passedOver: [SnapshotName]
    /// Milliseconds since 1970, UTC.
    public var made: Int64 { list.made }

    /// Opens a snapshot with the keys of the open vault.
    ///
    /// - Throws: `VaultError.noSnapshot`, `.oldKey` for a snapshot from before a rotation, `.otherVault`, `.integrity`,
    ///   `.backupBusy`.
    public init(
        _ folder: BackupFolder, _ name: SnapshotName, _ access: Access, passedOver: [SnapshotName] = []
    ) throws(VaultError) {
        self.passedOver = passedOver
        try folder.lock(forWriting: false)
        let (file, found) = try folder.file(name)
        guard found.identity == access.header.identity else { throw VaultError(.otherVault) }
        guard found.epoch == access.header.epoch else {
            throw VaultError(found.epoch < access.header.epoch ? .oldKey : .integrity)
        }
        let verified = try Header.verify(found, keys: access.keys)
        (self.folder, header, self.name, keys) = (folder, verified, name, access.keys)
        list = try Self.list(file, verified, keys, name)
    }

    /// Opens the newest snapshot that opens with the keys of the open vault. Snapshots under an earlier key are
    /// ignored; newer files that do not open are named in `passedOver`.
    public convenience init(newestIn folder: BackupFolder, _ access: Access) throws(VaultError) {
        var failure = VaultError(.noSnapshot)
        var passedOver: [SnapshotName] = []
        for name in try folder.names().reversed() {
            do throws(VaultError) {
                try self.init(folder, name, access, passedOver: passedOver)
                return
            } catch {
                if failure.code == .noSnapshot { failure = error }
                if error.code != .oldKey, error.code != .otherVault { passedOver.append(name) }
            }
        }
        throw failure
    }

    /// Opens the list of a snapshot and compares it with the name, which counts for nothing that the list does not say.
    private static func list(
        _ file: SnapshotFile, _ header: Header, _ keys: VaultKeys, _ name: SnapshotName
    ) throws(VaultError) -> SnapshotList {
        let list = try Snapshot.list(file, header, keys)
        guard SnapshotName(made: SnapshotStamp.text(list.made), id: file.id) == name else {
            throw VaultError(.integrity)
        }
        return list
    }

    /// Opens a snapshot with a credential of the time when it was made.
    ///
    /// - Throws: `VaultError.noSnapshot`, `.wrongPassword` while no slot has opened, `.keyslotNeedsMemory` and
    ///   `.outOfMemory` when this machine cannot try the slots, `.integrity` after one has opened.
    public convenience init(
        _ folder: BackupFolder, _ name: SnapshotName, _ credential: borrowing Credential,
        passedOver: [SnapshotName] = []
    ) throws(VaultError) {
        try self.init(folder, name, credential, costs: KeyslotCosts(), passedOver: passedOver)
    }

    init(
        _ folder: BackupFolder, _ name: SnapshotName, _ credential: borrowing Credential, costs: KeyslotCosts,
        passedOver: [SnapshotName] = []
    ) throws(VaultError) {
        self.passedOver = passedOver
        try folder.lock(forWriting: false)
        let (file, found) = try folder.file(name)
        (self.folder, self.name) = (folder, name)
        // As an archive's: the owner has named it, so nothing is too dear, but a slot may be too large for this
        // machine.
        var trial = KeyslotTrial(costs: costs, triesDear: true)
        for slot in found.keyslots {
            guard let root = try trial.open(slot, credential, found) else { continue }
            guard let keys = try? VaultKeys(root), let verified = try? Header.verify(found, keys: keys) else {
                throw VaultError(.integrity)
            }
            (header, self.keys) = (verified, keys)
            list = try Self.list(file, verified, keys, name)
            return
        }
        throw trial.failure
    }

    /// Opens the newest snapshot of the latest key that a credential opens. Somebody who has an old key could have made
    /// a later snapshot of that key: such a one is taken only by its name.
    ///
    /// - Throws: `VaultError.noSnapshot`; what the newest says when none opens.
    static func newest(_ folder: BackupFolder, _ credential: borrowing Credential) throws(VaultError) -> SnapshotReader
    {
        var known: [(name: SnapshotName, epoch: UInt32)] = []
        var unreadable: [SnapshotName] = []
        for name in try folder.names() {
            if let (_, header) = try? folder.file(name) {
                known.append((name, header.epoch))
            } else {
                unreadable.append(name)
            }
        }
        var failure = VaultError(.noSnapshot)
        // Each try costs a derivation, and what a header says of its epoch counts only once it has opened.
        for (name, _) in known.sorted(by: { ($0.epoch, $0.name.text) > ($1.epoch, $1.name.text) }).prefix(tryCountMax) {
            let passedOver = unreadable.filter { $0 > name }.sorted(by: >)
            do throws(VaultError) {
                return try SnapshotReader(folder, name, credential, passedOver: passedOver)
            } catch {
                if failure.code == .noSnapshot { failure = error }
                unreadable.append(name)
            }
        }
        throw failure
    }
    private static let tryCountMax = 8
}

/// Backups are made of an index that is held still (`OpenVault.freeze`), and opened with the keys of the vault.
public struct Backups {
    let vault: OpenVault

    /// What opens this vault's snapshots.
    public var access: SnapshotReader.Access { SnapshotReader.Access(header: vault.header, keys: vault.keys) }
}
