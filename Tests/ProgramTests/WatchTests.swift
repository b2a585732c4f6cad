// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import AgentProtocol
import Foundation
import Testing

/// Whoever watches hears of every change, and keeps nothing from its course.
@Suite struct WatchTests {
    @Test func aWatchTellsWhatOthersChangeAndDelete() throws {
        let world = try VaultWorld()
        let old = try world.new("# Old\nthere before")
        let line = try AgentLine.greeted(try #require(world.socket))
        try line.send(WatchNotes(since: nil, limit: 4))
        let begin = try line.nextReply(of: WatchNotes.self)
        #expect(begin.notes.isEmpty && begin.gone.isEmpty && begin.position > 0)
        let new = try world.new("# New\nmade meanwhile")
        #expect(try line.nextReply(of: WatchNotes.self).notes.map(\.id) == [new])
        try world.require(world.vault("title", old, "Older"))
        #expect(try line.nextReply(of: WatchNotes.self).notes.map(\.title) == ["Older"])
        try world.require(world.vault("rm", old))
        let trashed = try line.nextReply(of: WatchNotes.self)
        #expect(trashed.notes.map(\.place) == [.trash])
        try world.require(world.vault("trash", "empty", "--yes"))
        let gone = try line.nextReply(of: WatchNotes.self)
        #expect(gone.gone == [old] && gone.position > trashed.position)
        #expect(try line.answer().outcome.code == .ok)
        // The same from where it began, for somebody who was away.
        let (outcome, replies) = try line.ask(WatchNotes(since: begin.position, limit: 2))
        #expect(outcome.code == .ok)
        #expect(replies.flatMap(\.notes).map(\.id) == [new] && replies.flatMap(\.gone) == [old])
    }

    @Test func aWatcherHearsAtOnceAndDoesNotKeepTheVaultOpen() throws {
        let world = try VaultWorld(unlocked: false)
        try world.require(world.vault("unlock", "--password-file", world.passwordFile, "--idle", "4s"))
        let line = try AgentLine.greeted(try #require(world.socket))
        try line.send(WatchNotes(since: nil))
        _ = try line.nextReply(of: WatchNotes.self)
        let note = try world.new("heard at once")
        let begun = ContinuousClock.now
        #expect(try line.nextReply(of: WatchNotes.self).notes.map(\.id) == [note])
        #expect(ContinuousClock.now - begun < .seconds(2))
        // It ends with the vault, which locks although somebody watches.
        #expect(try line.answer().outcome.code == .locked)
        #expect(try world.vault("ls").code == 3)
    }

    @Test func aWatchTellsThatANoteBecamePrivateWasOpenedAndLocked() throws {
        let world = try VaultWorld()
        let note = try world.new("# Diary\nnobody's business")
        let password = try world.write("note-password", "a phrase of its own for one note")
        let line = try AgentLine.greeted(try #require(world.socket))
        try line.send(WatchNotes(since: nil))
        _ = try line.nextReply(of: WatchNotes.self)
        try world.require(world.vault("note", "lock", note, "--note-password-file", password))
        var row = try #require(try line.nextReply(of: WatchNotes.self).notes.first)
        while !row.isLocked { row = try #require(try line.nextReply(of: WatchNotes.self).notes.first) }
        #expect(row.id == note && row.isPrivate && row.title.isEmpty && row.snippet.isEmpty)
        try world.require(world.vault("note", "unlock", note, "--note-password-file", password))
        let open = try #require(try line.nextReply(of: WatchNotes.self).notes.first)
        #expect(open.isPrivate && !open.isLocked && open.title == "Diary")
        try world.require(world.vault("note", "lock", note))
        #expect(try line.nextReply(of: WatchNotes.self).notes.first?.isLocked == true)
    }

    @Test func withoutAnOpenVaultNothingIsWatched() throws {
        let world = try VaultWorld(unlocked: false)
        let refused = try world.vault("watch", "--password-file", world.passwordFile)
        expectRefusal(refused, 3, says: "locked")
    }

    @Test func theCommandPrintsALineForEachChange() throws {
        let world = try VaultWorld()
        let note = try world.new("# Shopping\nmilk")
        let text = try world.require(world.vault("watch", "--since", "0", "-n", "1")).text
        #expect(text == "changed\t\(note)\tlive\tShopping\tpersisted\n")
        let json = try JSON(world.vault("watch", "--since", "0", "-n", "1", "--json"))
        #expect(json["notes"][0]["id"].string == note && json["gone"].array.isEmpty && json["position"].int == 1)
    }
}
