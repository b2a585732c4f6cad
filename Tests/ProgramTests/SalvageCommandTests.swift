// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Foundation
import Testing

/// `vault salvage`, and `docs/decrypt.py --salvage`, which was written from docs/format.md alone: two readers of the
/// same damaged pages.
@Suite struct SalvageCommandTests {
    private static let package = "/" + #filePath.split(separator: "/").dropLast(3).joined(separator: "/")

    /// A locked vault with history, attachments, a private note and notes of all sizes.
    private struct Scene {
        let world: VaultWorld
        let hidden: String
        let noteCount: Int

        init() throws {
            world = try VaultWorld()
            try world.write("note-password", "rosebud in the snow")
            for number in 0..<12 {
                let filling = String(repeating: "zebra \(number) ", count: 1 + number * number * 12)
                let note = try world.new("stripes of \(number)\n\(filling)", "-t", "tag\(number % 3)")
                if number % 4 == 1 {
                    try world.attach(note, "stripes\(number).bin", [UInt8](repeating: 7, count: 9000))
                }
                if number % 3 == 2 { try world.require(world.vault("append", note, "and more")) }
            }
            hidden = try world.new("hidden zebra")
            try world.require(world.vault("note", "lock", hidden, "--note-password-file", world.path("note-password")))
            let gone = try world.new("thrown away")
            try world.require(world.vault("rm", gone))
            noteCount = 14
            try world.require(world.vault("lock"))
        }

        func damagedCopy(_ name: String, _ body: (inout [UInt8]) -> Void) throws -> String {
            let path = world.path(name)
            try FileManager.default.copyItem(atPath: world.directory, toPath: path)
            let index = URL(fileURLWithPath: path + "/index-1.db")
            var bytes = [UInt8](try Data(contentsOf: index))
            body(&bytes)
            try Data(bytes).write(to: index)
            return path
        }

        func salvage(_ path: String, to target: String, _ options: String...) throws -> Finished {
            try world.vault(
                ["salvage", path, "-o", target, "--password-file", world.passwordFile, "--kdf-target", "0"] + options)
        }

        func decrypted(_ path: String) throws -> Finished {
            let python = SalvageCommandTests.package + "/bench-out/venv/bin/python"
            try #require(
                FileManager.default.isExecutableFile(atPath: python),
                "Scripts/setup.sh test installs cryptography and argon2-cffi")
            return try Command.run(
                [
                    python, SalvageCommandTests.package + "/docs/decrypt.py", path, "--password-file",
                    world.passwordFile, "--salvage", "--json",
                ], environment: world.environment, seconds: 120)
        }
    }

    /// What both readers tell of a vault.
    private struct Told: Equatable {
        var notes: [String: String] = [:]
        var whole = 0
        var attachments = Set<String>()
        var missingEntries = 0
        var damagedPages = 0
        /// Whether the end is known, and whether the log is lost.
        var end: [Bool?] = []

        init(ours answer: JSON) {
            for note in answer["incomplete"].array { notes[note["id"].string ?? ""] = note["state"].string }
            whole = answer["whole"].int ?? -1
            attachments = Set(answer["lostAttachments"].array.compactMap { $0["id"].string })
            missingEntries = answer["missingEntries"].int ?? -1
            damagedPages = answer["damagedPages"].int ?? -1
            end = [answer["endKnown"].bool, answer["logLost"].bool]
        }

        init(theirs answer: JSON) {
            for note in answer["notes"].array {
                if note["state"].string == "whole" { whole += 1 } else { notes[note["id"].string ?? ""] = "older" }
            }
            for note in answer["lost"].array { notes[note["id"].string ?? ""] = "lost" }
            attachments = Set(answer["lostAttachments"].array.compactMap { $0["id"].string })
            missingEntries = answer["missingEntries"].int ?? -1
            damagedPages = answer["damagedPages"].array.count
            end = [answer["knowsEnd"].bool, answer["logLost"].bool]
        }
    }

    @Test(arguments: [0, 1, 3, 10, 30]) func bothReadersFindTheSameInDamagedPages(count: Int) throws {
        let scene = try Scene()
        var state = UInt64(count) &* 0x9E37_79B9_7F4A_7C15 | 1
        let path = try scene.damagedCopy("damaged") { bytes in
            for _ in 0..<count {
                state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                bytes[Int(state >> 16) % bytes.count] ^= 1
            }
        }
        let ours = try scene.salvage(path, to: scene.world.path("salvaged"), "--json")
        let theirs = try scene.decrypted(path)
        try #require([0, 12].contains(ours.code) && ours.code == theirs.code, "\(ours.err)\n\(theirs.err)")
        let (one, other) = (try Told(ours: JSON(ours)), try Told(theirs: JSON(theirs)))
        #expect(one == other)
        #expect(count > 0 || (ours.code == 0 && one.whole == scene.noteCount))
        // What they found is what stands in the new vault.
        let list = try scene.world.vault(
            "--vault", scene.world.path("salvaged"), "ls", "--json", "--password-file", scene.world.passwordFile)
        let texts = Set(
            try JSON(theirs)["notes"].array.filter { $0["flags"].int ?? 0 & 1 == 0 }.compactMap { $0["id"].string })
        #expect(Set(try JSON(list)["notes"].array.compactMap { $0["id"].string }).isSubset(of: texts))
    }

    /// A power cut, and then what had the last changes is lost as well.
    @Test(arguments: ["", "zeros", "index-1.db-wal", "manifest manifest.2", "manifest manifest.2 index-1.db-wal"])
    func bothReadersTellThatTheLogIsLost(lost: String) throws {
        let scene = try Scene()
        try scene.world.unlock()
        _ = try scene.world.new("only in the log")
        let path = scene.world.path("damaged")
        try FileManager.default.copyItem(atPath: scene.world.directory, toPath: path)
        try scene.world.require(scene.world.vault("lock"))
        if lost == "zeros" {
            let log = URL(fileURLWithPath: path + "/index-1.db-wal")
            var bytes = [UInt8](try Data(contentsOf: log))
            for at in bytes.indices { bytes[at] = 0 }
            try Data(bytes).write(to: log)
        } else {
            for name in lost.split(separator: " ") { try FileManager.default.removeItem(atPath: path + "/" + name) }
        }
        let ours = try scene.salvage(path, to: scene.world.path("salvaged"), "--json")
        let theirs = try scene.decrypted(path)
        let isLost = !lost.isEmpty
        try #require(ours.code == (isLost ? 12 : 0) && ours.code == theirs.code, "\(ours.err)\n\(theirs.err)")
        let (one, other) = (try Told(ours: JSON(ours)), try Told(theirs: JSON(theirs)))
        #expect(one == other && one.end == [!isLost, isLost])
        #expect(one.whole == scene.noteCount + (isLost ? 0 : 1))
    }

    @Test func bothReadersTakeTheNotesOfALogWithoutItsBeginning() throws {
        let scene = try Scene()
        try scene.world.unlock()
        _ = try scene.world.new("only in the log")
        let path = scene.world.path("damaged")
        try FileManager.default.copyItem(atPath: scene.world.directory, toPath: path)
        try scene.world.require(scene.world.vault("lock"))
        let log = URL(fileURLWithPath: path + "/index-1.db-wal")
        var bytes = [UInt8](try Data(contentsOf: log))
        for at in 0..<512 { bytes[at] = 0 }
        try Data(bytes).write(to: log)
        let ours = try JSON(scene.salvage(path, to: scene.world.path("salvaged"), "--json"))
        let theirs = try JSON(scene.decrypted(path))
        #expect(Told(ours: ours) == Told(theirs: theirs))
        #expect(ours["logLost"].bool == false && ours["whole"].int == scene.noteCount + 1)
    }

    @Test func theNewVaultOpensWithTheSamePasswordAndThePrivateNoteWithItsOwn() throws {
        let scene = try Scene()
        let world = scene.world
        let made = try scene.salvage(world.directory, to: world.path("salvaged"), "--json")
        #expect(made.code == 0, "\(made.err)")
        #expect(try JSON(made)["complete"].bool == true)
        // Both are used side by side.
        try world.unlock()
        let there = ["--vault", world.path("salvaged")]
        try world.require(world.vault(there + ["unlock", "--password-file", world.passwordFile]))
        let locked = try world.vault(there + ["cat", scene.hidden])
        #expect(locked.code != 0 && !locked.text.contains("zebra"))
        try world.require(
            world.vault(
                there + ["note", "unlock", scene.hidden, "--note-password-file", world.path("note-password")]))
        #expect(try world.vault(there + ["cat", scene.hidden]).text.contains("hidden zebra"))
        #expect(try world.vault(there + ["check"]).code == 0)
        #expect(try world.vault("check").code == 0)
        try world.require(world.vault(there + ["lock"]))
    }

    @Test func itRefusesWhatItCannotDo() throws {
        let scene = try Scene()
        let world = scene.world
        try world.write("wrong", "another password altogether")
        let wrong = try world.vault(
            "salvage", world.directory, "-o", world.path("new"), "--password-file", world.path("wrong"))
        expectRefusal(wrong, 4, says: "wrong password")
        expectRefusal(
            try world.vault("salvage", world.directory, "--password-file", world.passwordFile), 2, says: "where")
        expectRefusal(try scene.salvage(world.directory, to: world.root), 7, says: "exists")
        expectRefusal(try scene.salvage(world.directory, to: world.directory + "/inside"), 2, says: "inside")
        expectRefusal(try scene.salvage(world.path("nothing"), to: world.path("new")), 5, says: "no directory")
        let blank = try scene.damagedCopy("blank") { bytes in bytes = [UInt8](repeating: 0, count: bytes.count) }
        expectRefusal(try scene.salvage(blank, to: world.path("new")), 13, says: "nothing could be salvaged")
        #expect(try scene.decrypted(blank).code == 13)
        try world.unlock()
        expectRefusal(try scene.salvage(world.directory, to: world.path("new")), 7, says: "open")
        #expect(!FileManager.default.fileExists(atPath: world.path("new")))
    }

    @Test func theReportNamesWhatIsLost() throws {
        let scene = try Scene()
        let world = scene.world
        let objects = world.directory + "/objects"
        let name = try #require(FileManager.default.subpathsOfDirectory(atPath: objects).first { $0.count > 64 })
        try FileManager.default.removeItem(atPath: objects + "/" + name)
        let made = try scene.salvage(world.directory, to: world.path("salvaged"))
        #expect(made.code == 12 && made.text.contains("lost: attachment 'stripes"), "\(made.text) \(made.err)")
        #expect(made.text.contains("14 whole, 0 with an older text, 0 lost"))
        #expect(try scene.decrypted(world.directory).code == 12)
    }
}
