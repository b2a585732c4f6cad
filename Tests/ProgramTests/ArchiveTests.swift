// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Foundation
import Glibc
import Testing

/// The whole vault in one file, copies of it in a folder, and vaults that are made of both, with the real programs.
@Suite struct ArchiveTests {
    /// A vault with everything: history, tags, a notebook, links, an attachment, a private note, the trash, a template.
    private func world() throws -> (world: VaultWorld, note: String) {
        let world = try VaultWorld()
        let note = try world.new("Zebra list\nwith [[Set title]]", "-t", "work/x", "-b", "Travel/2026")
        try world.attach(note, "stripes.bin", [UInt8](repeating: 7, count: 200_000))
        try world.require(world.vault("append", note, "appended"))
        _ = try world.new("a second body", "--title", "Set title")
        let hidden = try world.new("hidden zebra diary")
        try world.write("note-password", "rosebud in the snow")
        try world.require(world.vault("note", "lock", hidden, "--note-password-file", world.path("note-password")))
        let gone = try world.new("thrown away")
        try world.require(world.vault("rm", gone))
        try world.require(world.vault("pin", note))
        try world.write("archive-password", "an archive's own password here")
        return (world, note)
    }

    /// What a person sees of a vault.
    private func seen(_ world: VaultWorld, _ note: String) throws -> [String] {
        let hidden = try JSON(world.require(world.vault("ls", "--all", "--json")))["notes"].array.first {
            $0["private"].bool == true
        }
        try world.require(
            world.vault(
                "note", "unlock", #require(hidden?["id"].string), "--note-password-file", world.path("note-password")))
        return try [
            ["ls", "--all", "--json"], ["trash", "ls", "--json"], ["show", note, "--json"],
            ["history", note, "--json"],
            ["search", "zebra", "--json"],
            ["attach", "ls", note, "--json"], ["tag", "ls"], ["cat", "hidden zebra diary"],
        ].map { try world.require(world.vault($0)).text }
    }

    private func export(_ world: VaultWorld, _ options: String...) throws -> Finished {
        try world.require(
            world.vault(
                ["export", "vault", "--new-password-file", world.path("archive-password"), "--kdf-target", "0"]
                    + options))
    }

    /// Restores into an account that has never seen the vault.
    private func restored(_ source: String, in world: VaultWorld, password: String, _ options: String...) throws
        -> VaultWorld
    {
        let other = try VaultWorld(prepared: false)
        try other.write("password", try String(contentsOfFile: world.path(password), encoding: .utf8))
        try other.write("note-password", "rosebud in the snow")
        try other.require(
            other.vault(
                ["backup", "restore", source, "--password-file", other.passwordFile, "--kdf-target", "0"] + options))
        try other.unlock()
        return other
    }

    @Test func anArchiveMakesTheSameVaultOnAnEmptyAccount() throws {
        let (world, note) = try world()
        let before = try seen(world, note)
        _ = try export(world, "-o", world.path("all.vault"))
        let other = try restored(world.path("all.vault"), in: world, password: "archive-password")
        #expect(try seen(other, note) == before)
        #expect(
            try other.vault("attach", "get", note, "stripes.bin", "-o", "-").out
                == [UInt8](repeating: 7, count: 200_000))
        #expect(try other.vault("check").code == 0)
        #expect(try other.vault("undo", "--yes").code == 0)
        // What the archive was made with opens nothing of the vault, and the other way around.
        expectRefusal(
            try VaultWorld(prepared: false).vault(
                "backup", "restore", world.path("all.vault"), "--password-file", world.passwordFile), 4,
            says: "wrong password")
    }

    @Test func aBackupMakesTheSameVaultOnAnEmptyAccount() throws {
        let (world, note) = try world()
        let before = try seen(world, note)
        let folder = world.path("backup")
        let first = try JSON(world.require(world.vault("backup", "create", folder, "--json")))
        #expect(first["full"].bool == true && first["privateNotes"].int == 1)
        _ = try world.new("written after the backup")
        let second = try JSON(world.require(world.vault("backup", "create", folder, "--json")))
        #expect(second["full"].bool == false && second["addedByteCount"].int ?? 0 < first["addedByteCount"].int ?? 0)
        let listed = try JSON(world.require(world.vault("backup", "ls", folder, "--json")))["snapshots"]
        #expect(listed.array.count == 2 && listed[0]["snapshot"].string == first["snapshot"].string)
        let name = try #require(first["snapshot"].string)
        let verified = try JSON(world.require(world.vault("backup", "verify", folder, name, "--json")))
        #expect(verified["verified"].bool == true && verified["revisions"].int == first["revisions"].int)
        let other = try VaultWorld(prepared: false)
        try other.write("note-password", "rosebud in the snow")
        try other.require(other.vault("backup", "restore", folder, name, "--password-file", other.passwordFile))
        try other.unlock()
        #expect(try seen(other, note) == before)
        #expect(try other.vault("check").code == 0)
        for entry in try ExportedFolder(folder).entries { #expect(entry.mode == (entry.isFolder ? 0o700 : 0o600)) }
    }

    @Test(arguments: ["backup", "all.vault"]) func aTrialRestoreLeavesTheVaultAsItWas(source: String) throws {
        let (world, note) = try world()
        if source == "backup" {
            try world.require(world.vault("backup", "create", world.path(source)))
        } else {
            _ = try export(world, "-o", world.path(source))
        }
        let password = source == "backup" ? world.passwordFile : world.path("archive-password")
        let late = try world.new("after the backup")
        let trial = try VaultWorld(prepared: false)
        let own = trial.directory
        // The same account, another folder.
        trial.environment = world.environment
        trial.environment["NOTEVAULT_DIR"] = own
        let restored = try trial.require(
            trial.vault("backup", "restore", world.path(source), "--password-file", password, "--kdf-target", "0"))
        #expect(restored.err.contains("a copy with its own identity") && restored.err.contains("--replace"))
        #expect(!restored.err.contains("refused as older") && !restored.err.contains("--accept-rollback"))
        // Both are open at once, each with a socket of its own.
        try trial.require(trial.vault("unlock", "--password-file", password))
        let second = try trial.agentPID()
        #expect(try second != world.agentPID())
        let inCopy = try trial.new("written in the copy")
        expectRefusal(try trial.vault("cat", late), 5)
        expectRefusal(try world.vault("cat", inCopy), 5)
        #expect(try trial.vault("cat", note).text == world.vault("cat", note).text)
        let (ours, theirs) = try (JSON(world.vault("status", "--json")), JSON(trial.vault("status", "--json")))
        #expect(
            ours["vaultID"].string == theirs["vaultID"].string && ours["copyID"].string == nil
                && theirs["copyID"].string?.count == 32)
        for _ in 0..<2 {
            for one in [world, trial] { try one.require(one.vault("lock")) }
            let again = try trial.vault("unlock", "--password-file", password)
            #expect(again.code == 0 && !again.err.contains("first seen"), "\(again.err)")
            let first = try world.tryUnlock()
            #expect(first.code == 0, "\(first.err)")
            _ = try trial.agentPID()
        }
        #expect(try trial.vault("check").code == 0)
        // A backup of the copy does not mix with the vault's.
        if source == "backup" {
            expectRefusal(try trial.vault("backup", "create", world.path(source)), 7, says: "another copy")
        }
        try trial.require(trial.vault("lock"))
    }

    @Test func aRestoreThatReplacesSaysWhatWillBeRefused() throws {
        let (world, _) = try world()
        try world.require(world.vault("backup", "create", world.path("backup")))
        try world.require(world.vault("lock"))
        let there = ["--vault", world.path("restored")]
        let wrong = try world.vault(
            there + [
                "backup", "restore", world.path("backup"), "--replace", "--as-copy", "--password-file",
                world.passwordFile,
            ])
        expectRefusal(wrong, 2, says: "exclude each other")
        let restored = try world.require(
            world.vault(
                there + ["backup", "restore", world.path("backup"), "--replace", "--password-file", world.passwordFile])
        )
        #expect(restored.err.contains("After you unlock the restored one, the other will be refused as older."))
        try world.require(world.vault(there + ["unlock", "--password-file", world.passwordFile]))
        try world.require(world.vault(there + ["lock"]))
        expectRefusal(try world.tryUnlock(), 11, says: "older")
    }

    @Test func H09anArchiveIs0600AndNeverWrittenOverAnything() throws {
        let (world, _) = try world()
        let path = world.path("all.vault")
        _ = try export(world, "-o", path)
        var status = stat()
        #expect(unsafe stat(path, &status) == 0 && status.st_mode & 0o777 == 0o600)
        let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        let again = try world.vault(
            "export", "vault", "-o", path, "--new-password-file", world.path("archive-password"), "--kdf-target", "0")
        expectRefusal(again, 7, says: "already exists")
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == bytes && bytes.range(of: Data("zebra".utf8)) == nil)
    }

    @Test func anArchiveGoesThroughPipesAndAge() throws {
        let (world, note) = try world()
        let before = try seen(world, note)
        try world.write("age-password", "a passphrase for age")
        _ = try export(world, "-o", world.path("all.age"), "--passphrase-file", world.path("age-password"))
        #expect(
            try Data(contentsOf: URL(fileURLWithPath: world.path("all.age"))).starts(
                with: Data("age-encryption.org/v1".utf8)))
        let piped = try world.vault([
            "export", "vault", "-o", "-", "--new-password-file", world.path("archive-password"), "--kdf-target", "0",
        ])
        #expect(piped.code == 0 && piped.out.starts(with: Array("VLA1".utf8)) && piped.err.contains("archived"))
        let other = try VaultWorld(prepared: false)
        try other.write("note-password", "rosebud in the snow")
        try other.write("password", "an archive's own password here")
        try other.require(
            other.vault(
                ["backup", "restore", "-", "--password-file", other.passwordFile, "--kdf-target", "0"], input: piped.out
            ))
        try other.unlock()
        #expect(try seen(other, note) == before)
    }

    @Test func aRecoveryKeyOpensAnArchiveAndTheVaultThatIsMadeOfIt() throws {
        let (world, _) = try world()
        let session = try world.terminal(
            "export", "vault", "-o", world.path("all.vault"), "--recovery", "--kdf-target", "0")
        try session.wait(for: "Type the recovery key back")
        let key = try #require(
            session.transcript.split(separator: "\n").first {
                $0.filter { $0 == "-" }.count == 8 && $0.hasPrefix("    ")
            })
        try session.type(key.trimmingCharacters(in: .whitespaces) + "\r")
        #expect(try session.finish() == 0)
        let other = try VaultWorld(prepared: false)
        try other.write("key", key.trimmingCharacters(in: .whitespaces))
        try other.require(
            other.vault(
                "backup", "restore", world.path("all.vault"), "--recovery", "--password-file", other.path("key"),
                "--new-password-file",
                other.passwordFile, "--kdf-target", "0"))
        try other.unlock()
        #expect(try other.vault("ls", "--count").text == "3\n")
        #expect(try other.vault("recovery", "test", "--password-file", other.path("key")).code == 0)
    }

    @Test func A08whatWasChangedIsNotRestored() throws {
        let (world, _) = try world()
        let path = world.path("all.vault")
        _ = try export(world, "-o", path)
        var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        bytes[bytes.count / 2] ^= 1
        try bytes.write(to: URL(fileURLWithPath: world.path("altered")))
        try bytes.dropLast(bytes.count / 3).write(to: URL(fileURLWithPath: world.path("cut")))
        let other = try VaultWorld(prepared: false)
        try other.write("password", "an archive's own password here")
        for name in ["altered", "cut"] {
            let refused = try other.vault("backup", "restore", world.path(name), "--password-file", other.passwordFile)
            expectRefusal(refused, 13, says: "nothing was restored")
            #expect(!other.exists("vault") && !other.exists("vault.new"))
        }
        expectRefusal(
            try other.vault("backup", "restore", other.passwordFile, "--password-file", other.passwordFile), 2,
            says: "neither a vault archive")
    }

    @Test func D04afterARotationTheOlderSnapshotIsNamed() throws {
        let world = try VaultWorld()
        _ = try world.new("one note")
        let folder = world.path("backup")
        let old = try JSON(world.require(world.vault("backup", "create", folder, "--json")))["snapshot"].string ?? ""
        try world.require(world.vault("rotate", "--password-file", world.passwordFile, "--kdf-target", "0"))
        let created = try world.require(world.vault("backup", "create", folder))
        #expect(created.text.contains("all of it new") && created.err.contains("old key"))
        let listed = try world.require(world.vault("backup", "ls", folder)).text
        #expect(listed.split(separator: "\n").map { $0.contains("rotate has replaced") } == [true, false])
        expectRefusal(try world.vault("backup", "verify", folder, old), 7, says: "before the vault's key was changed")
        // It can still be had, in a vault with a new key.
        try world.require(world.vault("lock"))
        world.environment["NOTEVAULT_DIR"] = world.path("again")
        try world.require(
            world.vault("backup", "restore", folder, old, "--password-file", world.passwordFile, "--kdf-target", "0"))
        try world.unlock()
        #expect(try world.vault("ls", "--count").text == "1\n")
        #expect(try world.vault("check").code == 0)
    }

    @Test func G03anArchiveEndsWithALockAndLeavesNothing() throws {
        let (world, note) = try world()
        try world.attach(note, "large", [UInt8](repeating: 1, count: 48 << 20))
        let client = try Child(
            [
                Programs.path("vault"), "export", "vault", "-o", world.path("all.vault"), "--new-password-file",
                world.path("archive-password"),
                "--kdf-target", "0",
            ], environment: world.environment)
        try world.require(world.vault("lock"))
        let code = client.wait(seconds: 30)
        #expect(code == 3 || code == 0, "\(String(describing: code))")
        #expect(world.exists("all.vault") == (code == 0))
    }
}
