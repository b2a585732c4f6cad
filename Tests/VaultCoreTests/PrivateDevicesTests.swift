// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Foundation
import Testing
import VaultCrypto
import VaultFormat

@testable import VaultCore

/// Notes with a password of their own on several devices.
struct PrivateDevicesTests {
    @Test func aNoteThatBecomesPrivateIsPrivateEverywhere() throws {
        let (set, id) = try DeviceSet.sharing()
        _ = try set[0].notes.edit(id) { $0.body += "\nmore" }
        try set.exchange()
        try set[0].makePrivate(id)
        try set.exchange()
        for number in 0..<2 {
            #expect(try set[number].privateNotes.isPrivate(id))
            expect(.noteLocked) { _ = try set[number].body(id) }
            #expect(try set[number].search.find("zebra", limit: 5, page: 1, snippetColumns: 40).hits.isEmpty)
            let problems = try check(set[number]).problems
            #expect(problems.isEmpty, "\(problems)")
            try set[number].openPrivate(id)
            #expect(try set[number].body(id) == "hidden zebra\nmore")
            #expect(try set[number].history.revisions(of: id).count == 2)
        }
        // It is written in on one, and read on the other.
        _ = try set[1].notes.edit(id) { $0.body += "\nof the second" }
        try set.exchange()
        try set.expectAlike([id])
        #expect(try set[0].body(id).hasSuffix("of the second"))
    }

    @Test func anotherPasswordOpensItEverywhere() throws {
        let (set, id) = try DeviceSet.sharing()
        try set[0].makePrivate(id)
        try set.exchange()
        try set[0].openPrivate(id)
        let key = try set[0].privateNotes.opening(of: id).open(secret(Array("rosebud".utf8)))
        let next = try set[0].protecting(id, "other", keeping: key, epoch: 1)
        try set[0].privateNotes.protect(id, next)
        try set.exchange()
        expect(.wrongNotePassword) { try set[1].openPrivate(id) }
        try set[1].openPrivate(id, "other")
        #expect(try set[1].body(id) == "hidden zebra")
        try set.expectAlike([])
    }

    @Test func aNoteWithoutPasswordIsOrdinaryEverywhere() throws {
        let (set, id) = try DeviceSet.sharing()
        try set[0].makePrivate(id)
        try set.exchange()
        try set[0].openPrivate(id)
        try set[0].privateNotes.unprotect(id)
        try set.exchange()
        try set.expectAlike([id])
        #expect(try set[1].body(id) == "hidden zebra" && !set[1].privateNotes.isPrivate(id))
        #expect(try set[1].search.find("zebra", limit: 5, page: 1, snippetColumns: 40).hits.count == 1)
    }

    /// What was written without knowing of the password waits until somebody gives it.
    @Test func whatWasWrittenMeanwhileWaitsForThePassword() throws {
        let (set, id) = try DeviceSet.sharing()
        try set[0].makePrivate(id)
        _ = try set[1].notes.edit(id) { $0.body += "\nmeanwhile" }
        #expect(try set.tell(1, 0).waitingCount == 1)
        let problems = try check(set[0]).problems
        #expect(problems.isEmpty, "\(problems)")
        try set[0].openPrivate(id)
        #expect(try set[0].body(id) == "hidden zebra\nmeanwhile")
        #expect(try check(set[0]).problems.isEmpty)
        while try WordRemoval(set[0]).step() {}
        let place = try BackupPlace()
        _ = try place.write(set[0])
        try set.exchange()
        try set[1].openPrivate(id)
        #expect(try set[1].body(id) == "hidden zebra\nmeanwhile")
        try set.expectAlike([id])
    }

    @Test func anArchiveDoesWithoutWhatWaits() throws {
        let (set, id) = try DeviceSet.sharing()
        try set[0].makePrivate(id)
        _ = try set[1].notes.edit(id) { $0.body += "\nmeanwhile" }
        #expect(try set.tell(1, 0).waitingCount == 1)
        let place = try BackupPlace()
        let archive = try ArchiveFile(set[0], pins: PinStore(folder: place.folder.path + "/pins"))
        try archive.restore()
        let store = try archive.open()
        #expect(try check(store).problems.isEmpty)
        try store.openPrivate(id)
        #expect(try store.body(id) == "hidden zebra")
        try store.end()
    }

    /// Locked notes are not joined; an unlocked one is, by the same identifier on every device.
    @Test func lockedHeadsWaitForTheirPassword() throws {
        let (set, id) = try DeviceSet.sharing("1\n2\n3\n4\n")
        try set[0].makePrivate(id)
        try set.exchange()
        for number in 0..<2 {
            try set[number].openPrivate(id)
            _ = try set[number].notes.edit(id) {
                $0.body = number == 0 ? "one\n2\n3\n4\n" : "1\n2\n3\nfour\n"
            }
        }
        try set.exchange()
        set[0].privateNotes.relock(id)
        #expect(try set[0].devices.join([id]).isEmpty)
        try set[0].openPrivate(id)
        for number in 0..<2 { #expect(try set[number].devices.join([id]) == [id]) }
        try set.exchange()
        try set.expectAlike([id])
        #expect(try set[1].body(id) == "one\n2\n3\nfour\n")
    }
}
