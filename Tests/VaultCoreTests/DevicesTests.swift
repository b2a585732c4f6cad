// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Foundation
import Testing
import VaultCrypto
import VaultFormat

@testable import VaultCore

/// What several devices of one vault have in common after they have told each other what they did.
struct DevicesTests {
    @Test func bothShowWhatEachDid() throws {
        var notes: [NoteID] = []
        let set = try DeviceSet { store in
            for text in ["one", "two", "three"] { notes.append(try store.notes.create(NoteDraft(body: text)).id) }
        }
        _ = try set[0].notes.edit(notes[0]) { $0.body = "one, on the first" }
        _ = try set[1].notes.edit(notes[1]) { $0.body = "two, on the second" }
        _ = try set[0].notes.setTrashed(notes[2], true)
        notes.append(try set[1].notes.create(NoteDraft(body: "new on the second")).id)
        let position = try set[0].history.entryCount()
        let applied = try set.tell(1, 0)
        #expect(Set(applied.notes) == [notes[1], notes[3]] && applied.entryCount == 2 && applied.forked.isEmpty)
        #expect(try Set(set[0].history.changes(after: position, limit: 50).notes) == [notes[1], notes[3]])
        try set.exchange()
        try set.expectAlike(notes)
        #expect(try set[1].body(notes[0]) == "one, on the first" && set[0].body(notes[3]) == "new on the second")
        #expect(try set[1].notes.note(notes[2]).place == .trash)
        // Nothing changes when all of it is told once more.
        let again = try set[0].devices.apply(set[1].devices.told(after: 0).bodies)
        #expect(again.entryCount == 0 && again.notes.isEmpty)
        try set.expectAlike(notes)
        for number in 0..<2 {
            #expect(try set[number].checks.rebuildIndex() == 4)
            try set[number].end()
        }
        let store = try set.vaults[0].open()
        #expect(!store.chain.isDamaged)
        let chain = ChainCheck(store)
        while chain.step() {}
        #expect(try !store.chain.isDamaged && store.notes.counts().notes[.live] == 3)
    }

    /// The order of heads is that of the graph: nobody's clock, and not who heard of what first.
    @Test func headsStandInOneOrder() throws {
        var note: NoteID?
        let set = try DeviceSet(3) { note = try $0.notes.create(NoteDraft(body: "base")).id }
        let id = try #require(note)
        for number in 0..<3 { _ = try set[number].notes.edit(id) { $0.body = "from \(number)" } }
        // A second edit is deeper, so it is shown whatever its name.
        _ = try set[1].notes.edit(id) { $0.body = "deeper" }
        try set.exchange()
        try set.expectAlike([id])
        #expect(try set[0].versions(id).count == 3 && set[2].body(id) == "deeper")
        #expect(try set[0].notes.note(id).isForked)
        // Whoever joins them by hand ends it everywhere.
        let heads = try set[2].read { try $0.heads(of: id) }
        try set[2].write { transaction in
            let head = try transaction.head(of: id)
            var record = head.record
            record.body = "all of them"
            try transaction.saveEdited(record, over: (head.revision, head.record), parents: heads)
        }
        try set.exchange()
        try set.expectAlike([id])
        #expect(try set[0].versions(id) == ["all of them"])
    }

    @Test func anEditLivesOnBesideAPurge() throws {
        var notes: [NoteID] = []
        let set = try DeviceSet { store in
            for text in ["written in", "left alone"] { notes.append(try store.notes.create(NoteDraft(body: text)).id) }
        }
        for note in notes { _ = try set[0].notes.setTrashed(note, true) }
        #expect(try set[0].notes.purgeTrash(limit: 10) == 2)
        _ = try set[1].notes.edit(notes[0]) { $0.body = "and it counts" }
        try set.exchange()
        try set.expectAlike(notes)
        #expect(try set[0].body(notes[0]) == "and it counts")
        #expect(try set[0].history.revisions(of: notes[0]).count == 1)
        #expect(try !set[1].read { try $0.isPresent(notes[1]) })
        // It goes on like any other note, and can be removed for good.
        _ = try set[0].notes.edit(notes[0]) { $0.body += "\nagain" }
        // An undo takes that back and passes over what the purge has reached; so says the preview.
        let other = try set[0].notes.create(NoteDraft(body: "written between")).id
        let preview = try UndoPreview(set[0], commandCount: 3)
        while try preview.step() {}
        #expect(preview.commands.map(\.notes) == [[other], [notes[0]]] && preview.leavingCount == 1)
        #expect(try set[0].history.undo(limit: 10)?.notes == [other])
        #expect(try set[0].history.undo(limit: 10)?.notes == [notes[0]])
        #expect(try set[0].body(notes[0]) == "and it counts")
        #expect(try set[0].history.undo(limit: 10) == nil, "its making was purged, and another's text stays")
        _ = try set[0].history.redo()
        try set.exchange()
        try set.expectAlike(notes)
        try set[1].purge(notes[0])
        try set.exchange()
        try set.expectAlike(notes)
        #expect(try !set[0].read { try $0.isPresent(notes[0]) })
    }

    /// Who has not read a change may still make the next one from what that replaced, and a merge needs it then.
    @Test func M12whatADeviceMayStillChangeIsNotThinnedOut() throws {
        var note: NoteID?
        let set = try DeviceSet { store in
            note = try store.notes.create(NoteDraft(body: "1")).id
            for number in 2...5 { _ = try store.notes.edit(#require(note)) { $0.body = "\(number)" } }
        }
        let (store, id) = (set[0], try #require(note))
        _ = try store.remotes.add(RemoteEntry(name: "home", settings: [1], credentials: []))
        var retention = Retention()
        (retention.keepAllMilliseconds, retention.keepDailyMilliseconds) = (0, 0)
        func thin(dryRun: Bool = false) throws -> [Int] {
            let thinning = Thinning(store, retention, dryRun: dryRun, now: Machine.now + 1000)
            while try thinning.step() {}
            return [thinning.revisions, thinning.awaited]
        }
        #expect(try thin() == [0, 4])
        let mark = ReadMark(epoch: 1, vector: [try store.devices.own: 1])
        try store.remotes.note(mark, over: "home", wasRead: false, isRead: false)
        #expect(try thin() == [0, 4])
        _ = try store.notes.edit(id) { $0.body = "6" }
        let next = ReadMark(epoch: 1, vector: [try store.devices.own: 2])
        try store.remotes.note(next, over: "home", wasRead: true, isRead: false)
        #expect(try thin(dryRun: true) == [4, 1])
        #expect(try store.remotes.readMark(over: "home")?.mark == next)
        // Two versions are compared with what is under both.
        _ = try set[1].notes.edit(id) { $0.body = "another" }
        try set.tell(1, 0)
        #expect(try store.read { try $0.otherHeadIDs(of: id).count } == 1)
        #expect(try thin(dryRun: true) == [0, 0])
        try store.remotes.note(next, over: "home", wasRead: true, isRead: true)
        try store.remotes.forget("home")
        #expect(try store.remotes.readMark(over: "home") == nil)
    }

    /// What one device has thinned out is its own business.
    @Test func whatIsThinnedOutHereStaysThere() throws {
        var note: NoteID?
        let set = try DeviceSet { store in
            note = try store.notes.create(NoteDraft(body: "1")).id
            for number in 2...5 { _ = try store.notes.edit(#require(note)) { $0.body = "\(number)" } }
        }
        let id = try #require(note)
        var retention = Retention()
        (retention.keepAllMilliseconds, retention.keepDailyMilliseconds) = (0, 0)
        let thinning = Thinning(set[0], retention, dryRun: false, now: Machine.now + 1000)
        while try thinning.step() {}
        #expect(thinning.revisions == 4)
        _ = try set[0].notes.edit(id) { $0.body = "6" }
        try set.exchange()
        try set.expectAlike([id])
        #expect(try set[0].history.revisions(of: id).count == 2 && set[1].history.revisions(of: id).count == 6)
        // A device that hears everything for the first time does not miss what nobody has.
        let others = try DeviceSet(3)
        let new = others[2]
        try set[0].devices.tellEverything { part throws(VaultError) in try new.devices.apply(part) }
        #expect(try new.body(id) == "6" && new.history.revisions(of: id).count == 2)
        let problems = try check(new).problems
        #expect(problems.isEmpty, "\(problems)")
    }

    @Test func whatDoesNotParseIsRefusedWhole() throws {
        let set = try DeviceSet()
        let notes = try (0..<3).map { try set[0].notes.create(NoteDraft(body: "note \($0)")).id }
        let bodies = try set.news(of: 0, to: 1)
        let generation = try set[1].generation()
        for (place, body) in bodies.enumerated() {
            for cut in [0, 1, 5, 60, body.count / 2, body.count - 1] {
                var bad = bodies
                bad[place] = Array(body.prefix(cut))
                #expect(throws: VaultError.self) { try set[1].devices.apply(bad) }
            }
            var longer = bodies
            longer[place].append(0)
            #expect(throws: VaultError.self) { try set[1].devices.apply(longer) }
        }
        #expect(try set[1].generation() == generation && !set[1].read { try $0.isPresent(notes[0]) })
        try set[1].devices.apply(bodies)
        try set.expectAlike(notes)
    }

    @Test func theMarkIsWrittenWithTheLastNote() throws {
        let set = try DeviceSet()
        let notes = try (0..<450).map { try set[0].notes.create(NoteDraft(body: "note \($0)")).id }
        let mark = ChainMark(
            device: try DeviceID([UInt8](repeating: 7, count: 16)), number: 3,
            digest: [UInt8](repeating: 9, count: 32))
        let before = try set[1].generation()
        let applied = try set[1].devices.apply(set.news(of: 0, to: 1), readThrough: mark)
        #expect(applied.notes == notes && applied.entryCount == 450)
        #expect(try set[1].generation() == before + 3, "200 notes in a transaction")
        #expect(try set[1].devices.mark(of: mark.device) == mark)
        try set.expectAlike([])
        #expect(try set[1].notes.counts().notes[.live] == 450)
    }

    /// Two copies that went on as one device: what one says under a number is kept, the other's is said again.
    @Test func M09aChainThatSaysTwoThingsLosesNothing() throws {
        var note: NoteID?
        let set = try DeviceSet(3) { note = try $0.notes.create(NoteDraft(body: "base")).id }
        let id = try #require(note)
        let twin = try TestVault(copying: set.vaults[1])
        _ = try set[1].notes.edit(id) { $0.body = "left" }
        let own = try set[1].read { try IndexState.fetch($0.database).device }
        let store = try twin.open()
        #expect(try store.read { try IndexState.fetch($0.database).device } == own)
        _ = try store.notes.edit(id) { $0.body = "right" }
        let bodies = [try set[1].devices.told(after: 0).bodies, try store.devices.told(after: 0).bodies]
        #expect(try set[0].devices.apply(bodies[0]).forked.isEmpty)
        #expect(try set[0].devices.apply(bodies[1]).forked == [DeviceID(own)])
        #expect(try set[2].devices.apply(bodies[1] + bodies[0]).forked == [DeviceID(own)])
        #expect(try Set(set[0].versions(id)) == ["left", "right"])
        try set.tell(0, 2)
        try set.tell(2, 0)
        #expect(try Set(set[2].versions(id)) == ["left", "right"])
        for number in [0, 2] {
            let problems = try check(set[number]).problems
            #expect(problems.isEmpty, "\(problems)")
        }
        try store.end()
    }

    /// Only a faulty device says so; what others say is taken over all the same.
    @Test func aRevisionUnderTheNameOfAnotherNotesRevisionHoldsNothingUp() throws {
        var note: NoteID?
        let set = try DeviceSet { note = try $0.notes.create(NoteDraft(body: "ours")).id }
        let id = try #require(note)
        let entry = Entry(
            device: [UInt8](repeating: 7, count: 16), sequence: 1, operation: .create,
            noteID: try NoteID([UInt8](repeating: 7, count: 10)), revisionID: try set[1].notes.note(id).revision,
            parents: [], previous: Entry.firstPrevious)
        _ = try set[0].notes.edit(id) { $0.body = "newer" }
        #expect(try set[1].devices.apply([EntryBody(entry: entry).encoded]).entryCount == 0)
        try set.tell(0, 1)
        #expect(try set[1].body(id) == "newer")
        let problems = try check(set[1]).problems
        #expect(problems.isEmpty, "\(problems)")
    }

    @Test func attachmentsAreToldWithTheirRecords() throws {
        var note: NoteID?
        let set = try DeviceSet { note = try $0.notes.create(NoteDraft(body: "with a file")).id }
        let id = try #require(note)
        let added = try set[0].addAttachment("a.bin", [UInt8](repeating: 3, count: 5000), to: id)
        let body = try EntryBody(parsing: #require(try set.news(of: 0, to: 1).last))
        #expect(body.attachments.map(\.id) == [added.id])
        // Its object comes some other way.
        let object = body.attachments[0].object
        let path = "objects/\(object.folder)"
        let (from, to) = (set.vaults[0].folder.appending(path: path), set.vaults[1].folder.appending(path: path))
        try FileManager.default.createDirectory(
            at: to, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        try FileManager.default.copyItem(at: from.appending(path: object.hex), to: to.appending(path: object.hex))
        _ = try set[1].devices.apply([body.encoded])
        #expect(try set[1].attachments.all(of: id).map(\.id) == [added.id])
        try set.expectAlike([id])
    }

    /// Whoever has purged the note has none of its attachments' records any more.
    @Test func anEditThatOutlivesAPurgeBringsItsAttachmentsBack() throws {
        var note: NoteID?
        var file: AttachmentID?
        let set = try DeviceSet { store in
            note = try store.notes.create(NoteDraft(body: "with a file")).id
            file = try store.addAttachment("a.bin", [1, 2, 3], to: #require(note)).id
        }
        let id = try #require(note)
        _ = try set[0].notes.edit(id) { $0.body = "edited" }
        let news = try set.news(of: 0, to: 1)
        try set[1].purge(id)
        _ = try set[1].devices.apply(news)
        try set.tell(1, 0)
        for store in set.stores {
            let shown = try store.attachments.all(of: id).map(\.id)
            #expect(try store.body(id) == "edited" && shown == [#require(file)])
        }
        // It was put where the first revision that names it was told.
        let first = try #require(news.last)
        #expect(try EntryBody(parsing: first).attachments.count == 1)
        #expect(try set[0].devices.attachmentsFirstNamed(in: first).isEmpty == false)
    }

    /// As when the key is changed before the object came: the one of before is put nowhere any more.
    @Test func anAttachmentWhoseObjectDidNotComeIsTakenFromWhoeverHasSealedItAnew() throws {
        var note: NoteID?
        let set = try DeviceSet { note = try $0.notes.create(NoteDraft(body: "with a file")).id }
        let id = try #require(note)
        _ = try set[0].addAttachment("a.bin", [UInt8](repeating: 3, count: 5000), to: id)
        var body = try EntryBody(parsing: #require(try set.news(of: 0, to: 1).last))
        let before = body.attachments[0]
        _ = try set[1].devices.apply([body.encoded])
        #expect(try set[1].devices.missingObjects() == [before])
        body.attachments[0].object = try ObjectName([UInt8](repeating: 9, count: 32))
        _ = try set[1].devices.apply([body.encoded])
        #expect(try set[1].devices.missingObjects().map(\.object) == [body.attachments[0].object])
        // What is here stays.
        _ = try set[0].devices.apply([body.encoded])
        #expect(try set[0].devices.objectsHere() == [before])
    }
}

/// A change of the key on a device that does not have everything.
@Suite struct RotationWithoutObjectsTests {
    /// Another device has the object, which was never brought here: that is no damage, and must not stop the rotation.
    @Test func D01anAttachmentThatWasNeverBroughtComesOverWithTheKey() throws {
        var note: NoteID?
        let set = try DeviceSet { note = try $0.notes.create(NoteDraft(body: "with a file")).id }
        let id = try #require(note)
        _ = try set[0].addAttachment("a.bin", [UInt8](repeating: 3, count: 5000), to: id)
        let news = try set.news(of: 0, to: 1)
        _ = try set[1].devices.apply(news)
        let missing = try set[1].devices.missingObjects()
        #expect(missing.count == 1)
        expect(.integrity) {
            try RotatingVault.begin(set[1])
            try RotatingVault.finish(set[1])
        }
        // With a remote it may be had later.
        _ = try set[1].remotes.add(RemoteEntry(name: "home", settings: [1], credentials: []))
        try RotatingVault.finish(set[1])
        #expect(!set[1].isRotating && set[1].header.epoch == 2)
        #expect(try set[1].devices.missingObjects() == missing)
        // And under whichever name the other one has sealed it anew.
        var body = try EntryBody(parsing: #require(news.last))
        body.attachments[0].object = try ObjectName([UInt8](repeating: 9, count: 32))
        _ = try set[1].devices.apply([body.encoded])
        #expect(try set[1].devices.missingObjects().map(\.object) == [body.attachments[0].object])
    }
}
