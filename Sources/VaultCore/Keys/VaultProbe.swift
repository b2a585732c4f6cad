// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import VaultCrypto
public import VaultFormat

/// A `VaultProbe` is a vault's directory that was looked at and found fit to ask a password for.
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
    /// Whether the owner has agreed to slots that ask for far more work than is known here.
    public var triesDearKeyslots = false
    typealias Unlocked = (header: Header, keys: VaultKeys, opened: OpenedKeyslot)
    let pins: PinStore
    private(set) var pin: Pin?
    private var copies: [HeaderFile.Copy]
    /// The vault is taken from another machine that has it open, on the owner's word.
    public var takesOver = false
    /// When a lease is written; which machine this is. Tests stand for others.
    var leasing = Leasing()
    var lease: Lease?
    private var costs: KeyslotCosts

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
        directory: VaultDirectory, pins: PinStore, acceptRollback: Bool, acceptLoss: Bool = false,
        memoryByteCount: UInt64 = Machine.memoryByteCount
    ) throws(VaultError) {
        self.directory = directory
        acceptsLoss = acceptLoss
        acceptsRollback = acceptRollback
        self.pins = pins
        let seen = try Self.acceptable(HeaderFile.read(directory), pins, at: directory.canonicalPath, acceptRollback)
        identity = seen[0].header.identity
        pin = pins.pin(of: identity)
        (copies, costs) = Self.inOrder(seen, pin, KeyslotCosts(memoryByteCount: memoryByteCount))
    }

    /// Slots that are not tried on this machine, or only on the owner's word.
    public var costlyKeyslots: [CostlyKeyslot] {
        var found: [CostlyKeyslot] = []
        for slot in copies.flatMap(\.header.keyslots) {
            if let costly = costs.obstacle(slot), !found.contains(costly) { found.append(costly) }
        }
        return found
    }

    /// Reads header and pin again, under the vault's lock: another program may have changed both since.
    func look() throws(VaultError) {
        let seen = try Self.acceptable(HeaderFile.read(directory), pins, at: directory.canonicalPath, acceptsRollback)
        (copies, costs) = Self.inOrder(seen, pin, KeyslotCosts(memoryByteCount: costs.memoryByteCount))
    }

    /// Sorts the copies: a copy with a slot that is dear comes last, else the higher epoch first, then the copy that
    /// the pin knows, then the higher counter: a header that somebody put there costs no time before ours has opened.
    private static func inOrder(
        _ copies: [HeaderFile.Copy], _ pin: Pin?, _ machine: KeyslotCosts
    ) -> ([HeaderFile.Copy], KeyslotCosts) {
        var costs = machine
        for copy in copies where copy.digest == pin?.digest { costs.know(copy.header) }
        let known = costs
        func rank(_ copy: HeaderFile.Copy) -> [UInt64] {
            [
                copy.header.keyslots.contains(where: known.isDear) ? 1 : 0, UInt64(UInt32.max - copy.header.epoch),
                copy.digest == pin?.digest ? 0 : 1, UInt64.max - copy.header.counter,
            ]
        }
        return (copies.sorted { rank($0).lexicographicallyPrecedes(rank($1)) }, known)
    }

    /// Returns the copies that are of the vault last seen here and not older than its pin.
    private static func acceptable(
        _ copies: [HeaderFile.Copy], _ pins: PinStore, at path: [UInt8], _ acceptRollback: Bool
    ) throws(VaultError) -> [HeaderFile.Copy] {
        // A whole vault put in the place of ours would be given our password and our next notes (ThreatModel A11). No
        // flag allows it: who means another vault gives it another path.
        let known = pins.vault(at: path)
        let ours = copies.filter { known == nil || $0.header.identity == known }
        guard let newest = ours.first else { throw VaultError(.otherVault) }
        // An older key is never accepted: anyone who has it may have written this vault.
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
    /// - Throws: `VaultError.wrongPassword` while no slot has opened, `.integrity` after one has, `.outOfMemory`,
    ///   `.keyslotNeedsMemory` and `.costlyKeyslot` when no slot was tried.
    func unlock(_ credential: borrowing Credential) throws(VaultError) -> Unlocked {
        var trial = KeyslotTrial(costs: costs, triesDear: triesDearKeyslots)
        var slotOpened = false
        for copy in copies {
            for slot in copy.header.keyslots {
                let clock = ContinuousClock()
                let begin = clock.now
                guard let root = try trial.open(slot, credential, copy.header) else { continue }
                let opened = OpenedKeyslot(slotID: slot.slotID, duration: begin.duration(to: clock.now))
                guard let keys = try? VaultKeys(root), let header = newestHeader(like: copy, keys) else {
                    slotOpened = true
                    break
                }
                // A header of before may have a slot that was removed since. It is as if there were none.
                guard header.keyslots.contains(slot), !isOfThePast(header) else { continue }
                return unlocked(header, keys, opened)
            }
        }
        throw slotOpened ? VaultError(.integrity) : trial.failure
    }

    /// Takes a known header, whose keys are known too.
    ///
    /// - Throws: `VaultError.integrity` when another one is there, or they do not vouch for it.
    func unlock(
        _ keys: VaultKeys, headerDigest: [UInt8], _ opened: OpenedKeyslot
    ) throws(VaultError) -> Unlocked {
        for copy in copies where copy.digest == headerDigest {
            guard let header = newestHeader(like: copy, keys), !isOfThePast(header) else { continue }
            guard try HeaderFile.digest(header) == headerDigest else { continue }
            return unlocked(header, keys, opened)
        }
        throw VaultError(.integrity)
    }

    private func unlocked(_ header: Header, _ keys: VaultKeys, _ opened: OpenedKeyslot) -> Unlocked {
        // The copy that opened says which vault this is; the other one's ID may be what was damaged.
        identity = header.identity
        pin = pins.pin(of: identity)
        return (header, keys, opened)
    }

    /// Returns the newest copy of this vault and epoch that the key vouches for: so a change that reached one copy is
    /// not taken back by the other. Of two with one counter it is the one that the sealed state knows.
    private func newestHeader(like opened: HeaderFile.Copy, _ keys: VaultKeys) -> Header? {
        guard (try? Header.verify(opened.header, keys: keys)) != nil else { return nil }
        let ours = copies.filter {
            $0.header.identity == opened.header.identity && $0.header.epoch == opened.header.epoch
        }
        .compactMap { try? Header.verify($0.header, keys: keys) }
        guard let newest = ours.max(by: { $0.counter < $1.counter }) else { return nil }
        let equals = ours.filter { $0.counter == newest.counter }
        guard equals.count > 1, let manifest = try? ManifestFile(directory, keys: keys, header: newest).read() else {
            return newest
        }
        return equals.first { (try? HeaderFile.digest($0)) == manifest.headerDigest } ?? newest
    }

    /// Returns whether the other copy is of a later key, whose index is there; then this one was left behind by a
    /// crash, or put there by somebody, and nothing is taken back for it. A damaged copy of this header still has slots
    /// of it.
    private func isOfThePast(_ header: Header) -> Bool {
        guard !acceptsRollback else { return false }
        let slots = Set(header.keyslots.map(\.slotID))
        return copies.contains { copy in
            copy.header.epoch > header.epoch && copy.header.identity == header.identity
                && slots.isDisjoint(with: copy.header.keyslots.map(\.slotID))
                && directory.identity(IndexFile.name(epoch: copy.header.epoch)) != nil
        }
    }
}

/// An `OpenedKeyslot` is the slot that opened a vault, and how long the one try took; nil where none was needed.
struct OpenedKeyslot {
    let slotID: [UInt8]
    let duration: Duration?
}
