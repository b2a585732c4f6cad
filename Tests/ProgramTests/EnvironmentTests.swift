// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Foundation
import Testing

/// What an environment, a neighbour or a message could do, seen from outside of the programs.
struct EnvironmentTests {
    @Test func E10AnAgentInPathIsNotRun() throws {
        let world = try VaultWorld(unlocked: false)
        try world.makeFolder("bin")
        let trace = world.path("trace")
        let fake = try world.write("bin/vault-agent", "#!/bin/sh\necho run > \(trace)\n")
        unsafe chmod(fake, 0o700)
        world.environment["PATH"] = world.path("bin") + ":/usr/bin:/bin"
        let pid = try world.unlock()
        #expect(VaultWorld.isAgent(pid))
        #expect(!FileManager.default.fileExists(atPath: trace))
    }

    @Test func E10TheAgentInheritsNothingThatChangesWhatItLoads() throws {
        let world = try VaultWorld(unlocked: false)
        world.environment["LD_LIBRARY_PATH"] = world.path("bin")
        world.environment["GCONV_PATH"] = world.path("bin")
        world.environment["OPENSSL_CONF"] = world.path("none")
        let variables = try ProcFile.text(try world.unlock(), "environ")
        for name in ["LD_LIBRARY_PATH", "GCONV_PATH", "OPENSSL_CONF", "PATH"] {
            #expect(!variables.contains(name + "="), "\(name)")
        }
    }

    @Test(.enabled(if: geteuid() == 0, "needs root to make a directory of another user"))
    func E04ARuntimeDirectoryOfAnotherUserIsNotUsed() throws {
        let world = try VaultWorld()
        #expect(try world.vault("status").text.contains("unlocked"))
        // As sudo leaves it: the variable points into somebody else's directory, however open that is.
        let runtime = world.environment["XDG_RUNTIME_DIR"]!
        unsafe chown(runtime, 65534, 65534)
        defer { unsafe chown(runtime, geteuid(), getegid()) }
        // The agent is seen by the lock that it holds, and its socket is not used.
        #expect(try world.vault("status").text.hasPrefix("unlocked, but not here"))
        #expect(try world.vault("ls").code == 3)
    }

    @Test func E09NoErrorRepeatsWhatANoteSays() throws {
        let world = try VaultWorld()
        let marker = "marker-quince-7731"
        let id = try world.new("first line\n" + marker)
        let refusals = [
            try world.vault("append", "no-such-note", marker),
            try world.vault("new", "--notebook", String(repeating: "n", count: 5000), marker),
            try world.vault("show", "zzzzzzzzzzzzzzzz"), try world.vault("search", "\"\""),
        ]
        for refused in refusals {
            #expect(refused.code != 0)
            #expect(!refused.err.contains(marker) && !refused.text.contains(marker), "\(refused.err)")
        }
        #expect(try world.vault("cat", id).text.contains(marker))
    }

    @Test func G06NoCommandTakesAPasswordAsAnArgument() throws {
        let world = try VaultWorld(unlocked: false)
        for command in ["init", "unlock", "lock", "status", "new", "ls"] {
            let refused = try world.vault(command, "--password", "secret word")
            #expect(refused.code == 2, "\(command)")
            #expect(
                !refused.err.contains("secret word") && !refused.text.contains("secret word"),
                "\(command): \(refused.err)")
        }
    }
}
