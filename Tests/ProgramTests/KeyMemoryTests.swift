// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Glibc
import Testing

/// What libcrypto makes of the keys, in the memory of an agent that runs.
@Suite struct KeyMemoryTests {
    @Test(.enabled(if: Privileges.isRoot, "reading the agent's memory needs root"))
    func J09NoKeyAndNoKeyScheduleLiesWhereItMayBeSwappedOrDumped() throws {
        let world = try VaultWorld()
        let agent = try world.agentPID()
        let note = try world.new("a note to be sealed")
        try world.require(world.vault("append", note, "and once more"))
        let file = try world.write("attached.txt", String(repeating: "in chunks ", count: 10_000))
        try world.require(world.vault("attach", "add", note, file))
        try world.require(world.vault("search", "sealed"))
        let found = try KeySchedules(of: agent)
        let seen = found.kept.count
        #expect(seen >= 2, "the search sees the page key's schedule and the log key's")
        // Counted first: a failure prints what it compares.
        let (schedules, keys) = (found.exposed.count, found.kept.reduce(0) { $0 + found.exposures(of: $1) })
        #expect(schedules == 0, "in memory that may be swapped or dumped")
        #expect(keys == 0, "the keys themselves there")
    }

    /// It stays open with the keys that the vault was made with, and with nothing that opens it.
    @Test(.enabled(if: Privileges.isRoot, "reading the agent's memory needs root"))
    func J09TheAgentThatMadeAVaultKeepsNeitherItsPasswordNorItsRecoveryKey() throws {
        let world = try VaultWorld(prepared: false)
        let session = try world.terminal("init", "--kdf-target", "0")
        for prompt in ["New password: ", "Repeat it: "] { try session.answer(prompt, VaultWorld.password) }
        try session.wait(for: "Type the recovery key back: ")
        let key = try #require(TerminalTests.recoveryKey(in: session.transcript))
        try session.type(key + "\r")
        #expect(try session.finish() == 0, "\(session.lastScreen)")
        let agent = try world.agentPID()
        for word in [VaultWorld.password, key, key.replacing("-", with: "")] {
            #expect(try ProcFile.countInMemory(of: agent, Array(word.utf8)).hits == 0)
        }
        let place = try ProcFile.countInMemory(of: agent, Array(world.path("vault").utf8))
        #expect(place.hits > 0, "what it does hold is seen in \(place.byteCount) bytes")
    }

    @Test(.enabled(if: Privileges.isRoot, "reading the agent's memory needs root"))
    func J09TheAgentSaysThatItsKeysAreLocked() throws {
        let world = try VaultWorld()
        _ = try world.new("a note")
        let status = try world.require(world.vault("status", "--json")).out
        #expect(String(decoding: status, as: UTF8.self).contains(#""memoryLocked":true"#))
    }
}
