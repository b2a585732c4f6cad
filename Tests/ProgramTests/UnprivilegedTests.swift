// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Glibc
import Testing

/// The product as most people run it: without privileges. Root sees nothing of a permission that is missing.
@Suite(.enabled(if: Privileges.canBeOtherUser, "needs root to become a user without privileges"))
struct UnprivilegedTests {
    @Test func theMainJobNeedsNoPrivileges() throws {
        let world = try UnprivilegedWorld()
        let agent = try world.unlock()
        let id = try world.vault("new", "written by nobody").id
        #expect(try world.vault("append", id, "and more").code == 0)
        #expect(try world.vault("show", id).text == "written by nobody\nand more")
        #expect(try world.vault("search", "nobody").text.contains("written by nobody"))
        #expect(try world.vault("import", "markdown", world.folderOfNotes()).code == 0)
        #expect(try world.vault("ls", "--count").text == "2\n")
        #expect(try world.vault("check").code == 0)
        #expect(try world.vault("lock").code == 0)
        #expect(VaultWorld.waitForEnd(of: agent, seconds: 5) != nil)
        _ = try world.unlock()
        #expect(try world.vault("cat", id).code == 0)
    }

    @Test func H03ProgramsThatOthersMayChangeAreNotStarted() throws {
        let world = try UnprivilegedWorld()
        for (name, mode) in [("bin/vault-agent", mode_t(0o777)), ("bin", 0o777)] {
            unsafe chmod(world.path(name), mode)
            expectRefusal(
                try world.vault("unlock", "--password-file", world.passwordFile), 11,
                says: "can be changed by other users")
            // Said once, also where it is true of every program.
            let checks = try JSON(world.vault("doctor", "--json"))["checks"].array
            let told = checks.filter { $0["hint"].string?.hasPrefix("chmod go-w") == true }
            #expect(told.count == 1 && told[0]["state"].string == "bad", "\(told)")
            unsafe chmod(world.path(name), 0o755)
        }
        unsafe chown(world.path("bin/vault-agent"), 12345, 12345)
        expectRefusal(
            try world.vault("unlock", "--password-file", world.passwordFile), 11, says: "belongs to another user")
    }

    @Test func H03AnUnreadableVaultIsRefusedWithoutAGuess() throws {
        let world = try UnprivilegedWorld()
        unsafe chown(world.path("home/vault"), 0, 0)
        let refused = try world.vault("unlock", "--password-file", world.passwordFile)
        expectRefusal(refused, 11)
        #expect(!refused.err.contains("vault init"), "a vault that cannot be looked at may be there: \(refused.err)")
    }

    @Test func aWriteProtectedVaultOpensForReading() throws {
        let world = try UnprivilegedWorld()
        _ = try world.unlock()
        let id = try world.vault("new", "before").id
        #expect(try world.vault("lock").code == 0)
        unsafe chmod(world.path("home/vault"), 0o500)
        let index = ["index-1.db", "index-1.db-wal", "index-1.map"]
        for name in ["header", "header.2"] + index + ["lock", "manifest", "manifest.2"] {
            unsafe chmod(world.path("home/vault/" + name), 0o400)
        }
        let opened = try world.vault("unlock", "--password-file", world.passwordFile)
        #expect(opened.code == 0, "\(opened.err)")
        guard opened.code == 0 else { return }
        _ = try world.unlock()
        #expect(try world.vault("cat", id).text == "before")
        expectRefusal(try world.vault("new", "after"), 9)
    }
}
