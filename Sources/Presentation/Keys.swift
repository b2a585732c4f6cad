// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

public import AgentProtocol
internal import Dates
internal import TerminalText
internal import VaultFormat

extension ListKeys: Presented {
    public func present(_ reply: KeyList, on page: inout Page) {
        if page.style.json { return page.json(.answer([("keys", .array(reply.keys.map { .key($0) }))])) }
        for key in reply.keys {
            let made = key.made.map { String(DateStyle.rfc3339($0).prefix(10)) } ?? "          "
            page.output("\(key.shortID)  \(made)  \(key.shownName)  (\(key.kindAndCost))\n")
        }
    }
}

extension VerifyKey: Presented {
    public func present(_ reply: KeyRow, on page: inout Page) { page.key(reply, "opens as") }
}

extension AddKey: Presented {
    public func present(_ reply: KeyRow, on page: inout Page) { page.key(reply, "added") }
}

extension RemoveKey: Presented {
    public func present(_ reply: KeyRow, on page: inout Page) {
        page.key(reply, "removed")
        page.oldCopiesOpen("key")
    }
}

extension ChangeKey: Presented {
    public func present(_ reply: KeyRow, on page: inout Page) {
        page.key(reply, new.keepsSecret ? "raised the cost of" : "changed")
        if !new.keepsSecret { page.oldCopiesOpen("password") }
    }
}

extension CommitRecoveryKey: Presented {
    public func present(_ reply: CommittedRecoveryKey, on page: inout Page) {
        if reply.replacesOlder { page.oldCopiesOpen("recovery key") }
    }
}

extension MakeKeyFile: Presented {}
extension PrepareRecoveryKey: Presented {}

extension Page {
    fileprivate mutating func key(_ key: KeyRow, _ word: String) {
        if style.json { return json(.answer([("key", .key(key))])) }
        output("\(word) \(key.shownName)  (\(key.kindAndCost))\n")
    }

    /// Tells the one thing about passwords that people get wrong most often.
    fileprivate mutating func oldCopiesOpen(_ what: String) {
        talk("vault: note: an old copy of the vault, a backup or a snapshot, still opens with the old \(what);")
        talk("vault: note: run vault rotate so that the old one cannot open anything written from now on")
    }
}

extension JSONText {
    static func key(_ key: KeyRow) -> JSONText {
        .object([
            ("id", .string(hexadecimal(key.slotID))),
            ("name", .string(key.name)),
            ("kind", .string(key.kind.words)), ("made", key.made.map { .date($0) } ?? .null),
            ("memoryKiB", .int(Int64(key.cost.memoryKiB))), ("iterations", .int(Int64(key.cost.iterations))),
            ("parallelism", .int(Int64(key.cost.parallelism))),
        ])
    }
}

extension KeyRow {
    /// Harmless on a terminal.
    var shownName: String { SafeText.singleLine(name.isEmpty ? "unnamed" : name) }

    /// "password, Argon2id 64 MiB, t=3, p=4"; no guess at a recovery key is worth a cost.
    fileprivate var kindAndCost: String {
        guard kind.usesArgon2 else { return kind.words }
        return "\(kind.words), Argon2id \(cost.memoryKiB >> 10) MiB, t=\(cost.iterations), p=\(cost.parallelism)"
    }
}
