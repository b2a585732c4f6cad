// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Foundation
import Glibc
import Testing
import VaultCrypto
import VaultFormat

@testable import VaultCore

/// What else belongs to notes of another copy: attachments, passwords, keys; and copies that are none, or damaged.
struct AdoptionContentTests {
    private static func two(_ body: String = "common") throws -> (TwoCopies, NoteID) {
        var note: NoteID?
        let copies = try TwoCopies { note = try $0.notes.create(NoteDraft(body: body)).id }
        return (copies, try #require(note))
    }

    private static func objectCount(_ vault: TestVault) throws -> Int {
        try ObjectFolder(VaultDirectory(path: vault.path)).all().objects.count
    }

    @Test func attachmentsComeWithTheirNotes() throws {
        let (copies, note) = try Self.two()
        var added: NoteID?
        try copies.there { store in
            let new = try store.notes.create(NoteDraft(body: "with files")).id
            _ = try store.addAttachment("large.bin", [UInt8](repeating: 7, count: 1_200_003), to: new)
            _ = try store.addAttachment("empty", [], to: new)
            _ = try store.addAttachment("old.bin", [3], to: note)
            added = new
        }
        let store = try copies.ours.open()
        let report = try copies.adopt(store)
        let new = try #require(added)
        #expect(try store.content(store.attachments.find("large.bin", of: new)).count == 1_200_003)
        #expect(try store.content(store.attachments.find("empty", of: new)).isEmpty)
        #expect(try store.content(store.attachments.find("old.bin", of: note)) == [3])
        #expect(try report.attachmentCount == 3 && Self.objectCount(copies.ours) == 3, "no file is copied twice")
        _ = try store.history.undo(limit: 50)
        #expect(try check(store).problems.isEmpty)
    }

    @Test func anAttachmentThatWasMovedHereKeepsItsPlaceAndIsCopied() throws {
        var notes: [NoteID] = []
        let copies = try TwoCopies { store in
            notes = try ["one", "two"].map { try store.notes.create(NoteDraft(body: $0)).id }
            _ = try store.addAttachment("a.bin", [1, 2, 3], to: notes[0])
        }
        try copies.here { store in _ = try store.notes.join([notes[1], notes[0]]) }
        try copies.there { store in _ = try store.notes.edit(notes[0]) { $0.body = "one, changed" } }
        let store = try copies.ours.open()
        _ = try copies.adopt(store)
        for note in notes { #expect(try store.content(store.attachments.find("a.bin", of: note)) == [1, 2, 3]) }
        #expect(try store.body(notes[0]) == "one, changed")
    }

    @Test func aFileThatIsGoneThereIsNamedAndItsNoteComesWithoutIt() throws {
        let (copies, _) = try Self.two()
        var added: NoteID?
        try copies.there { store in
            let new = try store.notes.create(NoteDraft(body: "with a file")).id
            _ = try store.addAttachment("gone.bin", [1], to: new)
            added = new
        }
        try copies.theirs.remove("objects")
        let store = try copies.ours.open()
        let report = try TwoCopies.run(Adoption(store, copies.other(store), dryRun: false))
        #expect(report.notes.last?.reason == .attachmentLost && !report.isComplete && report.isDamaged)
        #expect(try store.body(#require(added)) == "with a file")
        #expect(try store.attachments.all(of: #require(added)).isEmpty && check(store).problems.isEmpty)
    }

    @Test func privateNotesComeLockedAndKeepTheirPassword() throws {
        var common: NoteID?
        let copies = try TwoCopies { store in
            let note = try store.notes.create(NoteDraft(body: "secret")).id
            try store.makePrivate(note)
            common = note
        }
        let note = try #require(common)
        var added: NoteID?
        try copies.there { store in
            let new = try store.notes.create(NoteDraft(body: "new secret")).id
            _ = try store.addAttachment("key.bin", [UInt8](repeating: 5, count: 30_000), to: new)
            try store.makePrivate(new, "violets")
            added = new
            try store.openPrivate(note)
            _ = try store.notes.edit(note) { $0.body = "secret, changed there" }
        }
        let store = try copies.ours.open()
        let report = try copies.adopt(store)
        let new = try #require(added)
        #expect(report.count(.added) == 1 && report.count(.updated) == 1 && report.isComplete)
        expect(.noteLocked) { try store.notes.note(new) }
        try store.openPrivate(new, "violets")
        try store.openPrivate(note)
        #expect(try store.body(new) == "new secret" && store.body(note) == "secret, changed there")
        #expect(try store.content(store.attachments.find("key.bin", of: new)).count == 30_000)
        #expect(try check(store).problems.isEmpty)
    }

    @Test func aPrivateNoteUnderAnotherKeyIsRefusedAndNamed() throws {
        let (copies, note) = try Self.two("secret")
        try copies.here { try $0.makePrivate(note, "rosebud") }
        try copies.there { store in
            try store.makePrivate(note, "violets")
            try store.openPrivate(note, "violets")
            _ = try store.notes.edit(note) { $0.body = "secret, changed there" }
        }
        let store = try copies.ours.open()
        let report = try copies.adopt(store)
        #expect(report.notes.map(\.reason) == [.otherPassword] && !report.isComplete && !report.isDamaged)
        try store.openPrivate(note, "rosebud")
        #expect(try store.body(note) == "secret")
    }

    @Test func aNoteThatIsPrivateInOneCopyOnlyIsRefused() throws {
        let (copies, note) = try Self.two("secret")
        try copies.here { try $0.makePrivate(note) }
        try copies.there { store in _ = try store.notes.edit(note) { $0.body = "open, changed there" } }
        let store = try copies.ours.open()
        #expect(try copies.adopt(store).notes.map(\.reason) == [.privateInOne])
        try store.openPrivate(note)
        #expect(try store.versions(note) == ["secret"], "a text without a password is not put beside it")
    }

    @Test func aPrivateNoteThatWasPurgedHereIsRefused() throws {
        let (copies, note) = try Self.two("secret")
        try copies.here { try $0.purge(note) }
        try copies.there { store in
            try store.makePrivate(note)
            try store.openPrivate(note)
            _ = try store.notes.edit(note) { $0.body = "changed" }
        }
        let store = try copies.ours.open()
        #expect(try copies.adopt(store).notes.map(\.reason) == [.purgedPrivate])
    }

    @Test func aCopyOfBeforeARotationOpensWithItsOwnKey() throws {
        let (copies, note) = try Self.two()
        try copies.there { store in
            _ = try store.notes.edit(note) { $0.body = "theirs" }
            _ = try store.addAttachment("a.bin", [9, 9], to: note)
        }
        let store = try copies.ours.open()
        try RotatingVault.begin(store)
        try RotatingVault.finish(store)
        #expect(throws: OtherCopyRefusal.hasOwnKey) {
            try OtherCopy(taking: TwoCopies.folder(copies.theirs), store.otherCopyAccess)
        }
        let other = try OtherCopy(
            taking: TwoCopies.folder(copies.theirs), store.otherCopyAccess,
            .recoveryKey(secret(TestVault.recoveryKey)), triesDear: false, pins: copies.theirs.pins)
        try other.read { _ in true }
        let report = try TwoCopies.run(Adoption(store, other, dryRun: false))
        #expect(report.isOfOlderKey && report.count(.updated) == 1)
        #expect(try store.body(note) == "theirs" && check(store).problems.isEmpty)
        #expect(try store.content(store.attachments.find("a.bin", of: note)) == [9, 9])
    }

    @Test func anotherVaultAndTheVaultItselfAreRefused() throws {
        let (copies, _) = try Self.two()
        let store = try copies.ours.open()
        #expect(throws: OtherCopyRefusal.isThisVault) {
            try OtherCopy(taking: TwoCopies.folder(copies.ours), store.otherCopyAccess)
        }
        // The identifier stands behind the magic.
        try copies.theirs.changeBothHeaders { $0[6] ^= 1 }
        #expect(throws: OtherCopyRefusal.failed(VaultError(.otherVault))) {
            try OtherCopy(taking: TwoCopies.folder(copies.theirs), store.otherCopyAccess)
        }
    }

    @Test func aCopyThatSomebodyHasOpenIsNotRead() throws {
        let (copies, _) = try Self.two()
        let store = try copies.ours.open()
        let open = try copies.theirs.open()
        #expect(throws: OtherCopyRefusal.failed(VaultError(.busy))) { try copies.other(store) }
        try open.end()
        _ = try copies.adopt(store)
    }

    @Test func whatOnlyTheLogOfACopyHoldsIsTakenOver() throws {
        let (copies, note) = try Self.two()
        let open = try copies.theirs.open()
        _ = try open.notes.edit(note) { $0.body = "in the log" }
        try open.recordProgress()
        let crashed = TwoCopies(copies.ours, try TestVault(copying: copies.theirs))
        try open.end()
        let store = try crashed.ours.open()
        #expect(try crashed.adopt(store).isComplete)
        #expect(try store.body(note) == "in the log")
    }

    @Test func aDamagedCopyGivesWhatOpensAndSaysThatItIsNotAll() throws {
        let (copies, _) = try Self.two()
        try copies.there { store in
            for number in 0..<60 {
                let text = "note \(number)\n" + String(repeating: "line\n", count: 400)
                _ = try store.notes.create(NoteDraft(body: text))
            }
        }
        let pageCount = try copies.theirs.bytes("index-1.db").count / 4096
        try copies.theirs.damage(page: pageCount - 5)
        let store = try copies.ours.open()
        let report = try TwoCopies.run(Adoption(store, copies.other(store), dryRun: false))
        #expect(report.damagedPageCount == 1)
        #expect(try store.notes.count(NoteFilter()) > 30 && check(store).problems.isEmpty)
        let lost = 61 - (try store.notes.count(NoteFilter()))
        #expect(report.notes.count { $0.reason == .damagedThere } >= lost && (lost == 0 || !report.isComplete))
    }

    @Test func editsThatWereBegunThereAreTold() throws {
        let (copies, note) = try Self.two()
        try copies.there { store in
            var start = DraftStart()
            start.note = note
            try store.drafts.begin(start).save(Array("half a thought".utf8))
        }
        let store = try copies.ours.open()
        let report = try copies.adopt(store)
        #expect(report.draftCount == 1 && !report.isComplete && !report.isDamaged)
    }

    @Test(arguments: [
        ("index-1.rescued", "manifest.rescued"),
        ("index-1.sync-conflict-20260101-120000-ABCDEFG.db", "manifest.sync-conflict-20260101-120001-ABCDEFG"),
    ])
    func anIndexBesideTheVaultsOwnIsTakenOverWhereItLies(index: String, manifest: String) throws {
        let (copies, note) = try Self.two()
        var added: NoteID?
        try copies.here { store in _ = try store.notes.edit(note) { $0.body = "ours" } }
        try copies.there { store in
            added = try store.notes.create(NoteDraft(body: "theirs")).id
            _ = try store.addAttachment("a.bin", [4, 5], to: #require(added))
        }
        for (name, other) in [("index-1.db", index), ("manifest", manifest), ("objects", "objects")] {
            try FileManager.default.copyItem(
                at: copies.theirs.folder.appending(path: name), to: copies.ours.folder.appending(path: other))
        }
        let store = try copies.ours.open()
        let access = store.otherCopyAccess
        #expect(throws: OtherCopyRefusal.isNoIndex) {
            try OtherCopy(taking: TwoCopies.folder(copies.ours), access, file: "index-1.db")
        }
        let other = try OtherCopy(taking: TwoCopies.folder(copies.ours), access, file: index)
        try other.read { _ in true }
        let report = try TwoCopies.run(Adoption(store, other, dryRun: false))
        #expect(report.isComplete && report.count(.added) == 1)
        #expect(try store.content(store.attachments.find("a.bin", of: #require(added))) == [4, 5])
        #expect(try store.body(note) == "ours" && store.body(#require(added)) == "theirs")
    }
}
