// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Foundation
import Glibc
import Testing

/// Root may write to every disk but one that is full or read-only, so these are small tmpfs mounts of the tests' own.
@Suite(.serialized, .enabled(if: Privileges.canMount, "mounting a small disk needs root"))
struct DiskTests {
    @Test func onAFullDiskWhatWasAcknowledgedStays() throws {
        let disk = try SmallDisk(byteCount: 4 << 20)
        let world = try world(on: disk)
        var saved: [String: String] = [:]
        var refusal: Finished?
        for number in 0..<200 where refusal == nil {
            let text = "note \(number) " + String(repeating: "ab\(number % 10)", count: 20_000)
            let made = try world.vault("new", input: Array(text.utf8))
            if made.code == 0 { saved[made.id] = text } else { refusal = made }
        }
        expectRefusal(try #require(refusal), 9, says: "full")
        #expect(saved.count > 5)
        try expectAll(saved, in: world)

        // There is no room to empty the log either; the vault locks anyway and says what it could not do.
        #expect([0, 9].contains(try world.vault("lock").code))
        try fill(disk)
        let opened = try world.tryUnlock()
        #expect(opened.code == 0, "\(opened.err)")
        try expectAll(saved, in: world)
        expectRefusal(try world.vault("new", String(repeating: "no room for this ", count: 2000)), 9)

        try world.require(world.vault("lock"))
        #expect(disk.grow(byteCount: 32 << 20))
        try world.unlock()
        saved[try world.new("and for this")] = "and for this"
        saved[try world.new("written last")] = "written last"
        try expectAll(saved, in: world)
        #expect(try JSON(world.vault("check", "--json"))["clean"].bool == true)
    }

    /// An import goes in parts, and each of them is acknowledged by itself.
    @Test func anImportThatEndsOnAFullDiskSaysHowMuchOfItStays() throws {
        let disk = try SmallDisk(byteCount: 16 << 20)
        let world = try world(on: disk)
        try world.makeFolder("source")
        for number in 0..<3000 {
            try world.write(
                "source/\(number).md", "note \(number)\n" + String(repeating: "ab\(number % 10) ", count: 2000))
        }
        let refused = try world.vault("import", "markdown", world.path("source"))
        let count = try #require(Int(try world.require(world.vault("ls", "--count")).text.dropLast()))
        #expect(count > 50 && count < 3000)
        expectRefusal(refused, 9, says: "the disk is full; \(count) notes were imported before that and stay")
        #expect(!refused.err.contains("nothing was changed"), "\(refused.err)")
    }

    @Test func aVaultOnAFullDiskOpensForReadingAndSaysSo() throws {
        let disk = try SmallDisk(byteCount: 2 << 20)
        let world = try world(on: disk)
        let id = try world.new("written while there was room")
        try world.require(world.vault("lock"))
        try fill(disk)
        let opened = try world.tryUnlock()
        #expect(opened.code == 0)
        #expect(opened.err.contains("vault: warning: "))
        #expect(try JSON(world.vault("status", "--json"))["readOnly"].bool == true)
        #expect(try world.vault("cat", id).text == "written while there was room")
        expectRefusal(try world.vault("append", id, "more"), 9, says: "the disk is full: nothing was changed")
        #expect(try world.vault("check").code == 0)
    }

    @Test func aFullDiskIsFreedFromInside() throws {
        let disk = try SmallDisk(byteCount: 24 << 20)
        let world = try world(on: disk)
        #expect(try disk.files(in: "vault").contains("reserve"))
        var notes: [String] = []
        for number in 0..<4 {
            let note = try world.new("note \(number)")
            try world.attach(note, "large", [UInt8](repeating: UInt8(number), count: 2 << 20))
            notes.append(note)
        }
        let kept = try world.new("kept")
        for number in 0..<40 { try world.require(world.vault("append", kept, "line \(number)")) }
        try fill(disk)
        expectRefusal(try world.vault("new", input: [UInt8](repeating: 0x61, count: 300_000)), 9)
        // Here and after an unlock that had no room for its own manifest.
        try world.require(world.vault("rm", notes[0], notes[1]))
        try world.require(world.vault("trash", "empty", "--yes"))
        try world.require(world.vault("new", input: [UInt8](repeating: 0x61, count: 300_000)))
        try fill(disk)
        #expect([0, 9].contains(try world.vault("lock").code))
        #expect(try world.tryUnlock().code == 0)
        try world.require(world.vault("rm", notes[2]))
        try world.require(world.vault("trash", "empty", "--yes"))
        try world.require(world.vault("gc", "--yes"))
        try world.require(world.vault("append", kept, "the end"))
        #expect(try world.vault("cat", kept).text.hasSuffix("line 39\nthe end"))
        #expect(try JSON(world.vault("check", "--json"))["clean"].bool == true)
        try world.require(world.vault("lock"))
        try FileManager.default.removeItem(atPath: disk.path + "/filler")
        // It is laid down anew when there is plenty of room.
        try world.unlock()
        try world.require(world.vault("lock"))
        #expect(try disk.files(in: "vault").contains("reserve"))
    }

    /// The log is emptied into the database file, which has grown by more than the reserve since it was emptied last:
    /// room for that has to be there already.
    @Test func H10aLogLargerThanTheReserveIsEmptiedOnAFullDisk() throws {
        let disk = try SmallDisk(byteCount: 24 << 20)
        let world = try world(on: disk)
        var notes: [String] = []
        for number in 0..<10 {
            let text = [UInt8]("note \(number)\n".utf8) + [UInt8](repeating: 0x61, count: 300_000)
            notes.append(try world.require(world.vault("new", input: text)).id)
        }
        let log = URL(fileURLWithPath: disk.path + "/vault/index-1.db-wal")
        #expect(try Data(contentsOf: log).count > 2 << 20)
        try fill(disk)
        expectRefusal(try world.vault("new", input: [UInt8](repeating: 0x62, count: 300_000)), 9)
        try world.require(world.vault("rm", notes[0], notes[1], notes[2]))
        #expect(try Data(contentsOf: log).count < 1 << 20)
        try world.require(world.vault("trash", "empty", "--yes"))
        try world.require(world.vault("new", input: [UInt8](repeating: 0x62, count: 300_000)))
        #expect(try JSON(world.vault("check", "--json"))["clean"].bool == true)
        #expect(try world.vault("ls", "--count").text == "8\n")
    }

    /// There is room for all of the log but its last frame, and for the pages: with one page more on the disk each time
    /// that is met once.
    @Test func H10theRoomOfARefusedChangeIsGivenBack() throws {
        let disk = try SmallDisk(byteCount: 6 << 20)
        let world = try world(on: disk)
        _ = try world.new("kept")
        func free() throws -> Int {
            let facts = try FileManager.default.attributesOfFileSystem(forPath: disk.path)
            return try #require(facts[.systemFreeSize] as? Int)
        }
        var refusals = 0
        for kibibytes in stride(from: 200, to: 1000, by: 4) {
            try fill(disk, leaving: kibibytes)
            let before = try free()
            let answer = try world.vault("new", input: [UInt8](repeating: 0x61, count: 100_000))
            if answer.code == 0 { break }
            refusals += 1
            expectRefusal(answer, 9)
            #expect(try free() > before - (32 << 10), "\(kibibytes) KiB")
            try FileManager.default.removeItem(atPath: disk.path + "/filler")
        }
        #expect((1..<200).contains(refusals))
        try FileManager.default.removeItem(atPath: disk.path + "/filler")
        try world.require(world.vault("lock"))
        try world.unlock()
        #expect(try JSON(world.vault("check", "--json"))["clean"].bool == true)
    }

    @Test(arguments: [false, true]) func aBackupAndAnArchiveOfAFullOrReadOnlyVaultGoToAnotherDisk(isReadOnly: Bool)
        throws
    {
        let disk = try SmallDisk(byteCount: 4 << 20)
        let world = try world(on: disk)
        for number in 0..<10 { _ = try world.new("note \(number) " + String(repeating: "text", count: 500)) }
        // Its agent is killed, so what was saved lies in the log.
        let agent = try world.agentPID()
        kill(agent, SIGKILL)
        _ = VaultWorld.waitForEnd(of: agent, seconds: 10)
        #expect(try Data(contentsOf: URL(fileURLWithPath: disk.path + "/vault/index-1.db-wal")).count > 4120)
        if isReadOnly { #expect(disk.makeReadOnly()) } else { try fill(disk) }
        let opened = try world.tryUnlock()
        #expect(opened.code == 0, "\(opened.err)")
        try world.write("archive-password", "an archive's own password here")
        try world.require(world.vault("backup", "create", world.path("backup")))
        try world.require(world.vault("backup", "verify", world.path("backup")))
        try world.require(
            world.vault(
                "export", "vault", "-o", world.path("all"), "--new-password-file", world.path("archive-password"),
                "--kdf-target", "0"))
        for (source, password) in [("backup", world.passwordFile), ("all", world.path("archive-password"))] {
            let other = try VaultWorld(prepared: false)
            try other.require(
                other.vault("backup", "restore", world.path(source), "--password-file", password, "--kdf-target", "0"))
            try other.require(other.vault("unlock", "--password-file", password))
            _ = try other.agentPID()
            #expect(try other.vault("ls", "--count").text == "10\n")
            #expect(try other.vault("check").code == 0)
        }
    }

    @Test func whatANoteLockCouldNotDoOnANearlyFullDiskIsSaid() throws {
        let disk = try SmallDisk(byteCount: 6 << 20)
        let world = try world(on: disk)
        try world.write("note-password", "rosebud in the snow")
        var outcomes: Set<String> = []
        for kibibytes in [4, 12, 24, 40, 56, 72, 96, 128, 192, 256, 384, 640] {
            // Words of its own, so that there is something to remove; in parts, so that there is something to merge.
            let note = try world.new(
                "private \(kibibytes)\n" + (0..<800).map { "word\(kibibytes)x\($0)" }.joined(separator: " "))
            for number in 0..<6 {
                try world.require(
                    world.vault("append", note, (0..<200).map { "more\(number)y\($0)" }.joined(separator: " ")))
            }
            try fill(disk, leaving: kibibytes)
            let locked = try world.vault("note", "lock", note, "--note-password-file", world.path("note-password"))
            let status = try world.vault("status")
            let wordsLeft = try JSON(world.vault("status", "--json"))["wordsLeft"].bool
            try FileManager.default.removeItem(atPath: disk.path + "/filler")
            let isPrivate = try JSON(world.vault("ls", "--all", "--json"))["notes"].array.first {
                $0["id"].string == note
            }?["private"].bool
            switch (locked.code, isPrivate) {
            case (0, true): outcomes.insert("private")
            case (9, true):
                outcomes.insert("private, words left")
                #expect(
                    locked.err.contains("the note is private now") && !locked.err.contains("nothing was changed"),
                    "\(locked.err)")
                // An idle agent tries again, and may have succeeded in what the disk still had.
                if wordsLeft == true, status.text.contains("partly still on the disk") {
                    outcomes.insert("told by status")
                }
            case (9, false): outcomes.insert("nothing was changed")
            default: Issue.record("\(kibibytes) KiB: \(locked.code) \(locked.err)")
            }
            try world.require(world.vault("lock"))
            try world.unlock()
            // With room the removal continues automatically.
            let deadline = Clock.seconds + 20
            while try JSON(world.vault("status", "--json"))["wordsLeft"].bool == true, Clock.seconds < deadline {
                usleep(50_000)
            }
            #expect(try JSON(world.vault("status", "--json"))["wordsLeft"].bool == false)
        }
        #expect(outcomes.isSuperset(of: ["private, words left", "told by status"]), "\(outcomes)")
        #expect(try JSON(world.vault("check", "--json"))["clean"].bool == true)
    }

    @Test func aVaultOnAReadOnlyDiskOpensForReading() throws {
        let disk = try SmallDisk(byteCount: 2 << 20)
        let world = try world(on: disk)
        let id = try world.new("written before")
        try world.require(world.vault("lock"))
        #expect(disk.makeReadOnly())
        let opened = try world.tryUnlock()
        #expect(opened.code == 0, "\(opened.err)")
        #expect(opened.err.contains("vault: warning: "))
        #expect(try world.vault("cat", id).text == "written before")
        #expect(try world.vault("search", "before", "--json").text.contains(id))
        expectRefusal(try world.vault("new", "not saved"), 9, says: "read-only")
        expectRefusal(try world.vault("rm", id), 9, says: "read-only")
        #expect(try world.vault("check").code == 0)
        #expect(try world.vault("lock").code == 0)
    }

    @Test func aVaultIsMadeWholeOrNotAtAll() throws {
        let disk = try SmallDisk(byteCount: 64 << 10)
        let world = try VaultWorld(prepared: false)
        let place = disk.path + "/vault"
        let refused = try world.vault([
            "--vault", place, "init", "--kdf-target", "0", "--no-recovery", "--password-file", world.passwordFile,
        ])
        expectRefusal(refused, 9, says: "full")
        #expect(try FileManager.default.contentsOfDirectory(atPath: disk.path).isEmpty)
    }

    private func world(on disk: SmallDisk) throws -> VaultWorld {
        let world = try VaultWorld(prepared: false)
        world.environment["NOTEVAULT_DIR"] = disk.path + "/vault"
        try world.require(
            world.vault("init", "--kdf-target", "0", "--no-recovery", "--password-file", world.passwordFile))
        try world.unlock()
        return world
    }

    /// Leaves no byte free, or some.
    private func fill(_ disk: SmallDisk, leaving kibibytes: Int = 0) throws {
        let file = unsafe open(disk.path + "/filler", O_WRONLY | O_CREAT | O_APPEND, 0o600)
        defer { close(file) }
        let zeroes = [UInt8](repeating: 0, count: 4096)
        while unsafe zeroes.withUnsafeBytes({ unsafe write(file, $0.baseAddress!, $0.count) }) > 0 {}
        var status = stat()
        if kibibytes > 0, unsafe fstat(file, &status) == 0 { ftruncate(file, max(0, status.st_size - kibibytes << 10)) }
    }

    private func expectAll(_ saved: [String: String], in world: VaultWorld) throws {
        for (id, text) in saved { #expect(try world.vault("cat", id).text == text) }
        #expect(try JSON(world.vault("ls", "--count", "--json"))["total"].int == saved.count)
    }
}
