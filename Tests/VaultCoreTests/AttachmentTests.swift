// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Foundation
import GRDB
import SealedObjects
import Testing
import VaultFormat

@testable import VaultCore

/// Files that belong to notes.
struct AttachmentTests {
    private func fresh() throws -> (TestVault, OpenVault, NoteID) {
        let vault = try TestVault()
        let store = try vault.open()
        return (vault, store, try store.notes.create(NoteDraft(body: "with a file")).id)
    }

    private func bytes(_ count: Int) -> [UInt8] { (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) } }

    private func objects(_ vault: TestVault) -> [String] {
        let root = vault.folder.appending(path: "objects")
        let folders = (try? FileManager.default.contentsOfDirectory(atPath: root.path)) ?? []
        return folders.filter { $0 != "quarantine" }.flatMap { folder in
            ((try? FileManager.default.contentsOfDirectory(atPath: root.appending(path: folder).path)) ?? []).map {
                folder + "/" + $0
            }
        }
    }

    @Test(arguments: [0, 1, 248, 16384, 100_000, 1_200_003]) func whatGoesInComesOut(_ count: Int) throws {
        let (vault, store, note) = try fresh()
        let added = try store.addAttachment("data.bin", bytes(count), to: note)
        #expect(try store.content(added) == bytes(count) && added.details.byteCount == UInt64(count))
        try store.close()
        let again = try vault.open()
        #expect(try again.content(again.attachments.find("data.bin", of: note)) == bytes(count))
        #expect(try check(again).isEmpty)
    }

    @Test func privateOnesAreSealedTwice() throws {
        let (vault, store, note) = try fresh()
        let before = try store.addAttachment("photo.jpg", bytes(50_000), to: note, kind: .photo)
        let old = objects(vault)
        try store.makePrivate(note)
        #expect(objects(vault).count == 1 && objects(vault) != old, "the old file is gone")
        #expect(throws: VaultError(.noteLocked)) { try store.attachments.all(of: note) }
        #expect(throws: VaultError(.noteLocked)) { try store.attachments.content(of: before.id, note: note) }
        try store.openPrivate(note)
        let after = try store.attachments.find("photo.jpg", of: note)
        #expect(
            try store.content(after) == bytes(50_000) && after.isPrivate && after.fileByteCount > before.fileByteCount)
        try store.privateNotes.unprotect(note, attachments: store.reseal(note, to: nil))
        _ = try store.attachments.removePending()
        #expect(
            try store.content(store.attachments.find("photo.jpg", of: note)) == bytes(50_000)
                && objects(vault).count == 1)
        #expect(try check(store).isEmpty)
    }

    @Test func aNoteThatGotAttachmentsWhileItWasSealedIsLeftAsItWas() throws {
        let (vault, store, note) = try fresh()
        defer { withExtendedLifetime(vault) {} }
        _ = try store.addAttachment("one", bytes(10), to: note)
        let protecting = try store.protecting(note, "rosebud", epoch: 1)
        let resealed = try store.reseal(note, to: protecting.opened)
        _ = try store.addAttachment("two", bytes(10), to: note)
        #expect(throws: VaultError(.attachmentsChanged)) {
            try store.privateNotes.protect(note, protecting, attachments: resealed)
        }
        #expect(try !store.privateNotes.isPrivate(note) && store.attachments.all(of: note).count == 2)
        #expect(try store.search.find("with a file", limit: 5, page: 1, snippetColumns: 40).hits.count == 1)
    }

    @Test func theyLiveAndDieWithTheirNote() throws {
        let (vault, store, note) = try fresh()
        let added = try store.addAttachment("a", bytes(10), to: note)
        _ = try store.notes.setTrashed(note, true)
        _ = try store.notes.setTrashed(note, false)
        #expect(try store.content(added) == bytes(10))
        _ = try store.notes.setTrashed(note, true)
        #expect(try store.notes.purgeTrash(limit: 10) == 1)
        _ = try store.attachments.removePending()
        #expect(objects(vault).isEmpty)
        #expect(try check(store).isEmpty)
    }

    @Test func whatWasTakenOffComesBackWithUndo() throws {
        let (vault, store, note) = try fresh()
        defer { withExtendedLifetime(vault) {} }
        let added = try store.addAttachment("a", bytes(10), to: note)
        _ = try store.attachments.remove([added.id], from: note)
        #expect(try store.attachments.all(of: note).isEmpty)
        _ = try store.history.undo(limit: 10)
        #expect(try store.attachments.all(of: note).map(\.name) == ["a"] && store.content(added) == bytes(10))
        _ = try store.history.undo(limit: 10)
        #expect(try store.attachments.all(of: note).isEmpty)
    }

    @Test func H01namesAreSafeAndNoTwoAreTheSame() throws {
        let (vault, store, note) = try fresh()
        defer { withExtendedLifetime(vault) {} }
        let names = [
            "photo.jpg", "Photo.JPG", "../../etc/passwd", "a\nb\u{1B}[2J", "CON", ".hidden", "-rf",
            String(repeating: "ü", count: 300) + ".png", "",
            "..", "x.",
        ]
        let given = try names.map { try store.addAttachment($0, [], to: note).name }
        #expect(Array(given.prefix(4)) == ["photo.jpg", "Photo 2.JPG", "passwd", "a_b_[2J"])
        #expect(
            given.allSatisfy {
                $0.utf8.count <= 255 && !$0.contains("/") && !$0.hasPrefix(".") && !$0.hasPrefix("-")
                    && !$0.hasSuffix(".")
            })
        #expect(
            Set(given.map { $0.lowercased() }).count == given.count && given[7].hasSuffix(".png") && given[4] == "_CON")
        #expect(throws: VaultError(.exists)) {
            try store.attachments.describe(store.attachments.find("passwd", of: note).id, of: note, name: "PHOTO.jpg")
        }
        #expect(
            try store.attachments.describe(
                store.attachments.find("passwd", of: note).id, of: note, name: "list.txt", caption: "a list"
            ).details
                .caption == "a list")
    }

    @Test func aFileThatAnAttachmentStillNamesIsNotRemovedWhateverPutItOnTheList() throws {
        let (vault, store, note) = try fresh()
        let added = try store.addAttachment("only.bin", bytes(40_000), to: note)
        let other = try store.addAttachment("other.bin", bytes(40_000), to: note)
        try store.write { transaction in
            for row in try Row.fetchAll(transaction.database, sql: "SELECT object FROM attachment") {
                try transaction.unlinkLater(try row.bytes("object"))
            }
            try transaction.database.execute(
                sql: "DELETE FROM attachment WHERE id = ?", arguments: [other.id.bytes.blob])
        }
        while try store.attachments.removePending() {}
        #expect(try store.content(added) == bytes(40_000))
        #expect(objects(vault).count == 1, "the file of the row that is gone is")
        let left = try store.read { try Int.fetchOne($0.database, sql: "SELECT count(*) FROM pendingUnlink") }
        #expect(left == 0, "and nothing is tried again")
    }

    @Test func A02A06swappedCutAndChangedFilesAreFoundAndNamed() throws {
        let (vault, store, note) = try fresh()
        let one = try store.addAttachment("one", bytes(40_000), to: note)
        let two = try store.addAttachment("two", bytes(40_000), to: note)
        let files = objects(vault).map { vault.folder.appending(path: "objects/" + $0) }
        let original = try files.map { try Data(contentsOf: $0) }
        func restore() throws { for (file, data) in zip(files, original) { try data.write(to: file) } }
        func expectProblem(_ kind: CheckProblem.Kind, _ what: Comment) throws {
            #expect(try check(store).contains { $0.kind == kind && $0.noteID == note }, what)
            try restore()
        }
        try original[1].write(to: files[0])
        try original[0].write(to: files[1])
        #expect(throws: (any Error).self) { try store.content(one) }
        #expect(throws: (any Error).self) { try store.content(two) }
        try expectProblem(.attachmentUnreadable, "swapped")
        for offset in [0, 30, 100, 16_500, original[0].count - 1] {
            var changed = original[0]
            changed[offset] ^= 1
            try changed.write(to: files[0])
            try expectProblem(.attachmentUnreadable, "bit at \(offset)")
        }
        let chunk = 16_400
        var exchanged = original[0]
        exchanged.replaceSubrange(56..<56 + chunk, with: original[0][56 + chunk..<56 + 2 * chunk])
        exchanged.replaceSubrange(56 + chunk..<56 + 2 * chunk, with: original[0][56..<56 + chunk])
        try exchanged.write(to: files[0])
        try expectProblem(.attachmentUnreadable, "chunks exchanged")
        try original[0].prefix(56 + chunk).write(to: files[0])
        try expectProblem(.attachmentUnreadable, "cut")
        try (original[0] + Data(count: 16)).write(to: files[0])
        try expectProblem(.attachmentUnreadable, "longer")
        try FileManager.default.removeItem(at: files[0])
        try expectProblem(.attachmentMissing, "gone")
        #expect(try check(store).isEmpty)
    }

    @Test func A04anAttachmentsRowIsNoOther() throws {
        let (vault, store, note) = try fresh()
        defer { withExtendedLifetime(vault) {} }
        let one = try store.addAttachment("one", bytes(10), to: note)
        let two = try store.addAttachment("two", bytes(10), to: note)
        try store.write { transaction in
            let sealed = try transaction.database.cachedStatement("SELECT sealed FROM attachment WHERE id = ?").row([
                two.id.bytes.blob
            ])!.bytes(
                "sealed")
            try transaction.database.execute(
                sql: "UPDATE attachment SET sealed = ? WHERE id = ?", arguments: [sealed.blob, one.id.bytes.blob])
        }
        #expect(throws: VaultError(.integrity)) { try store.attachments.all(of: note) }
        #expect(try check(store).contains { $0.kind == .attachmentUnreadable && $0.noteID == note })
    }

    @Test func anOrphanIsNamedAndPutOutOfTheWay() throws {
        let (vault, store, note) = try fresh()
        _ = try store.addAttachment("one", bytes(10), to: note)
        let name = String(repeating: "ab", count: 32)
        let folder = vault.folder.appending(path: "objects/ab")
        try FileManager.default.createDirectory(
            at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        try Data(bytes(500)).write(to: folder.appending(path: name))
        let waiting = try store.attachments.newObject(for: note)
        let check = VaultCheck(store)
        while try check.step() {}
        #expect(check.report.problems.isEmpty && check.report.orphans == 1)
        #expect(FileManager.default.fileExists(atPath: vault.folder.appending(path: "objects/quarantine/" + name).path))
        #expect(objects(vault).count == 2, "one that is being written stays")
        #expect(try store.objects.emptyQuarantine(now: Machine.now + 29 * 86_400_000) == 0)
        #expect(try store.objects.emptyQuarantine(now: Machine.now + 31 * 86_400_000) == 1)
        _ = waiting
    }

    @Test func aCrashBetweenFileAndRowLeavesNothingMissing() throws {
        let (vault, store, note) = try fresh()
        _ = try store.addAttachment("kept", bytes(10), to: note)
        let file = try store.attachments.newObject(for: note)
        _ = try OpenVault.seal(bytes(100), file)
        let crashed = try TestVault(copying: vault, sharingPins: true)
        let again = try crashed.open()
        let check = VaultCheck(again)
        while try check.step() {}
        #expect(check.report.problems.isEmpty && check.report.orphans == 1)
        #expect(try again.content(again.attachments.find("kept", of: note)) == bytes(10))
        _ = file
    }

    @Test func joinedNotesKeepThemAndUndoBringsThemHome() throws {
        let (vault, store, note) = try fresh()
        let other = try store.notes.create(NoteDraft(body: "other")).id
        let added = try store.addAttachment("map.png", bytes(300), to: other)
        _ = try store.notes.join([note, other])
        #expect(try store.attachments.all(of: note).map(\.id) == [added.id])
        _ = try store.notes.purgeTrash(limit: 10)
        _ = try store.attachments.removePending()
        #expect(
            try store.content(store.attachments.find("map.png", of: note)) == bytes(300) && objects(vault).count == 1)
        let third = try store.notes.create(NoteDraft(body: "third")).id
        _ = try store.notes.join([third, note])
        _ = try store.history.undo(limit: 10)
        #expect(try store.attachments.all(of: note).map(\.id) == [added.id] && store.attachments.all(of: third).isEmpty)
        #expect(try store.content(store.attachments.find("map.png", of: note)) == bytes(300) && check(store).isEmpty)
    }

    @Test func thinningTakesAwayWhatNoRevisionHas() throws {
        let (vault, store, note) = try fresh()
        let added = try store.addAttachment("a", bytes(10), to: note)
        _ = try store.attachments.remove([added.id], from: note)
        _ = try store.notes.edit(note) { $0.body = "later" }
        try store.write { try $0.database.execute(sql: "UPDATE revision SET made = made - 40 * 86400000") }
        try store.write { try $0.database.execute(sql: "UPDATE change SET made = made - 40 * 86400000") }
        let thinning = Thinning(store, Retention(), dryRun: false)
        while try thinning.step() {}
        _ = try store.attachments.removePending()
        #expect(objects(vault).isEmpty)
        #expect(try check(store).isEmpty)
    }

    @Test func thumbnailsAreSealedLikeTheirAttachments() throws {
        let (vault, store, note) = try fresh()
        defer { withExtendedLifetime(vault) {} }
        let added = try store.addAttachment("a.png", bytes(10), to: note, kind: .photo)
        #expect(try store.attachments.thumbnail(of: added.id, note: note) == nil)
        try store.attachments.saveThumbnail(bytes(900), of: added.id, note: note)
        #expect(try store.attachments.thumbnail(of: added.id, note: note) == bytes(900))
        try store.makePrivate(note)
        try store.openPrivate(note)
        #expect(try store.attachments.thumbnail(of: added.id, note: note) == nil, "made anew under the note's key")
        try store.attachments.saveThumbnail(bytes(900), of: added.id, note: note)
        store.privateNotes.relock(note)
        #expect(throws: VaultError(.noteLocked)) { try store.attachments.thumbnail(of: added.id, note: note) }
    }

    private func check(_ store: OpenVault) throws -> [CheckProblem] {
        let check = VaultCheck(store)
        while try check.step() {}
        return check.report.problems
    }
}
