// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentProtocol
internal import TerminalText
internal import VaultFormat

extension UnlockVault {
    private static let nameCountMax = 5

    /// Presents what lies in the vault's folder that another machine, or this one in need, wrote there.
    func presentFiles(_ reply: OpenedVault, on page: inout Page) {
        if !reply.fileSystem.isEmpty { page.talk("vault: warning: " + reply.fileSystem) }
        for name in reply.rescued.prefix(Self.nameCountMax) {
            page.talk("vault: warning: " + AsideName.sentence(name))
        }
        for name in reply.conflictedCopies.prefix(Self.nameCountMax) {
            guard let copy = ConflictedCopy(name) else { continue }
            page.talk("vault: warning: " + copy.sentence(name, isAuthentic: false))
        }
        let more = reply.conflictedCopies.count - Self.nameCountMax
        if more > 0 { page.talk("vault: warning: and \(more) more such copies") }
        let commands = ConflictedCopy.adopting(reply.rescued + reply.conflictedCopies)
        for line in commands.prefix(Self.nameCountMax) {
            page.talk("vault: hint: \(line) takes over the notes that are only there; --dry-run names them first")
        }
        if commands.count > Self.nameCountMax {
            page.talk("vault: hint: vault check names the commands for the other copies")
        } else if commands.isEmpty, !reply.conflictedCopies.isEmpty {
            page.talk("vault: hint: vault check looks at them; keep them until then")
        }
    }
}

extension AsideName {
    /// Returns what an index is that was written out in need or put aside, for people.
    static func sentence(_ name: String) -> String {
        let what = stamp(ofIndex: name) == nil ? "was saved when its index was replaced" : "was put aside"
        return "'\(SafeText.singleLine(name))' in the vault's folder \(what): it may hold notes that are only there"
    }
}

extension ConflictedCopy {
    /// Returns the commands that take over what copies of the index hold, one for each such file.
    static func adopting(_ names: [String]) -> [String] {
        let indexes = names.filter { name in
            guard name.hasPrefix("index-"), !name.contains("'") || !name.contains("\"") else { return false }
            return ConflictedCopy(name).map { $0.original.hasSuffix(".db") }
                ?? (name.contains(".rescued") || AsideName.stamp(ofIndex: name) != nil)
        }
        return indexes.compactMap { name in
            let quote = name.contains("'") ? "\"" : "'"
            // What a shell would read in it was not put there by a sync program.
            return name.contains { "$`\\!".contains($0) }
                ? nil : "vault adopt \(quote)\(SafeText.singleLine(name))\(quote)"
        }
    }

    /// Returns what such a file is, for people.
    func sentence(_ name: String, isAuthentic: Bool) -> String {
        "'\(SafeText.singleLine(name))' is \(program.name)'s copy of '\(original)'"
            + (isAuthentic ? ", and authentic" : "")
            + ": two machines changed the vault at once, and it may hold notes of the other one"
    }
}
