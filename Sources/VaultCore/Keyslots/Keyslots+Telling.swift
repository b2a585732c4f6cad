// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import GRDB
internal import VaultCrypto
internal import VaultFormat

/// This extension keeps the header and what devices say of keyslots the same. A header is one device's; what counts
/// everywhere is the set of what was said. Spec: docs/format.md §10.
extension Keyslots {
    /// Whether the header keeps passwords that no longer count, since those that count need more memory than this
    /// machine has.
    public var keepsUnfitKeys: Bool {
        guard let told = try? told(), !told.isEmpty else { return false }
        return !told.fitHere(told.inForce.map(\.slot), vault.header)
    }

    /// Whether something was changed here, or said by others, that is not in both places.
    public var isUnsettled: Bool {
        let header = vault.header
        let read = try? vault.read { index in
            (
                told: try index.toldKeyslots(epoch: header.epoch),
                agreed: try AgreedKeyslots.fetch(epoch: header.epoch, index.database)
            )
        }
        guard let (told, agreed) = read else { return true }
        let present = header.keyslots.map(\.slotID)
        return !present.allSatisfy(told.isAdded) || told.wanted(with: header) != nil
            || (agreed ?? []).contains { !present.contains($0) && !told.isRemoved($0) }
    }

    /// Says what this device has changed of its keyslots, and then takes over what others have said.
    ///
    /// What was changed here is told apart from what others have said, and is not in the header yet, by the slots that
    /// the header had when both were the same.
    ///
    /// - Returns: whether the header was changed.
    /// - Throws: `VaultError.readOnly`, `.saveFailed`, `.keysUncertain`.
    public func settle() throws(VaultError) -> Bool {
        // Slots of an epoch that is still being begun are told when it has begun.
        guard !vault.isRotating, !vault.isPreparingRotation else { return false }
        let header = vault.header
        let (told, agreed) = try vault.read { index in
            (
                try index.toldKeyslots(epoch: header.epoch),
                try AgreedKeyslots.fetch(epoch: header.epoch, index.database)
            )
        }
        let present = header.keyslots.map(\.slotID)
        let new = header.keyslots.filter { !told.isAdded($0.slotID) }
        let gone = (agreed ?? []).filter { !present.contains($0) && !told.isRemoved($0) }
        if !new.isEmpty || !gone.isEmpty {
            try vault.write { try $0.tell(added: new, removed: gone, of: header.epoch, told.heads) }
        } else if told.wanted(with: header) == nil {
            try name(told)
            if agreed.map(Set.init) != Set(present) {
                try vault.write { try AgreedKeyslots.save(present, epoch: header.epoch, $0.database) }
            }
            return false
        }
        return try takeOver(header)
    }

    /// Gives the header a counter above another device's.
    ///
    /// - Returns: whether it was changed: not for a counter that no header reaches by password changes.
    /// - Throws: `VaultError.readOnly`, `.saveFailed`, `.keysUncertain`.
    public func raiseCounter(above counter: UInt64) throws(VaultError) -> Bool {
        guard counter >= vault.header.counter, counter < 1 << 40, !vault.isRotating, !vault.isPreparingRotation else {
            return false
        }
        try vault.changeHeader { $0.counter = max($0.counter, counter + 1) }
        return true
    }

    /// Writes down which slots the header has and will have, before it is changed: what is missing in it from then on
    /// was taken away here. Where nobody was told of any slot, nobody has to be told that one is gone.
    func rememberSlots(with new: NewKeyslot?) throws(VaultError) {
        let (names, told) = (try vault.remotes.names(), try told())
        guard !names.isEmpty || !told.isEmpty else { return }
        let slots = vault.header.keyslots.map(\.slotID) + (new.map { [$0.slotID] } ?? [])
        let epoch = vault.header.epoch
        try vault.write { try AgreedKeyslots.add(slots, epoch: epoch, $0.database) }
    }

    /// Returns what was said of the keyslots of this epoch.
    ///
    /// - Throws: `VaultError.integrity`.
    func told() throws(VaultError) -> ToldKeyslots {
        let epoch = vault.header.epoch
        return try vault.read { try $0.toldKeyslots(epoch: epoch) }
    }

    /// Puts the slots that count into the header. What was just said here is among them.
    private func takeOver(_ header: Header) throws(VaultError) -> Bool {
        let told = try told()
        let wanted = told.wanted(with: header)
        if let wanted {
            let names = told.inForce.filter { slot in wanted.contains(slot.slot) && !header.keyslots.contains(slot.slot)
            }
            try vault.write { transaction in
                for slot in names {
                    try NewKeyslot(slot: slot.slot, name: slot.name, targetMilliseconds: slot.target)
                        .insert(transaction.database)
                }
            }
            try vault.changeHeader { $0.keyslots = wanted }
            try? forgetNames(vault.header)
        }
        let present = vault.header.keyslots.map(\.slotID)
        try vault.write { try AgreedKeyslots.save(present, epoch: header.epoch, $0.database) }
        try name(told)
        return wanted != nil
    }

    /// Writes down what slots are called that came with a whole header: of a clone, or of a key that was taken over.
    private func name(_ told: ToldKeyslots) throws(VaultError) {
        let unnamed = try all().filter { $0.name.isEmpty }.map(\.slotID)
        let named = told.inForce.filter { unnamed.contains($0.slot.slotID) && !$0.name.isEmpty }
        guard !named.isEmpty else { return }
        try vault.write { transaction in
            for slot in named {
                try NewKeyslot(slot: slot.slot, name: slot.name, targetMilliseconds: slot.target)
                    .insert(transaction.database)
            }
        }
    }
}

extension ToldKeyslots {
    /// Returns whether a password that counts can be tried on this machine, or none of the header's can either. Else
    /// the header keeps what it has: nobody is locked out by a password that a larger machine has made.
    func fitHere(_ slots: [Keyslot], _ header: Header) -> Bool {
        let costs = KeyslotCosts()
        func fits(_ slot: Keyslot) -> Bool { slot.kind.usesArgon2 && costs.fits(slot) }
        return slots.contains(where: fits) || !header.keyslots.contains(where: fits)
    }

    /// Returns the slots that a header must have; nil when it has them. Slots that are there keep their places; what
    /// there is no room for is left out, and what another device can open only with that stays there.
    func wanted(with header: Header) -> [Keyslot]? {
        let counting = inForce.map(\.slot)
        guard counting.contains(where: \.kind.usesArgon2) else { return nil }
        let kept = header.keyslots.filter { counting.contains($0) }
        let new = counting.filter { !header.keyslots.contains($0) }
        let slots =
            kept + new.prefix(UnverifiedHeader.keyslotCountMax - min(kept.count, UnverifiedHeader.keyslotCountMax))
        guard slots != header.keyslots, slots.contains(where: \.kind.usesArgon2), fitHere(slots, header) else {
            return nil
        }
        return slots
    }
}

extension IndexAccess {
    fileprivate func toldKeyslots(epoch: UInt32) throws -> ToldKeyslots {
        ToldKeyslots(try statements(.keyslotAdded) + statements(.keyslotRemoved), epoch: epoch)
    }
}

extension Transaction {
    /// Says what was changed of keyslots, one statement for each slot.
    fileprivate func tell(added: [Keyslot], removed: [[UInt8]], of epoch: UInt32, _ heads: [RevisionID]) throws {
        var parents = Array(heads.prefix(Self.headCountMax))
        for slot in added {
            let row = try Row.fetchOne(
                database, sql: "SELECT name, target FROM keyslot WHERE slot = ?", arguments: [slot.slotID.blob])
            let statement = KeyslotStatement(
                epoch: epoch, slot: slot, name: try row?.text("name") ?? "",
                target: UInt32(clamping: try row?.integer("target") ?? 0))
            parents = [try say(.keyslotAdded(statement), replacing: parents)]
        }
        for slotID in removed {
            parents = [try say(.keyslotRemoved(epoch: epoch, slotID: slotID), replacing: parents)]
        }
    }
}
