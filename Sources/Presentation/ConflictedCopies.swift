// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentProtocol
internal import TerminalText
internal import VaultFormat

extension UnlockVault {
    private static let nameCountMax = 5

    /// What lies in the vault's folder that another machine, or this one in need, wrote there.
    func presentFiles(_ reply: OpenedVault, on page: inout Page) {
        if !reply.fileSystem.isEmpty { page.talk("vault: warning: " + reply.fileSystem) }
        for name in reply.rescued.prefix(Self.nameCountMax) {
            page.talk(
                "vault: warning: '\(SafeText.singleLine(name))' in the vault's folder holds notes from before its index was replaced"
            )
        }
        for name in reply.conflictedCopies.prefix(Self.nameCountMax) {
            guard let copy = ConflictedCopy(name) else { continue }
            page.talk("vault: warning: " + copy.sentence(name, isAuthentic: false))
        }
        let more = reply.conflictedCopies.count - Self.nameCountMax
        if more > 0 { page.talk("vault: warning: and \(more) more such copies") }
        if !reply.conflictedCopies.isEmpty { page.talk("vault: hint: vault check looks at them; keep them until then") }
    }
}

extension ConflictedCopy {
    /// What such a file is, for people.
    func sentence(_ name: String, isAuthentic: Bool) -> String {
        "'\(SafeText.singleLine(name))' is \(program.name)'s copy of '\(original)'"
            + (isAuthentic ? ", and authentic" : "")
            + ": two machines changed the vault at once, and it may hold notes of the other one"
    }
}
