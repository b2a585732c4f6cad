// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Foundation
import Testing

/// `vault adopt` with the real programs: two accounts' copies of one vault's folder, each of which went its own way.
@Suite struct AdoptCommandTests {
    /// One vault, and a copy of its folder that another account uses.
    private struct Scene {
        let ours: VaultWorld
        let theirs: VaultWorld
        let common: String

        init() throws {
            ours = try VaultWorld()
            common = try ours.new("one\ntwo\nthree\nfour\nfive\n", "--title", "common")
            try ours.require(ours.vault("lock"))
            theirs = try VaultWorld(prepared: false, unlocked: false)
            try ours.require(Command.run(["/usr/bin/cp", "-a", ours.directory, theirs.directory], environment: [:]))
            try ours.unlock()
            try theirs.unlock()
        }

        /// What the other copy consists of, with the time of each file's last change.
        func files() throws -> [String: String] {
            var files: [String: String] = [:]
            for name in try FileManager.default.subpathsOfDirectory(atPath: theirs.directory) {
                let facts = try FileManager.default.attributesOfItem(atPath: theirs.directory + "/" + name)
                files[name] = "\(String(describing: facts[.modificationDate])) \(String(describing: facts[.size]))"
            }
            return files
        }
    }

    @Test func bothTextsAreThereAndASecondTimeNothingIsDone() throws {
        let scene = try Scene()
        let (ours, theirs, common) = (scene.ours, scene.theirs, scene.common)
        try ours.require(ours.vault("replace", common, "ONE\ntwo\nthree\nfour\nfive\n"))
        try theirs.require(theirs.vault("replace", common, "one\ntwo\nthree\nfour\nFIVE\n"))
        let added = try theirs.new("only there", "-t", "red")
        try theirs.attach(added, "a.bin", [UInt8](repeating: 7, count: 9000))
        let kept = try ours.new("only here")
        try theirs.require(theirs.vault("lock"))
        let before = try scene.files()

        let look = try ours.require(ours.vault("adopt", theirs.directory, "--dry-run"))
        #expect(look.text.contains("only there: note \(added)") && look.text.contains("only here: note \(kept)"))
        #expect(look.text.contains("changed in both: note \(common) common"), "\(look.text)")
        #expect(try ours.vault("cat", added).code == 5)

        let taken = try ours.require(ours.vault("adopt", theirs.directory))
        #expect(taken.text.contains("added: note \(added)") && taken.text.contains("two versions: note \(common)"))
        #expect(try ours.vault("cat", added).text == "only there" && ours.vault("cat", kept).text == "only here")
        #expect(try ours.require(ours.vault("attach", "ls", added)).text.contains("a.bin"))
        // Theirs is shown, and ours is the one before it.
        #expect(try ours.vault("cat", common).text == "one\ntwo\nthree\nfour\nFIVE\n")
        #expect(try ours.vault("cat", common + "@1").text == "ONE\ntwo\nthree\nfour\nfive\n")
        #expect(try ours.vault("check").code == 0)

        let again = try ours.require(ours.vault("adopt", theirs.directory))
        #expect(again.text == "nothing in it is new: nothing was changed\n", "\(again.text)")
        #expect(try scene.files() == before, "the other copy is only read")
        try theirs.unlock()
        #expect(try theirs.vault("cat", common).text == "one\ntwo\nthree\nfour\nFIVE\n")
    }

    @Test func jsonTellsEachNoteAndUndoTakesAllBack() throws {
        let scene = try Scene()
        let (ours, theirs) = (scene.ours, scene.theirs)
        let added = try theirs.new("only there")
        try theirs.require(theirs.vault("lock"))
        let answer = try JSON(ours.require(ours.vault("adopt", theirs.directory, "--json")))
        #expect(answer["schema"].int == 1 && answer["complete"].bool == true && answer["changed"].bool == true)
        #expect(answer["added"].int == 1 && answer["unchanged"].int == 1 && answer["refused"].int == 0)
        #expect(answer["taken"][0]["id"].string == added && answer["taken"][0]["change"].string == "added")
        #expect(answer["taken"][0].names == ["id", "title", "change", "reason", "newID"])
        try ours.require(ours.vault("undo", "--yes"))
        #expect(try ours.require(ours.vault("trash", "ls")).text.contains("only there"))
        #expect(try JSON(ours.require(ours.vault("adopt", theirs.directory, "--json")))["changed"].bool == false)
    }

    @Test func aCopyWithAnotherKeyAsksForItsPassword() throws {
        let scene = try Scene()
        let (ours, theirs) = (scene.ours, scene.theirs)
        let added = try theirs.new("before the rotation")
        try theirs.require(theirs.vault("lock"))
        try ours.require(
            ours.vault(
                "rotate", "--password-file", ours.passwordFile, "--kdf-target", "0"))
        let asked = try ours.vault("adopt", theirs.directory, "--no-input")
        #expect(asked.code == 3, "\(asked.err)")
        try ours.write("wrong", "not this one at all")
        expectRefusal(
            try ours.vault("adopt", theirs.directory, "--password-file", ours.path("wrong")), 4, says: "wrong password")
        let taken = try ours.require(
            ours.vault("adopt", theirs.directory, "--password-file", theirs.passwordFile))
        #expect(taken.err.contains("a key that was replaced here"), "\(taken.err)")
        #expect(try ours.vault("cat", added).text == "before the rotation")
    }

    @Test func aConflictedCopyOfTheIndexIsTakenOverWhereItLies() throws {
        let scene = try Scene()
        let (ours, theirs) = (scene.ours, scene.theirs)
        let added = try theirs.new("from the other machine")
        try theirs.require(theirs.vault("lock"))
        try ours.require(ours.vault("lock"))
        for (name, ending) in [("index-1", ".db"), ("manifest", "")] {
            try FileManager.default.copyItem(
                atPath: theirs.directory + "/" + name + ending,
                toPath: ours.directory + "/" + name + " (Ann's conflicted copy 2026-01-01)" + ending)
        }
        let unlocked = try ours.tryUnlock()
        let line = "vault adopt \"index-1 (Ann's conflicted copy 2026-01-01).db\""
        #expect(unlocked.code == 0 && unlocked.err.contains(line), "\(unlocked.err)")
        #expect(try ours.vault("check").text.contains(line))
        let taken = try ours.vault("adopt", "index-1 (Ann's conflicted copy 2026-01-01).db")
        #expect(taken.code == 0, "\(taken.err)")
        #expect(try ours.vault("cat", added).text == "from the other machine")
        #expect(try ours.vault("check").code == 0)
    }

    @Test func whatIsNoOtherCopyIsRefused() throws {
        let scene = try Scene()
        let (ours, theirs) = (scene.ours, scene.theirs)
        expectRefusal(try ours.vault("adopt", ours.directory), 2, says: "the folder of the open vault itself")
        expectRefusal(try ours.vault("adopt", theirs.directory), 7, says: "an agent has that copy open")
        expectRefusal(try ours.vault("adopt", ours.path("nowhere")), 5, says: "no directory")
        let stranger = try VaultWorld()
        try stranger.require(stranger.vault("lock"))
        expectRefusal(try ours.vault("adopt", stranger.directory), 11, says: "another vault")
        try theirs.require(theirs.vault("lock"))
        try ours.require(ours.vault("lock"))
        expectRefusal(try ours.vault("adopt", theirs.directory), 3, says: "locked")
    }
}
