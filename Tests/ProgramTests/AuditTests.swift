// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Foundation
import Glibc
import Testing

/// `vault-audit memory`, against a real agent and against processes that protect nothing.
@Suite struct AuditTests {
    @Test func E07AnOpenAgentIsShutOffAsTheKernelReportsIt() throws {
        let world = try VaultWorld()
        let agent = try world.agentPID()
        let seen = try Command.run([Programs.path("vault-audit"), "memory", String(agent)], environment: [:])
        #expect(seen.code == 0, "\(seen.text)\(seen.err)")
        #expect(!seen.text.contains("NO  "), "\(seen.text)")
        #expect(seen.lines.contains { $0.hasPrefix("ok  core files") })
        guard Privileges.isRoot else { return }
        let mappings = try #require(
            JSON(Command.run([Programs.path("vault-audit"), "memory", String(agent), "--json"], environment: [:]))["findings"]
                .array.last)
        #expect(mappings["judgement"].string == "present", "\(seen.text)")
        #expect(mappings["words"].string?.hasPrefix("0 ") == false)
    }

    @Test func aProcessThatProtectsNothingIsToldApart() throws {
        let seen = try Command.run([Programs.path("vault-audit"), "memory", String(getpid())], environment: [:])
        #expect(seen.code == 1)
        #expect(seen.lines.contains { $0.hasPrefix("NO  locked") })
    }

    @Test(.enabled(if: Privileges.canBeOtherUser, "the difference shows only to a user without privileges"))
    func E07AnAgentWithoutPrivilegesShowsItsUserNeitherMappingsNorMemory() throws {
        let world = try UnprivilegedWorld()
        let agent = try world.unlock()
        let tool = world.path("vault-audit")
        try FileManager.default.copyItem(atPath: Programs.path("vault-audit"), toPath: tool)
        unsafe chmod(tool, 0o755)
        let seen = try world.run([tool, "memory", String(agent)])
        #expect(seen.code == 0, "\(seen.text)\(seen.err)")
        #expect(seen.lines.contains { $0.hasPrefix("ok  dump, ptrace") && $0.contains("belong to root") }, "\(seen.text)")
        #expect(seen.lines.contains { $0.hasPrefix("?   key mappings") }, "\(seen.text)")
    }

    @Test func aNumberThatIsNoProcessIsSaid() throws {
        let seen = try Command.run([Programs.path("vault-audit"), "memory", "4194303"], environment: [:])
        #expect(seen.code == 1)
        #expect(seen.err.contains("vault status --json"))
    }
}
