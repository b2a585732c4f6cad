// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Foundation
import Glibc
import Testing

/// Backups that are what they claim, with the real programs: damage is named, nothing lost ends with 0.
@Suite struct BackupUpkeepTests {
    private func flip(_ path: String, at offset: Int) throws {
        let url = URL(filePath: path)
        var bytes = try Data(contentsOf: url)
        // From the end where it is negative.
        bytes[offset < 0 ? bytes.count + offset : offset] ^= 1
        try bytes.write(to: url)
        unsafe chmod(path, 0o600)
    }

    /// The largest file in a folder.
    private func largest(in folder: String) throws -> String {
        let files = try FileManager.default.subpathsOfDirectory(atPath: folder)
        return try #require(
            files.map { folder + "/" + $0 }.max { one, other in
                (try? Data(contentsOf: URL(filePath: one)).count) ?? 0
                    < (try? Data(contentsOf: URL(filePath: other)).count) ?? 0
            })
    }

    @Test func aBackupOfADamagedVaultNamesWhatItLacksAndEndsWith13() throws {
        let world = try VaultWorld()
        let note = try world.new("Garden plan")
        try world.attach(note, "beds.bin", [UInt8](repeating: 7, count: 300_000))
        _ = try world.new("second note")
        try flip(largest(in: world.path("vault/objects")), at: 150_000)
        let folder = world.path("backup")
        let created = try world.vault("backup", "create", folder)
        #expect(created.code == 13)
        #expect(created.err.contains("the attachment 'beds.bin' of 'Garden plan' is missing in the snapshot"))
        let verified = try world.vault("backup", "verify", folder)
        #expect(verified.code == 13 && verified.text.contains("copy of a damaged vault"))
        #expect(verified.err.contains("beds.bin"))
        let pruned = try world.vault("backup", "prune", folder, "--keep-last", "1")
        #expect(pruned.code == 12 && pruned.err.contains("copy of a damaged vault"))
        let other = try VaultWorld(prepared: false)
        let restore = ["backup", "restore", folder, "--password-file", other.passwordFile]
        expectRefusal(try other.vault(restore), 13, says: "nothing was restored")
        let restored = try other.vault(restore + ["--salvage"])
        #expect(restored.code == 12 && restored.err.contains("beds.bin"))
        try other.unlock()
        #expect(try other.vault("cat", "Garden plan").text.contains("Garden plan"))
        #expect(try other.vault("cat", "second note").code == 0)
        // What is lost is named, and the note's text is exported.
        let exported = try other.vault("export", "json", "--plaintext", "-o", "-")
        #expect(exported.code == 12 && exported.text.contains("Garden plan"), "\(exported.err)")
    }

    @Test func aDamagedNewestSnapshotIsNamedAndEndsWith13() throws {
        let world = try VaultWorld()
        _ = try world.new("kept")
        let folder = world.path("backup")
        let first = try JSON(world.require(world.vault("backup", "create", folder, "--json")))["snapshot"].string ?? ""
        let second = try JSON(world.require(world.vault("backup", "create", folder, "--json")))["snapshot"].string ?? ""
        try flip(folder + "/snapshots/" + second, at: -40)
        let verified = try world.vault("backup", "verify", folder)
        #expect(verified.code == 13 && verified.err.contains(second) && verified.text.contains(first))
        let all = try world.vault("backup", "verify", "--all", folder, "--json")
        #expect(all.code == 13)
        let answers = try all.text.split(separator: "\n").map { try JSON(text: $0 + "\n") }
        #expect(answers.map { $0["snapshot"].string } == [first, second])
        #expect(answers.map { $0["whole"].bool } == [true, false])
        #expect(try world.vault("backup", "verify", folder, first).code == 0)
        let other = try VaultWorld(prepared: false)
        let restored = try other.vault("backup", "restore", folder, "--password-file", other.passwordFile)
        #expect(restored.code == 12 && restored.err.contains(second) && restored.err.contains(first))
        let created = try world.vault("backup", "create", folder)
        #expect(created.code == 12 && created.err.contains(second))
    }

    @Test func snapshotsThatNoRuleKeepsAreRemoved() throws {
        let world = try VaultWorld()
        let folder = world.path("backup")
        for number in 0..<3 {
            _ = try world.new("note \(number)")
            try world.require(world.vault("backup", "create", folder))
        }
        expectRefusal(try world.vault("backup", "prune", folder), 2, says: "no rule")
        let trial = try JSON(
            world.require(world.vault("backup", "prune", folder, "--keep-last", "1", "--dry-run", "--json")))
        #expect(trial["removed"].array.count == 2 && trial["dryRun"].bool == true)
        #expect(try JSON(world.vault("backup", "ls", folder, "--json"))["snapshots"].array.count == 3)
        let pruned = try JSON(world.require(world.vault("backup", "prune", folder, "--keep-last", "1", "--json")))
        #expect(pruned["freedByteCount"].int == trial["freedByteCount"].int)
        #expect(try JSON(world.vault("backup", "ls", folder, "--json"))["snapshots"].array.count == 1)
        try world.require(world.vault("backup", "verify", folder))
    }

    @Test func aDrillSucceedsAndIsRemembered() throws {
        let world = try VaultWorld()
        _ = try world.new("rehearsed")
        let folder = world.path("backup")
        try world.require(world.vault("backup", "create", folder))
        #expect(try JSON(world.vault("status", "--json"))["lastDrill"].string == nil)
        let drilled = try world.require(world.vault("backup", "drill", folder))
        #expect(drilled.text.contains("1 note,") && drilled.text.contains("is as it is in the vault"))
        #expect(try JSON(world.vault("status", "--json"))["lastDrill"].string != nil)
        #expect(try JSON(world.vault("status", "--json"))["drillDue"].bool == false)
        #expect(try world.vault("doctor").text.contains("no drill is due"))
    }

    @Test func anArchiveThatIsSealedWithAgeSaysHowItIsRestored() throws {
        let world = try VaultWorld(prepared: false)
        try world.write("one.age", "age-encryption.org/v1\n-> scrypt AAAA 18\nAAAA\n--- AAAA\nxxxx")
        try world.write("two.age", "age-encryption.org/v1\n-> X25519 AAAA\nAAAA\n--- AAAA\nxxxx")
        for (file, command) in [("one.age", "age -d "), ("two.age", "age -d -i KEY ")] {
            let refused = try world.vault("backup", "restore", world.path(file), "--password-file", world.passwordFile)
            expectRefusal(refused, 2, says: "is sealed with age")
            #expect(refused.err.contains(command) && refused.err.contains("backup restore -"))
        }
    }
}
