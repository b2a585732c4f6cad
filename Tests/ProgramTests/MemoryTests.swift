// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Glibc
import Testing

@Suite struct MemoryTests {
    @Test func E07TheAgentLeavesNoCoreAndGainsNoPrivileges() throws {
        let world = try VaultWorld()
        let agent = try world.agentPID()
        let core = try #require(
            ProcFile.text(agent, "limits").split(separator: "\n").first { $0.hasPrefix("Max core file size") })
        #expect(core.split(separator: " ").dropFirst(4).prefix(2) == ["0", "0"])
        let status = try ProcFile.text(agent, "status")
        #expect(status.contains("NoNewPrivs:\t1\n"))
        // A process that is not dumpable may not be traced, nor its memory read, by others of its user; its files in
        // /proc are root's.
        let locked = status.split(separator: "\n").first { $0.hasPrefix("VmLck:") }
        #expect(locked != nil)
    }

    @Test(.enabled(if: Privileges.canBeOtherUser, "the difference shows only to a user without privileges"))
    func E07NobodyOfTheSameUserReadsTheAgentsMemory() throws {
        let world = try UnprivilegedWorld()
        let agent = try world.unlock()
        for file in ["mem", "environ", "maps", "auxv", "fd"] {
            let seen = try world.run([
                "/bin/sh", "-c", "head -c 1 /proc/\(agent)/\(file) >/dev/null && ls /proc/\(agent)/\(file)/ >/dev/null",
            ])
            #expect(seen.code != 0 && seen.err.contains("ermission denied"), "\(file): \(seen.err)")
        }
        var status = stat()
        unsafe stat("/proc/\(agent)/mem", &status)
        #expect(status.st_uid == 0)
    }

    @Test func B09NoCommandLineOrEnvironmentHoldsThePassword() throws {
        let world = try VaultWorld(unlocked: false)
        let password = Array(VaultWorld.password.utf8)
        world.environment["EXTRA_OF_THE_CALLER"] = "not for the agent"
        let client = try Child(
            [Programs.path("vault"), "unlock", "--password-file", world.passwordFile], environment: world.environment)
        var looks = 0
        while !client.hasEnded {
            for file in ["cmdline", "environ"] {
                guard let bytes = try? ProcFile.bytes("/proc/\(client.pid)/\(file)") else { continue }
                #expect(!ByteSearch.contains(password, in: bytes))
                looks += 1
            }
            usleep(5000)
        }
        #expect(looks > 0)
        let agent = try world.agentPID()
        #expect(try ProcFile.text(agent, "cmdline") == "vault-agent\0")
        guard Privileges.isRoot else { return }
        let names = try ProcFile.text(agent, "environ").split(separator: "\0").map { $0.prefix { $0 != "=" } }
        #expect(Set(names).isSubset(of: ["HOME", "XDG_STATE_HOME", "XDG_RUNTIME_DIR", "TZ"]))
    }

    @Test(.enabled(if: Privileges.isRoot, "reading the agent's memory needs root"))
    func E06AnOpenAgentKeepsNoPassword() throws {
        let world = try VaultWorld()
        let agent = try world.agentPID()
        _ = try world.new("a note with \("porcupine")-quill")
        #expect(try ProcFile.countInMemory(of: agent, Array(VaultWorld.password.utf8)).hits == 0)
        // The search sees the agent's memory: its socket's path is in it.
        let seen = try ProcFile.countInMemory(of: agent, Array(world.root.utf8))
        #expect(seen.hits > 0)
        #expect(seen.byteCount > 1 << 20)
    }

    @Test(.enabled(if: Privileges.isRoot, "reading the agent's memory needs root"))
    func E06AWrongPasswordIsNotKeptEither() throws {
        let world = try VaultWorld()
        let agent = try world.agentPID()
        let refused = try world.tryUnlock(file: world.write("wrong", "velvet thunder pickle"))
        #expect(refused.code == 0, "an open vault says so and asks nothing")
        #expect(try ProcFile.countInMemory(of: agent, Array("velvet thunder pickle".utf8)).hits == 0)
    }

    @Test func E05LockingEndsTheAgent() throws {
        let world = try VaultWorld()
        let agent = try world.agentPID()
        _ = try world.new("text")
        try world.require(world.vault("lock"))
        let seconds = try #require(VaultWorld.waitForEnd(of: agent, seconds: 5))
        #expect(seconds < 1, "100 ms in a release build")
        #expect(world.socket == nil)
    }
}
