// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import VaultCrypto
public import VaultFormat

/// A vault's directory that was looked at and found fit to ask a password for.
public final class VaultProbe {
    public let directory: VaultDirectory
    /// Which vault it is, or which copy of one; nobody has vouched for it before it is unlocked.
    public private(set) var identity: VaultIdentity
    public var vaultID: VaultID { identity.vaultID }
    /// The older state was accepted on the owner's word.
    public let acceptsRollback: Bool
    /// A vault without a manifest, or with a damaged log, is opened as far as it is whole, on the owner's word.
    public let acceptsLoss: Bool
    /// Whether this account has seen the vault before; if not, only its owner can tell an old copy from the newest.
    public var isKnownHere: Bool { pin != nil }
    let pins: PinStore
    private(set) var pin: Pin?
    private var copies: [HeaderFile.Copy]

    /// Checks owner and permissions, header, costs and pin; no secret is needed.
    ///
    /// - Throws: `VaultError` with `.noVault`, `.notOurs`, `.newerFormat`, `.integrity`, `.costOutOfRange`,
    ///   `.otherVault`, `.rollback`.
    public convenience init(
        path: [UInt8], pins: PinStore = PinStore(), acceptRollback: Bool = false, acceptLoss: Bool = false
    ) throws(VaultError) {
        try self.init(
            directory: try VaultDirectory(path: path), pins: pins, acceptRollback: acceptRollback,
            acceptLoss: acceptLoss)
    }

    init(
        directory: VaultDirectory, pins: PinStore, acceptRollback: Bool, acceptLoss: Bool = false
    ) throws(VaultError) {
        self.directory = directory
        acceptsLoss = acceptLoss
        acceptsRollback = acceptRollback
        self.pins = pins
        let seen = try Self.acceptable(HeaderFile.read(directory), pins, at: directory.canonicalPath, acceptRollback)
        identity = seen[0].header.identity
        pin = pins.pin(of: identity)
        copies = seen
    }

    /// Reads header and pin again, under the vault's lock: another program may have changed both since.
    func look() throws(VaultError) {
        copies = try Self.acceptable(HeaderFile.read(directory), pins, at: directory.canonicalPath, acceptsRollback)
    }

    /// The copies that are of the vault last seen here and not older than its pin.
    private static func acceptable(
        _ copies: [HeaderFile.Copy], _ pins: PinStore, at path: [UInt8], _ acceptRollback: Bool
    ) throws(VaultError) -> [HeaderFile.Copy] {
        // A whole vault put in the place of ours would be given our password and our next notes (ThreatModel A11). No
        // flag allows it: who means another vault gives it another path.
        let known = pins.vault(at: path)
        let ours = copies.filter { known == nil || $0.header.identity == known }
        guard let newest = ours.first else { throw VaultError(.otherVault) }
        // An older key is never accepted: whoever has it may have written this vault.
        let usable = ours.filter { $0.header.epoch >= pins.leastEpoch(of: $0.header.identity) }
        let current = usable.filter { copy in pins.pin(of: copy.header.identity).map { isCurrent(copy, $0) } ?? true }
        if !current.isEmpty { return current }
        let pin = pins.pin(of: newest.header.identity)
        guard acceptRollback, !usable.isEmpty else {
            throw VaultError(.rollback, found: newest.header.counter, expected: pin?.counter)
        }
        return usable
    }

    private static func isCurrent(_ copy: HeaderFile.Copy, _ pin: Pin) -> Bool {
        guard copy.header.epoch >= pin.epoch else { return false }
        return copy.header.counter > pin.counter || (copy.header.counter == pin.counter && copy.digest == pin.digest)
    }

    /// Tries a credential on the slots of its kind.
    ///
    /// - Returns: the verified header, its keys, and which slot opened in what time.
    /// - Throws: `VaultError.wrongPassword` while no slot has opened, `.integrity` after one has, `.outOfMemory`.
    func unlock(_ credential: borrowing Credential) throws(VaultError) -> (
        header: Header, keys: VaultKeys, opened: OpenedKeyslot
    ) {
        var slotOpened = false
        for copy in copies {
            for slot in copy.header.keyslots {
                let clock = ContinuousClock()
                let begin = clock.now
                guard let root = try slot.open(credential, copy.header) else { continue }
                let opened = OpenedKeyslot(slotID: slot.slotID, duration: begin.duration(to: clock.now))
                slotOpened = true
                guard let keys = try? VaultKeys(root), let header = try? Header.verify(copy.header, keys: keys) else {
                    break
                }
                // The copy that opened says which vault this is; the other one's ID may be what was damaged.
                identity = copy.header.identity
                pin = pins.pin(of: identity)
                return (header, keys, opened)
            }
        }
        throw VaultError(slotOpened ? .integrity : .wrongPassword)
    }
}

/// The slot that opened a vault, and how long the one try took.
struct OpenedKeyslot {
    let slotID: [UInt8]
    let duration: Duration
}
