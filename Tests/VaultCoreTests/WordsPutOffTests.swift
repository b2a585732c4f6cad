// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Foundation
import GRDB
import SearchText
import Testing
import VaultCrypto
import VaultFormat

@testable import VaultCore

/// Notes that come many at once are in the lists first; their words get into the search table later.
struct WordsPutOffTests {
    private static let count = 120

    /// A second device to which the first has just told so many notes that their words wait.
    private func arrived() throws -> (set: DeviceSet, notes: [NoteID]) {
        let set = try DeviceSet()
        let notes = try (0..<Self.count).map { number in
            try set[0].notes.create(NoteDraft(body: "hornbill number\(number) \(number % 2 == 0 ? "even" : "odd")")).id
        }
        try set.tell(0, 1)
        let areLeft = try set[1].search.hasUnindexed()
        try #require(areLeft)
        return (set, notes)
    }

    private func found(_ store: OpenVault, _ words: String) throws -> Set<NoteID> {
        for _ in 0..<20 {
            let page = try store.search.find(words, limit: 1000, page: 1, snippetColumns: 40)
            // Fifty milliseconds may be over too soon on a busy machine.
            if !page.isCutShort { return Set(page.hits.map(\.note.id)) }
        }
        throw VaultError(.busy)
    }

    /// What `search` and `ls --filter` find, in steps.
    private func filtered(_ store: OpenVault, _ words: String) throws -> Set<NoteID> {
        var search = FilteredSearch()
        search.query = try NoteQuery(words, clock: QueryClock(now: Machine.now) { _ in 0 })
        (search.places, search.order, search.limit) = ([.live, .archive], .rank, 1000)
        let scan = try FilteredScan(store, search)
        while try scan.step() {}
        return Set(scan.notes.map(\.id))
    }

    private func expectAll(_ store: OpenVault, _ notes: [NoteID], of words: String = "hornbill") throws {
        #expect(try found(store, words) == Set(notes))
        #expect(try filtered(store, words) == Set(notes))
    }

    @Test func searchesMissNothingBeforeWhileAndAfterWordsAreThere() throws {
        let (set, notes) = try arrived()
        let store = set[1]
        #expect(try store.notes.counts().notes[.live] == Self.count)
        try expectAll(store, notes)
        #expect(try found(store, "number77") == [notes[77]])
        #expect(try found(store, "nowhere") == [])
        #expect(try store.search.indexWords())
        #expect(try store.search.hasUnindexed(), "a step brings some, not all")
        try expectAll(store, notes)
        #expect(try found(store, "even").count == Self.count / 2)
        while try store.search.indexWords() {}
        #expect(try !store.search.hasUnindexed())
        try expectAll(store, notes)
        let rows = try store.read { try Int.fetchOne($0.database, sql: "SELECT count(*) FROM search('hor')") }
        #expect(rows == Self.count)
    }

    @Test func aCheckFindsNothingBeforeWhileAndAfter() throws {
        let (set, _) = try arrived()
        #expect(try check(set[1]).problems.isEmpty)
        _ = try set[1].search.indexWords()
        #expect(try check(set[1]).problems.isEmpty)
        while try set[1].search.indexWords() {}
        #expect(try check(set[1]).problems.isEmpty)
    }

    @Test func aNoteThatGoesOrChangesBeforeItsWordsAreThereLeavesNone() throws {
        let (set, notes) = try arrived()
        let store = set[1]
        _ = try store.notes.edit(notes[0]) { $0.body = "flamingo" }
        _ = try store.notes.setTrashed(notes[1], true)
        try store.purge(notes[2])
        while try store.search.indexWords() {}
        #expect(try found(store, "flamingo") == [notes[0]])
        #expect(try found(store, "hornbill") == Set(notes).subtracting(notes[0...2]))
        #expect(try check(store).problems.isEmpty)
    }

    @Test func aNoteThatBecomesPrivateBeforeItsWordsAreThereLeavesNone() throws {
        let (set, notes) = try arrived()
        try set[1].makePrivate(notes[5])
        while try set[1].search.indexWords() {}
        let row = try set[1].read { index in
            try Int.fetchOne(index.database, sql: "SELECT count(*) FROM search('number5')")
        }
        #expect(row == 0)
        #expect(try check(set[1]).problems.isEmpty)
    }

    @Test func aNoteWhosePasswordCameWithItHasNoWords() throws {
        let set = try DeviceSet()
        let note = try set[0].notes.create(NoteDraft(body: "hornbill")).id
        let before = try set.news(of: 0, to: 1)
        try set[0].makePrivate(note)
        try set[1].devices.apply(before + set.news(of: 0, to: 1))
        #expect(try set[1].read { try $0.isPrivate(note) })
        #expect(try found(set[1], "hornbill").isEmpty)
        let texts = try set[1].read { try Int.fetchOne($0.database, sql: "SELECT count(*) FROM folded") }
        #expect(texts == 0)
        #expect(try check(set[1]).problems.isEmpty)
    }

    @Test func whatIsLeftIsKnownAfterALock() throws {
        let (set, notes) = try arrived()
        _ = try set[1].search.indexWords()
        try set[1].end()
        let store = try set.vaults[1].open()
        #expect(try store.search.hasUnindexed())
        try expectAll(store, notes)
        while try store.search.indexWords() {}
        try expectAll(store, notes)
        try store.end()
    }

    @Test func aRebuildLeavesNothingToBeDone() throws {
        let (set, notes) = try arrived()
        #expect(try set[1].checks.rebuildIndex() == Self.count)
        #expect(try !set[1].search.hasUnindexed())
        try expectAll(set[1], notes)
        #expect(try check(set[1]).problems.isEmpty)
    }

    @Test func fewNotesHaveTheirWordsAtOnce() throws {
        let set = try DeviceSet()
        for number in 0..<5 { _ = try set[0].notes.create(NoteDraft(body: "hornbill \(number)")) }
        try set.tell(0, 1)
        #expect(try !set[1].search.hasUnindexed())
        #expect(try found(set[1], "hornbill").count == 5)
    }

    @Test func anImportPutsWordsOffToo() throws {
        let vault = try TestVault()
        let store = try vault.open()
        let drafts = (0..<60).map { number in
            var draft = NoteDraft(body: "hornbill \(number)")
            draft.source = "test\n\(number)"
            return draft
        }
        #expect(try store.imports.save(drafts, dryRun: false).created == 60)
        #expect(try store.search.hasUnindexed())
        #expect(try found(store, "hornbill").count == 60)
        #expect(try store.imports.save(drafts, dryRun: false).unchanged == 60)
        while try store.search.indexWords() {}
        #expect(try found(store, "hornbill").count == 60)
        #expect(try check(store).problems.isEmpty)
        try store.end()
    }

    @Test func aRowOfNobodyIsFoundByACheck() throws {
        let (set, notes) = try arrived()
        while try set[1].search.indexWords() {}
        let areLeft = try set[1].search.hasUnindexed()
        try #require(!areLeft, "or the row is one of somebody")
        try set[1].write { transaction in
            try transaction.database.execute(
                sql: "INSERT INTO unindexed SELECT row FROM note WHERE id = ?", arguments: [notes[3].bytes.blob])
        }
        #expect(try !check(set[1]).problems.isEmpty, "the table has words that the list of the rest denies")
    }

    @Test func aVaultOfSchema8IsUpgraded() throws {
        let vault = try TestVault()
        var store = try vault.open()
        let note = try store.notes.create(NoteDraft(body: "hornbill")).id
        try store.write { transaction in
            try transaction.database.execute(sql: "DROP TABLE unindexed")
            try transaction.database.execute(sql: "UPDATE state SET schema = 8")
        }
        #expect(try found(store, "hornbill") == [note], "nobody needs the table to read")
        try store.end()
        store = try vault.open()
        #expect(try store.read { try IndexState.fetch($0.database).schema } == 10)
        #expect(try found(store, "hornbill") == [note])
        #expect(try check(store).problems.isEmpty)
        try store.end()
    }

    @Test func aDamagedNoteThatIsReplacedLeavesNothingBehind() throws {
        let (set, notes) = try arrived()
        let store = set[1]
        // The newest one, whose row the next note gets; its text is lost.
        let row = try store.read { index in
            try Int64.fetchOne(index.database, sql: "SELECT max(row) FROM note") ?? 0
        }
        let note = try #require(notes.first { try! store.notes.listed($0).id == $0 && Self.row(of: $0, store) == row })
        try store.write { try $0.database.execute(sql: "DELETE FROM folded WHERE row = ?", arguments: [row]) }
        try store.write { transaction in
            var state = try IndexState.fetch(transaction.database)
            try transaction.removeListed(&state, note)
            try state.save(transaction.database)
        }
        #expect(try store.read { try !$0.isUnindexed(row) })
    }

    private static func row(of note: NoteID, _ store: OpenVault) -> Int64 {
        (try? store.read { index in
            try Int64.fetchOne(
                index.database, sql: "SELECT row FROM note WHERE id = ?", arguments: [note.bytes.blob]) ?? 0
        }) ?? 0
    }

    @Test func oneTextThatIsLostKeepsNoOtherWordsWaiting() throws {
        let (set, notes) = try arrived()
        let store = set[1]
        let row = Self.row(of: notes[0], store)
        try store.write { try $0.database.execute(sql: "DELETE FROM folded WHERE row = ?", arguments: [row]) }
        var steps = 0
        while try store.search.indexWords(), steps < 50 { steps += 1 }
        #expect(steps < 50, "it does not end")
        let left = try store.read { try $0.unindexedRows(limit: 10) }
        #expect(left == [row])
        let rows = try store.read { try Int.fetchOne($0.database, sql: "SELECT count(*) FROM search('hor')") }
        #expect(rows == Self.count - 1)
    }

    @Test func anIndexOfBeforeOnADiskWithoutRoomCanBeWritten() throws {
        let vault = try TestVault()
        let store = try vault.open()
        let note = try store.notes.create(NoteDraft(body: "hornbill")).id
        try store.write { transaction in
            try transaction.database.execute(sql: "DROP TABLE unindexed")
            try transaction.database.execute(sql: "UPDATE state SET schema = 8")
        }
        // As when room was made for a removal: nothing has brought the index to this schema.
        _ = try store.notes.setTrashed(note, true)
        #expect(try found(store, "hornbill") == [])
        try store.end()
    }
}
