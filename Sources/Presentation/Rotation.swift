// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

public import AgentProtocol
internal import VaultFormat

extension PlanRotation: Presented {
    public func present(_ reply: PlannedRotation, on page: inout Page) {
        if page.style.json {
            return page.json(
                .answer([
                    ("epoch", .int(Int64(reply.epoch))), ("indexBytes", .count(reply.indexByteCount)),
                    ("attachments", .count(reply.attachmentCount)),
                    ("attachmentBytes", .count(reply.attachmentByteCount)),
                    ("neededBytes", .count(reply.neededByteCount)), ("freeBytes", .count(reply.freeByteCount)),
                    ("hasRoom", .bool(reply.hasRoom)), ("keys", .array(reply.keys.map { .key($0) })),
                ]))
        }
        let attachments =
            "\(Quantity.grouped(reply.attachmentCount)) attachments \(Quantity.bytes(reply.attachmentByteCount))"
        page.output("to re-encrypt  index \(Quantity.bytes(reply.indexByteCount)), \(attachments)\n")
        let free = Quantity.bytes(reply.freeByteCount)
        page.output("room           \(Quantity.bytes(reply.neededByteCount)) needed while it runs, \(free) free\n")
        for key in reply.keys {
            let fate =
                key.kind == .recoveryKey
                ? "renewed, and shown once" : "kept if it is the one you give, otherwise dropped after confirmation"
            page.output("key            \(key.shownName): \(fate)\n")
        }
    }
}

extension BeginRotation: Presented {
    public func present(_ reply: EndedRotation, on page: inout Page) { page.rotated(reply) }
}

extension AwaitRotation: Presented {
    public func present(_ reply: EndedRotation, on page: inout Page) { page.rotated(reply) }
}

extension FollowKey: Presented {
    public func present(_ reply: EndedRotation, on page: inout Page) { page.rotated(reply) }
}

extension PrepareRotation: Presented {}

extension Page {
    fileprivate mutating func rotated(_ reply: EndedRotation) {
        if style.json { return json(.answer([("rotated", .bool(true)), ("epoch", .int(Int64(reply.epoch)))])) }
        output("rotated: everything has been read back under the new key, and the old one is forgotten\n")
        talk(
            "vault: note: old copies of the vault, backups, snapshots and old blocks of the disk still open with the old key"
        )
    }
}
