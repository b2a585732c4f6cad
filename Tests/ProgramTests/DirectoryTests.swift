// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Foundation
import Glibc
import Testing

@Suite struct DirectoryTests {
    @Test func whatIsNoVaultIsSaidToBeNone() throws {
        let world = try VaultWorld(prepared: false)
        try world.makeFolder("empty")
        let file = try world.write("file", "text")
        for place in ["empty", "nowhere"].map(world.path) + [file] {
            expectRefusal(
                try world.vault("--vault", place, "unlock", "--password-file", world.passwordFile), 5, says: "no vault")
            expectRefusal(try world.vault("--vault", place, "ls"), 5, says: "no vault")
        }
        try world.makeFolder("other")
        for text in ["", "VLT", "not the header of a vault, whatever it is"] {
            try world.write("other/header", text)
            expectRefusal(
                try world.vault("--vault", world.path("other"), "unlock", "--password-file", world.passwordFile), 13,
                says: "header")
        }
    }

    @Test func aVaultIsNotMadeOverAnything() throws {
        let world = try VaultWorld(unlocked: false)
        let options = ["init", "--kdf-target", "0", "--no-recovery", "--password-file", world.passwordFile]
        expectRefusal(try world.vault(options), 7, says: "already a vault")
        try world.makeFolder("full")
        try world.write("full/mine", "a file that stays")
        expectRefusal(
            try world.vault(["--vault", world.path("full")] + options), 7, says: "already exists at this place")
        #expect(try String(contentsOfFile: world.path("full/mine"), encoding: .utf8) == "a file that stays")
        #expect(try world.tryUnlock().code == 0)
    }

    @Test(arguments: [mode_t(0o770), 0o720, 0o702, 0o777]) func H03ADirectoryThatOthersMayWriteInIsRefused(mode: mode_t)
        throws
    {
        let world = try VaultWorld(unlocked: false)
        unsafe chmod(world.directory, mode)
        expectRefusal(try world.tryUnlock(), 11, says: "can be changed by others")
        unsafe chmod(world.directory, 0o700)
        #expect(try world.tryUnlock().code == 0)
    }

    @Test func H03ADirectoryBehindALinkIsRefused() throws {
        let world = try VaultWorld(unlocked: false)
        unsafe symlink(world.directory, world.path("link"))
        expectRefusal(
            try world.vault("--vault", world.path("link"), "unlock", "--password-file", world.passwordFile), 11,
            says: "link")
    }

    @Test(.enabled(if: Privileges.isRoot, "giving a directory away needs root"))
    func H03AnotherUsersDirectoryIsRefused() throws {
        let world = try VaultWorld(unlocked: false)
        unsafe chown(world.directory, Privileges.otherUser, Privileges.otherUser)
        expectRefusal(try world.tryUnlock(), 11, says: "belongs to another user")
    }

    @Test(arguments: [["header", "header.2"], ["manifest", "manifest.2"], ["index-1.db"], ["lock"]])
    func H03AFileThatIsALinkIsRefused(names: [String]) throws {
        let world = try VaultWorld(unlocked: false)
        for name in names {
            unsafe rename(world.directory + "/" + name, world.path("moved-" + name))
            unsafe symlink(world.path("moved-" + name), world.directory + "/" + name)
        }
        let refused = try world.tryUnlock()
        expectRefusal(refused, names == ["index-1.db"] ? 13 : 11)
    }

    @Test(arguments: [["header", "header.2"], ["manifest", "manifest.2"], ["index-1.db"]])
    func H04AFileWithAnotherNameElsewhereIsRefused(names: [String]) throws {
        let world = try VaultWorld(unlocked: false)
        for name in names { unsafe Glibc.link(world.directory + "/" + name, world.path("second-" + name)) }
        expectRefusal(try world.tryUnlock(), names == ["index-1.db"] ? 13 : 11)
    }

    /// The other copy is enough; what lies in the place of this one is replaced, never followed and never written
    /// through.
    @Test(arguments: HeaderBytes.names + ["manifest", "manifest.2"], ["symlink", "link", "pipe"])
    func H04AStrangeCopyOfHeaderOrManifestIsReplaced(
        name: String, kind: String
    ) throws {
        let world = try VaultWorld(unlocked: false)
        let path = world.directory + "/" + name
        let decoy = try world.write("decoy", "a file that must stay as it is")
        unsafe unlink(path)
        switch kind {
        case "symlink": unsafe symlink(decoy, path)
        case "link": unsafe Glibc.link(decoy, path)
        default: unsafe mkfifo(path, 0o600)
        }
        let opened = try world.tryUnlock()
        #expect(opened.code == 0, "\(opened.err)")
        #expect(opened.seconds < 20)
        var status = stat()
        unsafe lstat(path, &status)
        #expect(status.st_mode & S_IFMT == S_IFREG && status.st_nlink == 1)
        #expect(try HeaderBytes(of: world, "header").bytes == HeaderBytes(of: world, "header.2").bytes)
        #expect(try String(contentsOfFile: decoy, encoding: .utf8) == "a file that must stay as it is")
    }

    @Test(arguments: [["manifest", "manifest.2"], ["index-1.db"]])
    func H04APipeInPlaceOfAFileIsRefusedAtOnce(names: [String]) throws {
        let world = try VaultWorld(unlocked: false)
        for name in names {
            unsafe unlink(world.directory + "/" + name)
            unsafe mkfifo(world.directory + "/" + name, 0o600)
        }
        let refused = try world.tryUnlock()
        expectRefusal(refused, names == ["index-1.db"] ? 13 : 11)
        #expect(refused.seconds < 20)
    }

    @Test func H09VaultFilesAreOursAloneWhateverTheUmask() throws {
        let world = try VaultWorld(prepared: false)
        world.environment["XDG_STATE_HOME"] = world.path("new/state")
        world.environment["NOTEVAULT_DIR"] = world.path("new/data/vault")
        let script = """
            umask 000
            "$0" init --kdf-target 0 --recovery-file "$2/key" --password-file "$1" && "$0" unlock --password-file "$1" && "$0" new text
            """
        try world.require(
            Command.run(
                ["/bin/sh", "-c", script, Programs.path("vault"), world.passwordFile, world.root],
                environment: world.environment))
        try world.agentPID()
        var seen: Set<String> = []
        for folder in ["new", "run"] {
            for name in try FileManager.default.subpathsOfDirectory(atPath: world.path(folder)) + [""] {
                let path = world.path(folder) + "/" + name
                var status = stat()
                unsafe lstat(path, &status)
                let wanted: mode_t = status.st_mode & S_IFMT == S_IFDIR ? 0o700 : 0o600
                #expect(status.st_mode & 0o777 == wanted, "\(name)")
                seen.insert(String(name.split(separator: "/").last ?? ""))
            }
        }
        #expect(
            seen.isSuperset(of: [
                "header", "header.2", "manifest", "manifest.2", "index-1.db", "index-1.db-wal", "lock", "pins",
            ]))
        var status = stat()
        unsafe lstat(world.path("key"), &status)
        #expect(status.st_mode & 0o777 == 0o600)
    }

    @Test func aSecondAgentIsRefused() throws {
        let world = try VaultWorld()
        let id = try world.new("written by the first agent")
        let first = world.environment
        try world.makeFolder("otherrun")
        world.environment["XDG_RUNTIME_DIR"] = world.path("otherrun")
        expectRefusal(try world.tryUnlock(), 7, says: "an agent of another session")
        expectRefusal(
            try world.vault("--password-file", world.passwordFile, "new", "by a second"), 7,
            says: "an agent of another session")
        world.environment = first
        #expect(try world.vault("cat", id).text == "written by the first agent")
    }
}
