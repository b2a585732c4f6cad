// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Glibc
import Testing

/// A private note that is locked again while the vault stays open.
@Suite struct PrivateMemoryTests {
    private static let password = "saffron gondola 41 thimble"

    private func passwordFile(_ world: VaultWorld) throws -> String { try world.write("note-password", Self.password) }

    @Test(.enabled(if: Privileges.isRoot, "reading the agent's memory needs root"))
    func E06NothingOfALockedNoteStaysInTheAgentsMemory() throws {
        let world = try VaultWorld()
        let agent = try world.agentPID()
        let file = try passwordFile(world)
        // Words and grams that nothing else has.
        let note = try world.new("\u{13080}\u{13081}\u{13082} in the text of a note that will be private")
        for _ in 0..<20 { _ = try world.new("an ordinary note") }
        try world.require(world.vault("title", note, "\u{13080}\u{13083}title"))
        let attached = try world.write("attached.txt", "\u{13080}\u{13084} in a file")
        try world.require(world.vault("attach", "add", note, attached))
        try world.require(world.vault("search", "\u{13081}"))
        #expect(try hits(agent) > 0, "the search of memory sees it while it is ordinary")
        try world.require(world.vault("note", "lock", note, "--note-password-file", file))
        try world.require(world.vault("note", "unlock", note, "--note-password-file", file))
        #expect(try String(decoding: world.require(world.vault("show", note)).out, as: UTF8.self).contains("\u{13081}"))
        #expect(try !world.require(world.vault("search", "\u{13081}")).out.isEmpty)
        try world.require(world.vault("append", note, "and \u{13082} more"))
        try world.require(world.vault("attach", "ls", note))
        try world.require(world.vault("note", "lock", note))
        // What the last request left on its way is gone with the next one.
        for _ in 0..<3 { try world.require(world.vault("ls")) }
        #expect(try hits(agent) == 0)
        #expect(try ProcFile.countInMemory(of: agent, Array(Self.password.utf8)).hits == 0)
    }

    /// Words, and runs of two and three characters as the search index has them; alone each character is also in the
    /// tables of the fold.
    private static let traces = [
        "\u{13080}\u{13081}", "\u{13081}\u{13082}", "\u{13083}title", "\u{13082} more", "\u{13082} in",
        "\u{13084} in a file", "d \u{13082}",
        "\"\u{13081}\"",
    ]

    private func hits(_ agent: pid_t) throws -> Int {
        try Self.traces.reduce(0) { sum, marker in
            sum + (try ProcFile.countInMemory(of: agent, Array(marker.utf8)).hits)
        }
    }
}
