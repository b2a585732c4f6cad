// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import AgentProtocol
import Foundation
import Testing
import VaultFormat

/// Where a person sees that a note is on this device alone, waits for a remote, or is there.
@Suite struct UploadStateTests {
    private func state(of note: String, in world: VaultWorld) throws -> String? {
        func first(_ arguments: String...) throws -> String? {
            let notes = try JSON(world.vault(arguments + ["--json"]))["notes"].array
            return notes.first { $0["id"].string == note }?["state"].string
        }
        let state = try first("ls", "--all")
        #expect(try first("show", note) == state && first("search", "milk") == state)
        let rows = try world.require(world.vault("ls", "--long", "--all")).text.split(separator: "\n")
        #expect(rows.first { $0.contains(note) }?.hasSuffix("\t\(state ?? "")") == true)
        return state
    }

    /// Moves the remote's folder while the vault is locked: a program that carries it has it open, wherever it is.
    private func takeAway(_ place: String, _ other: String, in world: VaultWorld) throws {
        try world.require(world.vault("lock"))
        try FileManager.default.moveItem(atPath: world.path(place), toPath: world.path(other))
        try world.unlock()
    }

    @Test func aNoteIsOnThisDeviceThenPendingThenUploaded() throws {
        let world = try VaultWorld()
        let note = try world.new("# Shopping\nmilk")
        #expect(try state(of: note, in: world) == "persisted")
        #expect(try JSON(world.vault("status", "--json"))["uploads"].isNull)
        try world.makeFolder("remote")
        try world.require(world.vault("remote", "add", "folder", world.path("remote"), "--name", "nas"))
        try world.require(world.vault("sync", "now"))
        #expect(try state(of: note, in: world) == "uploaded")
        let saved = try JSON(world.vault("append", note, "bread", "--json"))
        #expect(saved["notes"][0]["state"].string == "pending")
        try world.require(world.vault("sync", "now"))
        #expect(try state(of: note, in: world) == "uploaded")
        #expect(try world.require(world.vault("ls", "--state", "pending")).text.isEmpty)
        #expect(try world.require(world.vault("ls", "--state", "uploaded")).text.contains("Shopping"))
        #expect(try world.require(world.vault("ls", "state:uploaded")).text.contains("Shopping"))
        let uploads = try JSON(world.vault("status", "--json"))["uploads"]
        #expect(uploads["uploaded"].int == 1 && uploads["pending"].int == 0 && uploads["removals"].int == 0)
        #expect(try world.require(world.vault("status")).text.contains("the remotes have all notes"))
        // Another device has them from there.
        let second = try VaultWorld(prepared: false, unlocked: false)
        try second.require(second.vault("clone", world.path("remote"), "--password-file", second.passwordFile))
        try second.unlock()
        #expect(try state(of: note, in: second) == "uploaded")
        // Without the remote it is as it was before.
        try world.require(world.vault("remote", "rm", "nas"))
        #expect(try state(of: note, in: world) == "persisted")
        expectRefusal(try world.vault("ls", "--state", "sent"), 2)
    }

    @Test func X63WhileTheFolderIsGoneANoteIsPendingAndIsSaved() throws {
        let world = try VaultWorld()
        let note = try world.new("# Shopping\nmilk")
        try world.makeFolder("remote")
        try world.require(world.vault("remote", "add", "folder", world.path("remote"), "--name", "nas"))
        try world.require(world.vault("sync", "now"))
        try takeAway("remote", "elsewhere", in: world)
        try world.require(world.vault("append", note, "bread"))
        let second = try world.new("# Another\nmilk too")
        #expect(try world.vault("sync", "now").code == 8)
        #expect(try state(of: second, in: world) == "pending" && state(of: note, in: world) == "pending")
        #expect(try world.require(world.vault("ls", "--state", "pending", "--count")).text == "2\n")
        let uploads = try JSON(world.vault("status", "--json"))["uploads"]
        #expect(uploads["uploaded"].int == 0 && uploads["pending"].int == 2)
        #expect(try world.require(world.vault("status")).text.contains("2 notes not uploaded yet: vault sync status"))
        try takeAway("elsewhere", "remote", in: world)
        try world.require(world.vault("sync", "now"))
        #expect(try state(of: second, in: world) == "uploaded" && state(of: note, in: world) == "uploaded")
        try world.require(world.vault("rm", second))
        try world.require(world.vault("sync", "now"))
        try takeAway("remote", "elsewhere", in: world)
        try world.require(world.vault("trash", "empty", "--yes"))
        #expect(try JSON(world.vault("status", "--json"))["uploads"]["removals"].int == 1)
        #expect(try world.require(world.vault("status")).text.contains("1 deletion not uploaded yet"))
    }

    @Test func aWatchTellsThatANoteWasUploaded() throws {
        let world = try VaultWorld()
        let note = try world.new("# Shopping\nmilk")
        try world.makeFolder("remote")
        try world.require(world.vault("remote", "add", "folder", world.path("remote"), "--name", "nas"))
        try world.require(world.vault("sync", "now"))
        let line = try AgentLine.greeted(try #require(world.socket))
        try line.send(WatchNotes(since: nil, limit: 2))
        #expect(try line.nextReply(of: WatchNotes.self).notes.isEmpty)
        try world.require(world.vault("append", note, "bread"))
        let edited = try line.nextReply(of: WatchNotes.self).notes
        #expect(edited.map(\.id) == [note] && edited.map(\.state) == [.pending])
        // Without anybody who asks for it.
        let sent = try line.nextReply(of: WatchNotes.self).notes
        #expect(sent.map(\.id) == [note] && sent.map(\.state) == [.uploaded] && sent[0].revision == edited[0].revision)
        #expect(try line.answer().outcome.code == .ok)
    }

    @Test func aWatchTellsAllNotesOfAVaultThatGetsARemote() throws {
        let world = try VaultWorld()
        var notes: Set<String> = []
        for number in 0..<60 { notes.insert(try world.new("# Note \(number)\nmilk")) }
        let line = try AgentLine.greeted(try #require(world.socket))
        try line.send(WatchNotes(since: nil))
        #expect(try line.nextReply(of: WatchNotes.self).notes.isEmpty)
        try world.makeFolder("remote")
        try world.require(world.vault("remote", "add", "folder", world.path("remote"), "--name", "nas"))
        try world.require(world.vault("sync", "now"))
        var states: [String: UploadState] = [:]
        while states.values.contains(where: { $0 != .uploaded }) || states.count < notes.count {
            let told = try line.nextReply(of: WatchNotes.self).notes
            #expect(told.count <= 50)
            for note in told { states[note.id] = note.state }
        }
        #expect(Set(states.keys) == notes)
    }

    @Test func aTerminalMarksWhatIsNotUploadedAndNothingElse() throws {
        let world = try VaultWorld()
        let note = try world.new("# Shopping\nmilk")
        #expect(try !world.shown("ls").contains("uploaded"))
        try world.makeFolder("remote")
        try world.require(world.vault("remote", "add", "folder", world.path("remote"), "--name", "nas"))
        try world.require(world.vault("sync", "now"))
        #expect(try !world.shown("ls").contains("uploaded"))
        try takeAway("remote", "elsewhere", in: world)
        try world.require(world.vault("append", note, "bread"))
        #expect(try world.shown("ls").contains("[not uploaded]"))
        #expect(try world.shown("show", note).contains("[not uploaded]"))
    }
}
