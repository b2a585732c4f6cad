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

    @Test(.enabled(if: Privileges.isRoot, "reading the agent's memory needs root"))
    func J09TheAgentSaysThatItsKeysAreLocked() throws {
        let world = try VaultWorld()
        _ = try world.new("a note")
        let status = try world.require(world.vault("status", "--json")).out
        #expect(String(decoding: status, as: UTF8.self).contains(#""memoryLocked":true"#))
    }
}
