// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Foundation
import Testing

/// `vault conflict` with two homes that meet over a folder and wrote into one line of one note.
@Suite struct ConflictCommandTests {
    private let first: VaultWorld
    private let second: VaultWorld
    private let note: String

    init() throws {
        (first, second) = (try VaultWorld(), try VaultWorld(prepared: false, unlocked: false))
        note = try first.new("# Plan\nmonday")
        try first.makeFolder("remote")
        try first.require(first.vault("remote", "add", "folder", first.path("remote")))
        try first.require(first.vault("sync", "now"))
        try second.require(second.vault("clone", first.path("remote"), "--password-file", second.passwordFile))
        try second.unlock()
        for (world, day) in [(first, "tuesday"), (second, "friday")] {
            try world.require(world.vault("replace", note, "-", input: Array("# Plan\n\(day)".utf8)))
        }
        try sync()
    }

    private func sync() throws {
        for world in [first, second, first, second] { try world.require(world.vault("sync", "now")) }
    }

    private func versions(_ world: VaultWorld) throws -> [JSON] {
        let conflicts = try JSON(world.vault("conflict", "ls", "--json"))["conflicts"].array
        return conflicts.first { $0["note"]["id"].string == note }?["versions"].array ?? []
    }

    @Test func bothDevicesListTheVersions() throws {
        for world in [first, second] {
            let versions = try versions(world)
            #expect(versions.count == 2)
            #expect(versions.map { $0["shown"].bool } == [true, false])
            #expect(Set(versions.compactMap { $0["thisDevice"].bool }) == [true, false])
            let rows = try world.require(world.vault("conflict", "ls")).text.split(separator: "\n")
                .map { $0.split(separator: "\t", omittingEmptySubsequences: false) }
            #expect(rows.count == 2 && rows.allSatisfy { $0.count == 8 && $0[0] == note && $0[1] == "2" })
            #expect(rows.allSatisfy { $0[7] == "Plan" } && Set(rows.map { $0[5] }) == ["this", "other"])
            let shown = try world.shown("conflict", "ls")
            #expect(shown.contains("[two versions]") && shown.contains("this device") && shown.contains("[shown]"))
            #expect(shown.contains("1 note"))
        }
        let alone = try first.new("# Alone\none version")
        expectRefusal(try first.vault("conflict", "show", alone), 5, says: "one version")
        expectRefusal(try first.vault("conflict", "resolve", alone, "--both"), 5, says: "one version")
    }

    @Test func theDifferenceIsShown() throws {
        let answer = try JSON(first.vault("conflict", "show", note, "--json"))
        #expect(answer["note"]["id"].string == note && answer["versions"].array.count == 2)
        #expect(answer["versions"][0]["diff"].isNull)
        let diff = try #require(answer["versions"][1]["diff"].string)
        #expect(diff.contains("tuesday") && diff.contains("friday") && diff.contains("@@"))
        #expect(try first.require(first.vault("conflict", "show", note)).text == diff)
        let shown = try first.shown("conflict", "show", "Plan")
        #expect(shown.contains("tuesday") && shown.contains("friday") && shown.contains("vault conflict resolve"))
    }

    @Test func oneVersionIsKeptAndUndoBringsBothBack() throws {
        let hidden = try #require(try versions(first)[1]["revision"].string)
        let shown = try first.require(first.vault("cat", note)).text
        let resolved = try JSON(first.vault("conflict", "resolve", note, "--keep", String(hidden.prefix(6)), "--json"))
        #expect(resolved["notes"][0]["forked"].bool == false)
        let text = try first.require(first.vault("cat", note)).text
        #expect(text != shown && (text.contains("tuesday") || text.contains("friday")))
        try sync()
        #expect(try second.require(second.vault("cat", note)).text == text && versions(second).isEmpty)
        #expect(try first.require(first.vault("history", note)).text.split(separator: "\n").count == 4)
        try first.require(first.vault("undo", "--yes"))
        #expect(try versions(first).count == 2)
        try first.require(first.vault("redo"))
        #expect(try versions(first).isEmpty && first.vault("check").code == 0)
        expectRefusal(try first.vault("conflict", "resolve", note, "--keep", "@0"), 5, says: "one version")
    }

    @Test func bothAreKept() throws {
        let ids = try first.require(first.vault("conflict", "resolve", note, "--both")).text.split(separator: "\n")
            .map { String($0) }
        #expect(ids.count == 2 && ids[0] == note)
        try sync()
        for world in [first, second] {
            let texts = try ids.map { try world.require(world.vault("cat", $0)).text }
            #expect(Set(texts.map { $0.contains("tuesday") }) == [true, false])
            #expect(try versions(world).isEmpty && world.vault("check").code == 0)
        }
        try first.require(first.vault("undo", "--yes"))
        #expect(try versions(first).count == 2)
    }

    @Test func anEditorMakesOneTextOfThem() throws {
        try first.write("one.vim", "silent %d\ncall setline(1, ['# Plan', 'tuesday or friday'])\nsilent write\nquit\n")
        first.environment["EDITOR"] = "vim -S \(first.path("one.vim"))"
        first.environment["TERM"] = "xterm"
        let session = try first.terminal("conflict", "resolve", note, "--merge", "--yes")
        #expect(try session.finish() == 0, "\(session.transcript)")
        #expect(try first.require(first.vault("cat", note)).text == "# Plan\ntuesday or friday\n")
        #expect(try versions(first).isEmpty)
        try sync()
        #expect(try versions(second).isEmpty && second.vault("cat", note).text == "# Plan\ntuesday or friday\n")
    }

    @Test func mergingNeedsAnEditorWhereTheyConflict() throws {
        expectRefusal(try first.vault("conflict", "resolve", note, "--merge", "--no-input"), 2, says: "editor")
        #expect(try versions(first).count == 2)
        for wrong in [[], ["--both", "--merge"], ["--keep", "@0", "--both"]] {
            expectRefusal(try first.vault(["conflict", "resolve", note] + wrong), 2)
        }
        expectRefusal(try first.vault("conflict", "resolve", note, "--keep", "@9"), 5, says: "versions")
        expectRefusal(try first.vault("conflict", "resolve", note, "--keep", String(repeating: "a", count: 65)), 2)
    }

    @Test func aLockedNoteIsNamedAsLocked() throws {
        let password = try first.write("note-password", "a phrase of its own for one note")
        try first.require(first.vault("note", "lock", note, "--note-password-file", password))
        let hidden = try #require(try versions(first)[1]["revision"].string)
        #expect(try JSON(first.vault("conflict", "ls", "--json"))["conflicts"][0]["note"]["locked"].bool == true)
        #expect(try first.require(first.vault("conflict", "ls")).text.contains("Private note"))
        expectRefusal(try first.vault("conflict", "show", note), 3, says: "locked")
        expectRefusal(try first.vault("conflict", "resolve", note, "--keep", hidden), 3, says: "locked")
        expectRefusal(try first.vault("conflict", "resolve", note, "--both"), 7, says: "private")
        try first.require(first.vault("note", "unlock", note, "--note-password-file", password))
        try first.require(first.vault("conflict", "resolve", note, "--keep", hidden))
        #expect(try versions(first).isEmpty)
    }
}
