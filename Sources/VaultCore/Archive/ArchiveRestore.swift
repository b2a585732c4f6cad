// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

public import SecretMemory
public import VaultCrypto
public import VaultFormat

/// A `RestoredVault` says what was restored.
public struct RestoredVault: Sendable {
    public var notes = 0
    public var counts = ArchiveCounts()
    /// This account has seen the vault before: from the first unlock on the restored one counts, and an older copy is
    /// refused.
    public var takesThePlaceOfOlder = false
    /// The vault has a new key, so an earlier recovery key opens it only if it was given.
    public var hasNewKey = false
    /// It has an identity of its own, so that it and the vault that this account knows are used side by side.
    public var isCopy = false
    /// Of a backup: which snapshot it was made of, and when that was made.
    public var snapshot: (name: String, made: Int64)?
    /// Newer snapshots that do not open.
    public var passedOver: [SnapshotName] = []
    /// What the snapshot lacks, and the vault with it.
    public var damage = SnapshotDamage()
}

/// A `RestoredIdentity` says which vault a restored one is.
public enum RestoredIdentity: UInt8, Sendable {
    /// A copy where this account knows the vault, else the vault.
    case automatic = 0
    /// A copy: nothing of the vault that is known here changes.
    case copy
    /// The vault itself: it replaces the one known here.
    case original

    func isCopy(ofKnown isKnown: Bool) -> Bool { self == .copy || self == .automatic && isKnown }
}

extension CopyID {
    /// Makes a random identifier.
    ///
    /// - Throws: `VaultError.libraryFailed`.
    static func random() throws(VaultError) -> CopyID {
        guard let bytes = try? SecureRandom.bytes(byteCount), let made = try? CopyID(bytes) else {
            throw VaultError(.libraryFailed)
        }
        return made
    }
}

/// A `NewOwner` is what opens a vault that is made of items. A recovery key that opened the archive still opens the
/// vault.
public struct NewOwner: ~Copyable {
    let password: SecretBytes
    /// What the password needs beside it.
    private(set) var keyFile: SecretBytes?
    let recoveryKey: SecretBytes?
    let cost: Argon2Cost
    let targetMilliseconds: UInt32

    public init(
        password: consuming SecretBytes, recoveryKey: consuming SecretBytes?, cost: Argon2Cost,
        targetMilliseconds: UInt32
    ) {
        self.password = password
        self.recoveryKey = recoveryKey
        self.cost = cost
        self.targetMilliseconds = targetMilliseconds
    }

    /// Takes over the password of a credential, and a recovery key that opened the archive.
    ///
    /// - Parameters:
    ///   - credential: its password opens the new vault.
    ///   - recovery: what opened the archive; if it is a recovery key, it opens the new vault too.
    /// - Throws: `VaultError.noPassword`.
    public init(
        _ credential: borrowing Credential, recovery: borrowing Credential, cost: Argon2Cost, targetMilliseconds: UInt32
    ) throws(VaultError) {
        guard let password = credential.password() else { throw VaultError(.noPassword) }
        self.init(
            password: password, recoveryKey: recovery.recoveryKey(), cost: cost, targetMilliseconds: targetMilliseconds)
    }

    /// Does the same, and a key file that the credential has is needed with the new vault's password too.
    ///
    /// - Throws: `VaultError.noPassword`.
    public init(
        keeping credential: borrowing Credential, recovery: borrowing Credential, cost: Argon2Cost,
        targetMilliseconds: UInt32
    ) throws(VaultError) {
        try self.init(credential, recovery: recovery, cost: cost, targetMilliseconds: targetMilliseconds)
        switch credential {
        case .passwordAndKeyFile(let factors): keyFile = factors.keyFile.duplicate()
        case .password: break
        case .recoveryKey: break
        }
    }

    private func credential() -> Credential {
        switch keyFile {
        case .none: .password(password.duplicate())
        case .some(let key): .passwordAndKeyFile(.init(password: password.duplicate(), keyFile: key.duplicate()))
        }
    }

    /// Makes the keyslots that wrap a new vault's key.
    func slots(_ root: SymmetricKey, _ header: UnverifiedHeader) throws -> [NewKeyslot] {
        let credential = credential()
        var slots = [
            NewKeyslot(
                slot: try .make(credential, cost: cost, wrapping: root, header: header), name: KeyslotName.password,
                targetMilliseconds: targetMilliseconds)
        ]
        switch recoveryKey {
        case .none: break
        case .some(let key):
            let recovery = Credential.recoveryKey(key.duplicate())
            let slot = try Keyslot.make(recovery, cost: .recommended, wrapping: root, header: header)
            slots.append(NewKeyslot(slot: slot, name: KeyslotName.recovery, targetMilliseconds: 0))
        }
        return slots
    }
}

extension PinStore {
    /// Records a copy's own pin, from the moment that the copy is there: it concerns no other vault.
    func recordCopy(_ header: Header, generation: UInt64, at canonicalPath: [UInt8]) {
        guard let digest = try? Digest.sha256(header.encoded) else { return }
        let pin = Pin(
            vaultID: header.vaultID, epoch: header.epoch, counter: header.counter, digest: digest,
            generation: generation)
        _ = record(pin, of: header.copyID, canonicalPath: canonicalPath)
    }
}

/// `ArchiveRestore` makes a vault of an archive: under another name until all of it is there, with a key that is new.
public enum ArchiveRestore {
    /// Makes a vault of an archive at a path.
    ///
    /// - Parameters:
    ///   - reader: unlocked.
    ///   - path: must not exist, or be an empty directory.
    /// - Throws: `VaultError`, and `ObjectError` for what fails where the archive is read; then nothing is left at the
    ///   path.
    public static func run(
        _ reader: ArchiveReader, to path: [UInt8], _ owner: borrowing NewOwner,
        as identity: RestoredIdentity = .automatic,
        pins: PinStore = PinStore(), goesOn: @escaping (UInt64) -> Bool = { _ in true }
    ) throws -> RestoredVault {
        try FrozenIndex.mapped { try make(reader, path, owner, identity, pins, goesOn) }
    }

    private static func make(
        _ reader: ArchiveReader, _ path: [UInt8], _ owner: borrowing NewOwner, _ identity: RestoredIdentity,
        _ pins: PinStore,
        _ goesOn: @escaping (UInt64) -> Bool
    ) throws -> RestoredVault {
        guard case .vault(let archived) = try reader.next() else { throw VaultError(.integrity) }
        // It does not say whether it is of a copy: as the vault of its ID it counts.
        let known = VaultIdentity(vaultID: archived.vaultID)
        let isCopy = identity.isCopy(ofKnown: pins.pin(of: known) != nil)
        let vault = try VaultOfItems(archived, at: path, owner, pins, of: known, isCopy: isCopy, goesOn: goesOn)
        while true {
            let item = try reader.next()
            if case .end = item { return try vault.finish() }
            try vault.take(item)
            guard case .attachment(let attachment) = item else { continue }
            try unsafe reader.content(attachment.byteCount) { piece in try unsafe vault.take(piece) }
        }
    }
}

/// `VaultOfItems` makes a vault of an archive's items, wherever they come from.
final class VaultOfItems: ArchiveSink {
    private let folder: NewVaultFolder
    private let pins: PinStore
    private let pin: Pin?
    private let isCopy: Bool
    private let generation: UInt64
    private let header: Header
    private let keys: VaultKeys
    private let content: RestoredContent
    private let goesOn: (UInt64) -> Bool
    private var steps: UInt64 = 0
    private let hasNewKey: Bool

    /// Begins a vault that keeps the snapshot's own keys and keyslots: for a snapshot whose records open and whose
    /// index as a whole does not.
    ///
    /// - Parameter isOfSalvage: what is lost is known, and notes may name it.
    init(
        _ snapshot: SnapshotReader, _ index: FrozenIndex, at path: [UInt8], _ pins: PinStore, isCopy: Bool,
        isOfSalvage: Bool, goesOn: @escaping (UInt64) -> Bool
    ) throws {
        self.goesOn = goesOn
        self.pins = pins
        self.isCopy = isCopy
        hasNewKey = false
        folder = try NewVaultFolder(path)
        let pin = pins.pin(of: snapshot.header.identity)
        self.pin = pin
        var content = snapshot.header.content
        let (counter, isOver) = max(pin?.counter ?? 0, content.counter).addingReportingOverflow(1)
        let (generation, generationIsOver) = max(pin?.generation ?? 0, index.state.generation)
            .addingReportingOverflow(1)
        guard !isOver, !generationIsOver else { throw VaultError(.integrity) }
        self.generation = generation
        content.counter = counter
        if isCopy { content.copyID = try .random() }
        keys = snapshot.keys
        header = try Header.make(content, keys: keys)
        self.content = try RestoredContent(
            index.archived(made: snapshot.made), header, keys, [], in: folder.directory, isOfSalvage: isOfSalvage)
        try self.content.keepNames(of: index)
    }

    /// Begins a vault with a new key, which `owner` opens.
    ///
    /// - Parameters:
    ///   - identity: which vault, or copy of one, it is, or with `isCopy` a copy of.
    ///   - goesOn: asked now and then; where the items come from asks too.
    init(
        _ archived: ArchivedVault, at path: [UInt8], _ owner: borrowing NewOwner, _ pins: PinStore,
        of identity: VaultIdentity, isCopy: Bool, isOfSalvage: Bool = false,
        goesOn: @escaping (UInt64) -> Bool = { _ in true }
    ) throws {
        self.goesOn = goesOn
        hasNewKey = true
        folder = try NewVaultFolder(path)
        self.pins = pins
        let pin = pins.pin(of: identity)
        let leastEpoch = pins.leastEpoch(of: identity)
        self.pin = pin
        // Just newer than what this account has seen of the vault: an older copy must not pass for it. What an archive
        // says of epoch and counters counts only where nothing is known, else a made-up one could shut the real vault
        // out for good.
        let (counter, isOver) = (pin?.counter ?? archived.counter).addingReportingOverflow(1)
        let (generation, generationIsOver) = (pin?.generation ?? archived.generation).addingReportingOverflow(1)
        guard !isOver, !generationIsOver else { throw VaultError(.integrity) }
        self.generation = generation
        var content = UnverifiedHeader(
            vaultID: archived.vaultID, epoch: leastEpoch > 0 ? leastEpoch : archived.epoch, counter: counter,
            keyslots: [])
        content.copyID = isCopy ? try .random() : identity.copyID
        self.isCopy = isCopy
        let root = try SymmetricKey(random: ())
        let slots = try owner.slots(root, content)
        content.keyslots = slots.map(\.slot)
        keys = try VaultKeys(root)
        header = try Header.make(content, keys: keys)
        self.content = try RestoredContent(
            archived, header, keys, slots, in: folder.directory, isOfSalvage: isOfSalvage)
    }

    func take(_ item: ArchiveItem) throws {
        try step()
        switch item {
        case .attachment(let attachment): try content.begin(attachment)
        // It said already what it is of, and it ends with `finish`.
        case .vault, .end: break
        case .entry, .noteKeyslot, .revision, .draft, .change: try content.take(item)
        }
    }

    func take(_ piece: UnsafeRawBufferPointer) throws {
        try step()
        try unsafe content.append(piece)
    }

    /// Gives up the attachment that was begun and whose content does not come to its end.
    func abandonAttachment() { content.abandon() }

    /// Adds an attachment of a private note whose file is lost.
    func addLost(_ record: AttachmentRecord) throws { try content.addLost(record) }

    private func step() throws {
        steps += 1
        guard steps % 256 != 0 || goesOn(steps) else { throw VaultError(.cancelled) }
    }

    /// Makes lists and search words, waits for the disk, and gives the vault its name.
    func finish() throws -> RestoredVault {
        let manifest = try content.finish(generation: generation, goesOn: goesOn)
        try HeaderFile.write(header, to: folder.directory)
        try ManifestFile(folder.directory, keys: keys, header: header).write(manifest.naming(header))
        guard folder.directory.syncDisk() else { throw VaultDirectory.failure() }
        if !isCopy { pins.disown(header.identity) }
        let path = try folder.publish().canonicalPath
        guard !isCopy else {
            pins.recordCopy(header, generation: generation, at: path)
            return RestoredVault(notes: content.noteCount, counts: content.counts, hasNewKey: hasNewKey, isCopy: true)
        }
        // The vault's pin stays as it is until somebody unlocks this one: a trial does not shut another copy out.
        pins.move(header.identity, to: path)
        return RestoredVault(
            notes: content.noteCount, counts: content.counts, takesThePlaceOfOlder: pin != nil, hasNewKey: hasNewKey)
    }
}
