// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Foundation
import SealedObjects
import Testing
import VaultCrypto
import VaultFormat

@testable import VaultCore

/// What one device writes into a note while another gives it a password, takes it away, or purges the note.
struct WaitingRecordsTests {
    // MARK: Attachments

    /// The objects that one has come to the other.
    private func carry(_ set: DeviceSet, _ from: Int, _ to: Int) throws {
        let files = FileManager.default
        let (source, target) = (set.vaults[from].folder.path + "/objects", set.vaults[to].folder.path + "/objects")
        for name in try files.subpathsOfDirectory(atPath: source) {
            var isFolder: ObjCBool = false
            _ = unsafe files.fileExists(atPath: source + "/" + name, isDirectory: &isFolder)
            if isFolder.boolValue {
                try files.createDirectory(atPath: target + "/" + name, withIntermediateDirectories: true)
            } else if !files.fileExists(atPath: target + "/" + name) {
                try files.copyItem(atPath: source + "/" + name, toPath: target + "/" + name)
            }
        }
    }

    private typealias Made = (waiting: AttachmentRecord, file: NewObject, sealed: SealedObject)

    /// Seals what waits, as the agent does.
    private func sealed(_ store: OpenVault) throws -> [Made] {
        try store.devices.waitingAttachments(areHere: true).map { waiting in
            let content = try store.devices.content(of: waiting)
            let file = try store.devices.newObject(for: waiting)
            let plain = URL(fileURLWithPath: NSTemporaryDirectory() + UUID().uuidString)
            #expect(FileManager.default.createFile(atPath: plain.path, contents: nil))
            defer { try? FileManager.default.removeItem(at: plain) }
            let handle = try FileHandle(forUpdating: plain)
            try content.reader().copy(0..<content.details.byteCount, to: handle.fileDescriptor) { _ in true }
            try handle.seek(toOffset: 0)
            let sealed = try ObjectWriter.seal(
                from: handle.fileDescriptor, to: file.descriptor, layers: file.layers,
                byteCountMax: content.details.byteCount
            ) { _ in true }
            try file.sync()
            return (waiting: waiting, file: file, sealed: sealed)
        }
    }

    private func has(_ vault: TestVault, _ object: ObjectName) throws -> Bool {
        try FileManager.default.subpathsOfDirectory(atPath: vault.folder.path + "/objects")
            .contains { $0.hasSuffix(object.hex) }
    }

    @Test func anAttachmentThatCameWithoutThePasswordIsUnderItEverywhere() throws {
        let (set, id) = try DeviceSet.sharing()
        let bytes = [UInt8](repeating: 5, count: 7000)
        try set[0].makePrivate(id)
        _ = try set[1].addAttachment("a.bin", bytes, to: id)
        #expect(try set.tell(1, 0).waitingCount == 1)
        #expect(try set[0].devices.missingObjects().isEmpty, "the note is locked")
        try set[0].openPrivate(id)
        let waiting = try set[0].devices.waitingAttachments(areHere: false)
        #expect(try waiting.count == 1 && set[0].devices.missingObjects() == waiting)
        try carry(set, 1, 0)
        #expect(try set[0].devices.waitingAttachments(areHere: true) == waiting)
        #expect(try set[0].attachments.all(of: id).isEmpty, "its file is not under the note's key yet")
        try set[0].devices.take(sealed(set[0]), of: id)
        while try set[0].attachments.removePending() {}
        let attachment = try #require(try set[0].attachments.all(of: id).first)
        #expect(try attachment.isPrivate && set[0].attachments.bytes(of: attachment) == bytes)
        #expect(try set[0].devices.waitingAttachments(areHere: true).isEmpty)
        #expect(try !has(set.vaults[0], waiting[0].object))
        // The device that added it gets it under the password, too.
        try set.exchange()
        try carry(set, 0, 1)
        expect(.noteLocked) { _ = try set[1].attachments.all(of: id) }
        try set[1].openPrivate(id)
        let other = try #require(try set[1].attachments.all(of: id).first)
        #expect(try other.isPrivate && set[1].attachments.bytes(of: other) == bytes)
        while try set[1].attachments.removePending() {}
        #expect(try !has(set.vaults[1], waiting[0].object))
        try set.expectAlike([id])
    }

    /// The file is not named when the note was locked in between: it would be of no use to anybody.
    @Test func aFileThatWasSealedForANoteThatIsLockedIsGivenUp() throws {
        let (set, id) = try DeviceSet.sharing()
        try set[0].makePrivate(id)
        _ = try set[1].addAttachment("a.bin", [1, 2, 3], to: id)
        _ = try set.tell(1, 0)
        try set[0].openPrivate(id)
        try carry(set, 1, 0)
        let made = try sealed(set[0])
        try #require(made.count == 1)
        set[0].privateNotes.relock(id)
        expect(.attachmentsChanged) { try set[0].devices.take(made, of: id) }
        #expect(try set[0].devices.waitingAttachments(areHere: true).isEmpty)
        try set[0].openPrivate(id)
        #expect(try set[0].devices.waitingAttachments(areHere: true) == made.map(\.waiting))
    }

    // MARK: Purges, and what was not told yet

    /// Whoever purges a locked note has not seen what waits for its password.
    @Test func whatNobodyWasShownOutlivesAPurge() throws {
        let (set, id) = try DeviceSet.sharing()
        try set[0].makePrivate(id)
        _ = try set[1].notes.edit(id) { $0.body += "\nmeanwhile" }
        #expect(try set.tell(1, 0).waitingCount == 1)
        _ = try set[0].notes.setTrashed(id, true)
        #expect(try set[0].notes.purgeTrash(limit: 10) == 1)
        #expect(try set[0].body(id) == "hidden zebra\nmeanwhile" && !set[0].privateNotes.isPrivate(id))
        #expect(try check(set[0]).problems.isEmpty)
        try set.exchange()
        try set.expectAlike([id])
    }

    @Test func recordsOfAPasswordThatWasNotToldYetCanBeTold() throws {
        let (set, id) = try DeviceSet.sharing()
        _ = try set.news(of: 0, to: 1)
        _ = try set[0].notes.edit(id) { $0.body += "\nmore" }
        try set[0].makePrivate(id)
        let last = try set[0].read { try IndexState.fetch($0.database).sequence }
        let early = try set[0].devices.told(after: last - 1)
        #expect(try early.bodies.count == 1 && EntryBody(parsing: early.bodies[0]).keyID != nil)
        _ = try set[1].devices.apply(early.bodies)
        try set.exchange()
        try set[1].openPrivate(id)
        #expect(try set[1].body(id) == "hidden zebra\nmore")
        try set.expectAlike([])
    }

    /// A third device that had the password, and never opened the note, shows what outlived the purge.
    @Test func whatOutlivesAPurgeIsAnOrdinaryNoteWhereTheNoteIsLocked() throws {
        let (set, id) = try DeviceSet.sharing(among: 3)
        try set[0].makePrivate(id)
        _ = try set[1].notes.edit(id) { $0.body += "\nmeanwhile" }
        for (sender, receiver) in [(0, 2), (1, 0), (1, 2)] { _ = try set.tell(sender, receiver) }
        #expect(try set[2].privateNotes.isPrivate(id))
        _ = try set[0].notes.setTrashed(id, true)
        #expect(try set[0].notes.purgeTrash(limit: 10) == 1)
        try set.exchange()
        try set.expectAlike([id])
        #expect(try set[2].body(id) == "hidden zebra\nmeanwhile" && !set[2].privateNotes.isPrivate(id))
    }

    /// A private version that outlives a purge opens where its note had gone with its keyslot.
    @Test func aPrivateVersionThatOutlivesAPurgeOpensEverywhere() throws {
        let (set, id) = try DeviceSet.sharing()
        try set[0].makePrivate(id)
        try set.exchange()
        try set[1].openPrivate(id)
        _ = try set[0].notes.setTrashed(id, true)
        #expect(try set[0].notes.purgeTrash(limit: 10) == 1)
        _ = try set[1].notes.edit(id) { $0.body += "\nof the second" }
        try set.exchange()
        try set[0].openPrivate(id)
        #expect(try set[0].body(id) == "hidden zebra\nof the second")
        try set.expectAlike([id])
    }

    /// A password that was taken away and given again before anybody heard of it has a key of another number.
    @Test func anotherKeyDoesNotPassForTheOneBefore() throws {
        let (set, id) = try DeviceSet.sharing()
        try set[0].makePrivate(id)
        try set.exchange()
        try set[0].openPrivate(id)
        try set[0].privateNotes.unprotect(id)
        #expect(try set[0].privateNotes.nextKeyEpoch(of: id) == 2)
        let next = try set[0].protecting(id, "other", keeping: nil, epoch: 2)
        try set[0].privateNotes.protect(id, next)
        try set.exchange()
        try set[1].openPrivate(id, "other")
        #expect(try set[1].body(id) == "hidden zebra")
        try set.expectAlike([])
    }

    @Test func oneFileThatDoesNotComeHoldsUpNoOther() throws {
        let (set, id) = try DeviceSet.sharing()
        try set[0].makePrivate(id)
        _ = try set[1].addAttachment("a.bin", [1, 2, 3], to: id)
        try carry(set, 1, 0)
        _ = try set[1].addAttachment("b.bin", [4, 5, 6], to: id)
        _ = try set.tell(1, 0)
        try set[0].openPrivate(id)
        #expect(try set[0].devices.missingObjects().count == 1)
        try set[0].devices.take(sealed(set[0]), of: id)
        #expect(try set[0].attachments.all(of: id).map(\.name) == ["a.bin"])
        #expect(try set[0].devices.missingObjects().count == 1)
    }

    /// What takes the password away is not undone by an edit that came before its records.
    @Test func anEditBesideTheRemovalOfAPasswordDoesNotBringItBack() throws {
        let (set, id) = try DeviceSet.sharing()
        try set[0].makePrivate(id)
        try set.exchange()
        for number in 0..<2 { try set[number].openPrivate(id) }
        try set[1].privateNotes.unprotect(id)
        _ = try set[1].notes.edit(id) { $0.body += "\nin the open" }
        let bodies = try set.news(of: 1, to: 0)
        // All but the records that the statement brings along.
        let parsed = try bodies.map { try EntryBody(parsing: $0) }
        let statement = try #require(parsed.firstIndex { $0.noteKey != nil })
        _ = try set[0].devices.apply([bodies[statement], #require(bodies.last)])
        var rest = bodies.dropLast()
        rest.remove(at: statement)
        _ = try set[0].devices.apply(Array(rest))
        #expect(try !set[0].privateNotes.isPrivate(id) && set[0].body(id).hasSuffix("in the open"))
        try set.exchange()
        try set.expectAlike([id])
        #expect(try !set[1].privateNotes.isPrivate(id))
    }

    /// Whoever tells of a record that waits here tells the record too: else it is dropped where it is heard of first.
    @Test func whatWaitsIsToldOn() throws {
        let (set, id) = try DeviceSet.sharing(among: 3)
        try set[0].makePrivate(id)
        _ = try set[1].notes.edit(id) { $0.body += "\nmeanwhile" }
        for (sender, receiver) in [(1, 0), (0, 2)] { _ = try set.tell(sender, receiver) }
        #expect(try set[2].body(id) == "hidden zebra\nmeanwhile", "it is not all under the password yet")
        try set[0].openPrivate(id)
        try set.exchange()
        for number in 1..<3 {
            #expect(try set[number].privateNotes.isPrivate(id))
            try set[number].openPrivate(id)
        }
        try set.expectAlike([id])
    }

    /// The writer of an edit that was made without knowing of the password has nobody else who gives it back under it.
    @Test func aPasswordThatWasToldBeforeIsToldAgainWithWhatWasSealedSince() throws {
        let (set, id) = try DeviceSet.sharing()
        _ = try set[1].notes.edit(id) { $0.body += "\nmeanwhile" }
        try set[0].makePrivate(id)
        _ = try set.tell(0, 1)
        #expect(try !set[1].privateNotes.isPrivate(id), "not all of it is under the password")
        _ = try set.tell(1, 0)
        try set[0].openPrivate(id)
        _ = try set.tell(0, 1)
        #expect(try set[1].privateNotes.isPrivate(id))
        try set[1].openPrivate(id)
        #expect(try set[1].body(id) == "hidden zebra\nmeanwhile")
        try set.expectAlike([id])
    }
}
