// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentProtocol
internal import TerminalText
internal import VaultCore
internal import VaultFormat

/// Keys and rotations, as the client wants them.
extension Answer {
    func keys(_ slots: [KeyslotInfo]) {
        if presentation.json { return json(.answer([("keys", .array(slots.map { .key($0) }))])) }
        for slot in slots {
            let made = slot.made.map { String(DateStyle.rfc3339($0).prefix(10)) } ?? "          "
            output("\(slot.shortID)  \(made)  \(SafeText.singleLine(slot.shownName))  (\(slot.description))\n")
        }
    }

    func key(_ slot: KeyslotInfo, _ word: String) {
        if presentation.json { return json(.answer([("key", .key(slot))])) }
        output("\(word) \(SafeText.singleLine(slot.shownName))  (\(slot.description))\n")
    }

    /// The one thing about passwords that people get wrong most often.
    func oldCopiesOpen(_ what: String) {
        connection.talk("vault: note: an old copy of the vault, a backup or a snapshot, still opens with the old \(what);")
        connection.talk("vault: note: run vault rotate so that the old one cannot open anything written from now on")
    }

    func plan(_ plan: RotationPlan) {
        if presentation.json {
            return json(
                .answer([
                    ("epoch", .int(Int64(plan.epoch))), ("indexBytes", .int(Int64(clamping: plan.indexByteCount))),
                    ("attachments", .int(Int64(plan.objectCount))), ("attachmentBytes", .int(Int64(clamping: plan.objectByteCount))),
                    ("neededBytes", .int(Int64(clamping: plan.neededByteCount))), ("freeBytes", .int(Int64(clamping: plan.freeByteCount))),
                    ("hasRoom", .bool(plan.hasRoom)), ("keys", .array(plan.slots.map { .key($0) })),
                ]))
        }
        func size(_ bytes: UInt64) -> String { Quantity.bytes(Int(clamping: bytes)) }
        output("to re-encrypt  index \(size(plan.indexByteCount)), \(Quantity.grouped(plan.objectCount)) attachments \(size(plan.objectByteCount))\n")
        output("room           \(size(plan.neededByteCount)) needed while it runs, \(size(plan.freeByteCount)) free\n")
        for slot in plan.slots {
            let fate = slot.kind == .recoveryKey ? "renewed, and shown once" : "kept if it is the one you give, otherwise dropped after confirmation"
            output("key            \(SafeText.singleLine(slot.shownName)): \(fate)\n")
        }
    }

    func rotated(epoch: UInt32) {
        if presentation.json { return json(.answer([("rotated", .bool(true)), ("epoch", .int(Int64(epoch)))])) }
        output("rotated: everything has been read back under the new key, and the old one is forgotten\n")
        connection.talk("vault: note: old copies of the vault, backups, snapshots and old blocks of the disk still open with the old key")
    }
}

extension JSONText {
    fileprivate static func key(_ slot: KeyslotInfo) -> JSONText {
        .object([
            ("id", .string(slot.slotID.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined())), ("name", .string(slot.name)),
            ("kind", .string(slot.kindName)), ("made", slot.made.map { .date($0) } ?? .null), ("memoryKiB", .int(Int64(slot.memoryKiB))),
            ("iterations", .int(Int64(slot.iterations))), ("parallelism", .int(Int64(slot.parallelism))),
        ])
    }
}

extension KeyslotInfo {
    fileprivate var shownName: String { name.isEmpty ? "unnamed" : name }

    fileprivate var kindName: String {
        switch kind {
        case .password: "password"
        case .recoveryKey: "recovery key"
        case .passwordAndKeyFile: "password and key file"
        }
    }

    fileprivate var description: String {
        kind.isDerived ? "\(kindName), Argon2id \(memoryKiB >> 10) MiB, t=\(iterations), p=\(parallelism)" : kindName
    }
}
