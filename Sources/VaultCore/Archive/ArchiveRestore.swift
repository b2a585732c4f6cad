// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

public import SecretMemory
public import VaultCrypto
internal import VaultFormat

/// Makes a vault of an archive: under another name until all of it is there, with a key that is new.
public final class ArchiveRestore {
    /// What was restored.
    public struct Restored: Sendable {
        public var notes = 0
        public var revisions: UInt64 = 0
        public var attachments: UInt64 = 0
        public var drafts: UInt64 = 0
        /// This account has seen the vault before: from now on the restored one counts, and an older copy is refused.
        public var takesThePlaceOfOlder = false
        public init() {}
    }

    /// What opens the new vault. A recovery key that opened the archive goes on to open the vault.
    public struct Owner: ~Copyable {
        let password: SecretBytes
        let recoveryKey: SecretBytes?
        let cost: Argon2Cost
        let targetMilliseconds: UInt32

        public init(password: consuming SecretBytes, recoveryKey: consuming SecretBytes?, cost: Argon2Cost, targetMilliseconds: UInt32) {
            self.password = password
            self.recoveryKey = recoveryKey
            self.cost = cost
            self.targetMilliseconds = targetMilliseconds
        }
    }

    /// - Parameters:
    ///   - reader: unlocked.
    ///   - path: must not exist, or be an empty directory.
    /// - Throws: `VaultError`, and `ObjectError` for what fails where the archive is read; then nothing is left at the path.
    public static func run(
        _ reader: ArchiveReader, to path: [UInt8], _ owner: borrowing Owner, pins: PinStore = PinStore()
    ) throws -> Restored {
        guard case .vault(let archived) = try reader.next() else { throw VaultError(.integrity) }
        let folder = try NewVaultFolder(path)
        let pin = pins.pin(of: archived.vaultID)
        let root = try SymmetricKey(random: ())
        let (header, slots) = try header(archived, pin, root, owner)
        let keys = try VaultKeys(root)
        let content = try RestoredContent(archived, header.content, keys, slots, in: folder.directory)
        var hasMore = true
        while hasMore {
            switch try reader.next() {
            case .end: hasMore = false
            case .attachment(let attachment):
                try unsafe content.take(attachment) { sink in try unsafe reader.content(attachment.byteCount, to: sink) }
            case let item: try content.take(item)
            }
        }
        let (generation, isOver) = max(archived.generation, pin?.generation ?? 0).addingReportingOverflow(1)
        guard !isOver else { throw VaultError(.integrity) }
        let manifest = try content.finish(generation: generation)
        try HeaderFile.write(header, to: folder.directory)
        try ManifestFile(folder.directory, keys: keys, header: header.content).write(manifest)
        guard folder.directory.syncDisk() else { throw VaultDirectory.failure() }
        let made = try folder.publish()
        let digest = try HeaderFile.digest(header)
        _ = pins.record(
            Pin(
                vaultID: header.content.vaultID, epoch: header.content.epoch, counter: header.content.counter, digest: digest, generation: generation),
            canonicalPath: made.canonicalPath)
        var restored = Restored()
        restored.notes = content.noteCount
        (restored.revisions, restored.attachments, restored.drafts) = (
            content.counts.revisions, content.counts.attachments, content.counts.drafts
        )
        restored.takesThePlaceOfOlder = pin != nil
        return restored
    }

    /// A header that is newer than whatever this account has seen of the vault: an older copy must not pass for it.
    private static func header(
        _ archived: ArchivedVault, _ pin: Pin?, _ root: SymmetricKey, _ owner: borrowing Owner
    ) throws -> (Header, [NewKeyslot]) {
        let (counter, isOver) = max(archived.counter, pin?.counter ?? 0).addingReportingOverflow(1)
        guard !isOver else { throw VaultError(.integrity) }
        var content = UnverifiedHeader(
            vaultID: archived.vaultID, epoch: max(archived.epoch, pin?.epoch ?? 1), counter: counter, keyslots: [])
        let password = Credential.password(owner.password.duplicate())
        var slots = [
            NewKeyslot(
                slot: try .make(password, cost: owner.cost, wrapping: root, header: content), name: KeyslotName.password,
                targetMilliseconds: owner.targetMilliseconds)
        ]
        switch owner.recoveryKey {
        case .none: break
        case .some(let key):
            let recovery = Credential.recoveryKey(key.duplicate())
            slots.append(
                NewKeyslot(
                    slot: try .make(recovery, cost: .recommended, wrapping: root, header: content), name: KeyslotName.recovery, targetMilliseconds: 0)
            )
        }
        content.keyslots = slots.map(\.slot)
        return (try Header.make(content, keys: VaultKeys(root)), slots)
    }
}
