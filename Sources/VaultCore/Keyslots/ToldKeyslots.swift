// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import VaultFormat

/// `ToldKeyslots` is what devices have said of the keyslots of one epoch: a set to which slots are added, and from
/// which they are removed for good. It does not matter in which order what was said came in. Spec: docs/format.md §10.
struct ToldKeyslots {
    /// A slot with what it is called.
    struct Slot {
        let slot: Keyslot
        let name: String
        let target: UInt32
    }

    /// In the order of their slots' identifiers.
    private(set) var added: [Slot] = []
    private var removed: Set<[UInt8]> = []
    /// Slots whose removal nobody has heard of yet who has said something of keyslots since.
    private var justRemoved: Set<[UInt8]> = []
    /// Statements that nobody has replaced.
    private(set) var heads: [RevisionID] = []

    init(_ statements: [SaidStatement], epoch: UInt32) {
        var slots: [[UInt8]: Slot] = [:]
        for said in statements {
            switch said.statement {
            // One that no reader takes in a header would close the vault for everybody.
            case .keyslotAdded(let slot) where slot.epoch == epoch && KeyslotCosts.isOfTheFormat(slot.slot):
                let id = slot.slot.slotID
                // The same slot may have been told without its name by a device that did not know it.
                if slots[id].map({ $0.name.isEmpty }) ?? true {
                    slots[id] = Slot(slot: slot.slot, name: slot.name, target: slot.target)
                }
            case .keyslotRemoved(epoch, let slotID):
                removed.insert(slotID)
                if !said.isReplaced { justRemoved.insert(slotID) }
            default: continue
            }
            if !said.isReplaced { heads.append(said.name) }
        }
        added = slots.values.sorted { $0.slot.slotID.lexicographicallyPrecedes($1.slot.slotID) }
    }

    var isEmpty: Bool { added.isEmpty && removed.isEmpty }
    func isAdded(_ slotID: [UInt8]) -> Bool { added.contains { $0.slot.slotID == slotID } }
    func isRemoved(_ slotID: [UInt8]) -> Bool { removed.contains(slotID) }

    /// The slots that count. Where devices have taken each other's last password away at once, the first of these
    /// stays: nobody is locked out of a vault.
    var inForce: [Slot] {
        let left = added.filter { !removed.contains($0.slot.slotID) }
        guard !left.contains(where: { $0.slot.kind.usesArgon2 }) else { return left }
        let kept = added.first { $0.slot.kind.usesArgon2 && justRemoved.contains($0.slot.slotID) }
        return left + (kept.map { [$0] } ?? [])
    }
}
