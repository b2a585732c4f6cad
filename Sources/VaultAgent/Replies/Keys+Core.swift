// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentProtocol
internal import VaultCore
internal import VaultFormat

extension KeyRow {
    init(_ slot: KeyslotInfo) {
        self.init()
        (slotID, shortID, name, made) = (slot.slotID, slot.shortID, slot.name, slot.made)
        kind = slot.kind
        cost = KDFCost(memoryKiB: slot.memoryKiB, iterations: slot.iterations, parallelism: slot.parallelism)
    }
}

extension KeyList {
    init(_ slots: [KeyslotInfo]) { self.init(slots.map { KeyRow($0) }) }
}

extension PlannedRotation {
    init(_ plan: RotationPlan) {
        self.init()
        (epoch, indexByteCount) = (plan.epoch, plan.indexByteCount)
        (attachmentCount, attachmentByteCount) = (plan.objectCount, plan.objectByteCount)
        (neededByteCount, freeByteCount, hasRoom) = (plan.neededByteCount, plan.freeByteCount, plan.hasRoom)
        keys = plan.slots.map { KeyRow($0) }
    }
}
