// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Foundation
import Glibc
import Testing

/// Nothing else belongs in a vault's folder; a damaged vault says so to whoever writes; what was saved is said though
/// nothing can be printed.
@Suite struct VaultFolderTests {
    @Test func nothingIsMadeInsideAVaultsFolder() throws {
        let world = try VaultWorld()
        _ = try world.new("a note")
        let inside = world.directory
        try FileManager.default.createSymbolicLink(atPath: world.path("link"), withDestinationPath: inside)
        let note = try world.new("with an attachment")
        try world.attach(note, "a", [1])
        let before = try FileManager.default.subpathsOfDirectory(atPath: inside).sorted()
        for place in [
            inside, world.path("link"), inside + "/objects", inside + "/../vault", inside + "/objects/../../vault",
        ] {
            for arguments in [
                ["export", "markdown", "-o", place + "/out", "--plaintext"],
                ["export", "json", "-o", place + "/out.json", "--plaintext"],
                ["backup", "create", place + "/backup"],
                ["--vault", place + "/other", "init", "--kdf-target", "0", "--no-recovery"],
                [
                    "export", "vault", "-o", place + "/all", "--new-password-file", world.passwordFile, "--kdf-target",
                    "0",
                ],
            ] {
                let refused = try world.vault(arguments + ["--password-file", world.passwordFile])
                expectRefusal(refused, 2, says: "inside a vault's folder")
            }
        }
        expectRefusal(
            try world.vault(
                "--vault", inside + "/restored", "backup", "restore", world.path("nothing"), "--password-file",
                world.passwordFile), 2,
            says: "inside a vault's folder")
        // The folder of a vault that is not the one at hand is one too.
        expectRefusal(
            try world.vault("--vault", world.path("x"), "export", "json", "-o", inside + "/o.json", "--plaintext"), 2,
            says: "inside")
        #expect(try FileManager.default.subpathsOfDirectory(atPath: inside).sorted() == before)
        // Beside it is outside of it.
        try world.require(world.vault("export", "json", "-o", world.path("vault-out.json"), "--plaintext"))
    }

    @Test(.enabled(if: Privileges.canMount, "a mount needs root")) func aBindMountOfAnInnerFolderIsInsideToo() throws {
        let world = try VaultWorld()
        let note = try world.new("a note")
        try world.attach(note, "a", [1, 2, 3])
        let inner = try #require(
            try FileManager.default.contentsOfDirectory(atPath: world.directory + "/objects").first { $0.count == 2 })
        for folder in ["objects", "objects/" + inner] {
            let place = world.path("mounted")
            unsafe mkdir(place, 0o700)
            #expect(unsafe mount(world.directory + "/" + folder, place, nil, UInt(MS_BIND), nil) == 0)
            let refused = try world.vault("export", "json", "-o", place + "/out.json", "--plaintext")
            unsafe umount2(place, 2)
            expectRefusal(refused, 2, says: "inside a vault's folder")
        }
    }

    @Test func checkNamesForeignFilesAndIsClean() throws {
        let world = try VaultWorld()
        try Data([1]).write(to: URL(fileURLWithPath: world.directory + "/letter\u{1B}[31m.txt"))
        let checked = try world.require(world.vault("check"))
        #expect(
            checked.text.contains("letter") && checked.text.contains("does not belong to the vault")
                && !checked.text.contains("\u{1B}"))
        let json = try JSON(world.vault("check", "--json"))
        #expect(json["clean"].bool == true && json["foreign"].array.count == 1)
    }

    @Test func writesToAVaultWhoseLastCheckFailedSaySo() throws {
        let world = try VaultWorld()
        #expect(try JSON(world.vault("status", "--json"))["lastCheck"]["made"].string == nil)
        let note = try world.new("a note")
        try world.attach(note, "a", [UInt8](repeating: 1, count: 1000))
        try world.require(world.vault("check"))
        #expect(try JSON(world.vault("status", "--json"))["lastCheck"]["problems"].int == 0)
        #expect(try world.vault("append", note, "more").err.isEmpty)
        let objects = world.directory + "/objects/"
        let file = try #require(
            try FileManager.default.subpathsOfDirectory(atPath: objects).first { $0.utf8.count > 60 })
        let whole = try Data(contentsOf: URL(fileURLWithPath: objects + file))
        try FileManager.default.removeItem(atPath: objects + file)
        #expect(try world.vault("check").code == 13)
        // Remembered through a lock, and said until a check is clean.
        try world.require(world.vault("lock"))
        try world.unlock()
        let status = try world.vault("status")
        #expect(status.text.contains("1 problem"))
        let written = try world.vault("append", note, "and more")
        #expect(
            written.code == 0 && written.err.contains("vault: warning: the last check of this vault found 1 problem"))
        #expect(try !world.vault("cat", note).err.contains("warning"))
        try whole.write(to: URL(fileURLWithPath: objects + file))
        unsafe chmod(objects + file, 0o600)
        try world.require(world.vault("check"))
        #expect(try world.vault("append", note, "the end").err.isEmpty)
    }

    @Test func whatWasSavedIsSaidThoughNothingCanBePrinted() throws {
        let world = try VaultWorld()
        let made = try Command.run(
            ["/bin/sh", "-c", "exec \"$0\" new 'kept anyway' >/dev/full", Programs.path("vault")],
            environment: world.environment)
        #expect(made.code == 1)
        #expect(made.err.contains("the change was saved"))
        let note = try #require(try JSON(world.vault("ls", "--json"))["notes"].array.first)
        let id = try #require(note["id"].string)
        #expect(made.err.contains(id), "\(made.err)")
        #expect(try world.vault("cat", id).text == "kept anyway")
        try world.makeFolder("remote")
        let remote = try Command.run(
            [
                "/bin/sh", "-c", "exec \"$0\" remote add folder \"$1\" >/dev/full", Programs.path("vault"),
                world.path("remote"),
            ], environment: world.environment)
        #expect(remote.code == 1 && remote.err.contains("the command was carried out"), "\(remote.err)")
        // A command that only reads says no such thing.
        let read = try Command.run(
            ["/bin/sh", "-c", "exec \"$0\" ls >/dev/full", Programs.path("vault")], environment: world.environment)
        #expect(read.code == 1 && !read.err.contains("saved"))
    }

    @Test func whoUnlocksAtTheSameMomentFindsItUnlocked() throws {
        let world = try VaultWorld(unlocked: false)
        let line =
            "for i in 1 2 3 4; do \"$0\" unlock --password-file \"$1\" & pids=\"$pids $!\"; done; "
            + "for p in $pids; do wait $p || exit 1; done"
        let finished = try Command.run(
            ["/bin/sh", "-c", line, Programs.path("vault"), world.passwordFile], environment: world.environment)
        #expect(finished.code == 0, "\(finished.err)")
        _ = try world.agentPID()
    }

    /// Nobody but the process that carries it to the stream hears that a small text was not taken.
    @Test func whatStandardOutputDoesNotTakeIsNoSuccess() throws {
        let world = try VaultWorld()
        let note = try world.new("a small text")
        try world.require(world.vault("attach", "add", note, try world.write("small.txt", "small")))
        let commands = [
            "export json -o - --plaintext", "export text -o - --plaintext", "attach get \(note) 1 -o -", "cat \(note)",
            "ls", "generate other",
        ]
        for (command, place) in commands.flatMap({ command in [">/dev/full", ">&-"].map { (command, $0) } }) {
            let finished = try Command.run(
                ["/bin/sh", "-c", "exec \"$0\" \(command) \(place)", Programs.path("vault")],
                environment: world.environment)
            #expect(finished.code == 1, "\(command) \(place): \(finished.err)")
            let reason = place == ">&-" ? "bad file descriptor" : "no space left on device"
            #expect(finished.err.contains("cannot write to standard output: \(reason)"), "\(command): \(finished.err)")
            #expect(!finished.err.contains("written to standard output"), "\(command): \(finished.err)")
        }
    }

    @Test func theHintForAVaultThatWasNamedNamesIt() throws {
        let world = try VaultWorld(unlocked: false)
        let other = world.environment["NOTEVAULT_DIR"]!
        world.environment["NOTEVAULT_DIR"] = world.path("none")
        let locked = try world.vault("--vault", other, "ls")
        #expect(locked.code == 3 && locked.err.contains("vault --vault \(other) unlock"), "\(locked.err)")
    }

    @Test func anAttachmentThatMayRunIsNotOpenedUnasked() throws {
        let world = try VaultWorld()
        try world.makeFolder("bin")
        try world.write("bin/xdg-open", "#!/bin/sh\nprintf '%s' \"$1\" > \"\(world.path("opened"))\"\n")
        unsafe chmod(world.path("bin/xdg-open"), 0o700)
        world.environment["PATH"] = world.path("bin") + ":/usr/bin:/bin"
        let note = try world.new("a note")
        try world.attach(note, "page.html", Array("<p>hello".utf8))
        let refused = try world.vault("attach", "open", note, "page.html", "--allow-disk-temp", "--no-input")
        expectRefusal(refused, 3, says: "needs confirmation")
        #expect(!world.exists("opened"))
        // With a yes it is shown: the desktop's program is started.
        let child = try Child(
            [Programs.path("vault"), "attach", "open", note, "page.html", "--allow-disk-temp", "--no-input", "--yes"],
            environment: world.environment)
        let deadline = Clock.seconds + 20
        while !world.exists("opened"), Clock.seconds < deadline { usleep(10_000) }
        #expect(world.exists("opened"))
        child.end()
    }
}
