// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Foundation
import GRDB
import Glibc
import Testing
import VaultCrypto
import VaultFormat

@testable import VaultCore

/// A new key, and everything under it: nothing is lost on the way, and the old key opens nothing afterwards.
struct RotationTests {
    private let fixture: RotatingVault
    private var vault: TestVault { fixture.vault }

    init() throws { fixture = try RotatingVault() }

    private func contents(_ store: OpenVault) throws -> RotatingVault.Contents { try fixture.contents(store) }

    @Test func everythingIsThereAfterARotation() throws {
        let store = try vault.open()
        let before = try contents(store)
        #expect(before.attachments.count == 3 && before.drafts.count == 1 && before.thumbnails.count == 1)
        try RotatingVault.begin(store)
        #expect(try contents(store) == before, "in the middle")
        try RotatingVault.finish(store)
        #expect(!store.isRotating)
        #expect(try contents(store) == before)
        #expect(try check(store).problems.isEmpty)
        try store.end()
        let again = try vault.open(key: RotatingVault.nextKey)
        #expect(try contents(again) == before)
        #expect(try check(again).problems.isEmpty)
        #expect(again.header.epoch == 2)
        try again.end()
    }

    @Test func D02theOldKeyOpensNothingNew() throws {
        let earlier = try TestVault(copying: vault)
        let store = try vault.open()
        let oldKeys = store.keys
        let oldHeader = store.header.content
        try RotatingVault.begin(store)
        try RotatingVault.finish(store)
        _ = try store.notes.create(NoteDraft(body: "written after it"))
        let (header, layer) = (store.header, store.layer)
        try store.end()
        expect(.wrongPassword, "the old recovery key") { try vault.open() }
        expect(.wrongPassword, "the old password") { try vault.open(password: TestVault.password) }
        // With the old key in hand: no file of the vault opens under any of its subkeys, wherever it is looked for.
        #expect(try Header.isVerified(header.content, by: oldKeys) == false)
        #expect(try vault.files().contains { $0.hasPrefix("index-1") } == false)
        var old = oldHeader
        for epoch in [UInt32(1), 2] {
            old.epoch = epoch
            expect(.integrity) {
                try ManifestFile(
                    VaultDirectory(path: vault.path), keys: oldKeys, header: Header.make(old, keys: oldKeys)
                ).read()
            }
            #expect(try vault.authenticPages("index-2.db", oldKeys, old) == 0)
        }
        #expect(try vault.authenticPages("index-2.db", layer.keys, header.content) > 0)
        let again = try vault.open(key: RotatingVault.nextKey)
        let previous = try VaultLayer(oldKeys, vaultID: header.vaultID, epoch: 1)
        let current = try VaultLayer(oldKeys, vaultID: header.vaultID, epoch: 2)
        for table in SealedRows.allCases {
            let values = try again.read { try table.values($0.database, after: table.begin, limit: 1000) }
            #expect(!values.isEmpty, "\(table)")
            for value in values {
                for place in value.layerPlaces {
                    #expect(previous.open(value.sealed, place) == nil && current.open(value.sealed, place) == nil)
                }
            }
        }
        try again.end()
        // What it still opens is what was there before: an old copy. That is said, not hidden.
        let copy = try earlier.open()
        #expect(try copy.notes.counts().notes[.live] > 0)
        try copy.end()
    }

    @Test func D01everyInterruptedStateResumes() throws {
        let store = try vault.open()
        let before = try contents(store)
        var crashes: [TestVault] = []
        let crash = { crashes.append(try TestVault(copying: vault, sharingPins: true)) }
        try RotatingVault.begin(store, atEachStep: crash)
        try RotatingVault.finish(store, atEachStep: crash)
        try store.end()
        var opened = (old: 0, new: 0)
        for copy in crashes {
            let isNew = try UnverifiedHeader(parsing: copy.bytes("header")).epoch == 2
            let store = try copy.openAsCopy(key: isNew ? RotatingVault.nextKey : TestVault.recoveryKey)
            if isNew { opened.new += 1 } else { opened.old += 1 }
            #expect(try contents(store) == before)
            try RotatingVault.finish(store)
            #expect(try contents(store) == before)
            #expect(try check(store).problems.isEmpty)
            let left = try copy.files().filter { $0.hasPrefix("index-") && !$0.hasSuffix("-wal") }
            #expect(left.sorted() == (isNew ? ["index-2.db", "index-2.map"] : ["index-1.db", "index-1.map"]))
            try store.end()
        }
        #expect(opened.old > 0 && opened.new > 10)
    }

    @Test func theVaultIsWrittenToMeanwhile() throws {
        let store = try vault.open()
        var expected: Set<String> = []
        var number = 0
        let write = {
            number += 1
            let text = "written meanwhile \(number)"
            let note = try store.notes.create(NoteDraft(body: text))
            if number % 3 == 0 { _ = try store.addAttachment("m\(number)", [UInt8(number)], to: note.id) }
            if number % 4 == 0 {
                try store.makePrivate(store.notes.resolve("note \(4 + number % 6) quokka"), "other \(number)")
            }
            expected.insert(text)
            try store.recordProgress()
        }
        try RotatingVault.begin(store, atEachStep: write)
        var steps = 0
        try RotatingVault.finish(store) {
            steps += 1
            if steps % 4 == 1, store.isRotating { try write() }
        }
        #expect(number > 5)
        try store.end()
        let again = try vault.open(key: RotatingVault.nextKey)
        let found = try again.notes.list(NoteFilter(), offset: 0, limit: 1000).map {
            try again.privateNotes.isPrivate($0.id) ? "" : again.notes.note($0.id).body
        }
        #expect(expected.isSubset(of: Set(found)))
        #expect(try check(again).problems.isEmpty)
        try again.end()
    }

    @Test func D01aForgedNextEpochIsRemovedAndNotRead() throws {
        for (name, bytes) in [
            ("index-2.db", try vault.bytes("index-1.db")), ("manifest.next", try vault.bytes("manifest")),
            ("manifest.2.next", try vault.bytes("manifest")),
        ] {
            try Data(bytes).write(to: vault.folder.appending(path: name))
        }
        let store = try vault.open()
        #expect(store.header.epoch == 1 && !store.isRotating)
        #expect(try vault.files().contains { $0 == "index-2.db" || $0.hasSuffix(".next") } == false)
        try store.end()
    }

    @Test func D01aRotationRecordOfSomebodyElseIsRefused() throws {
        let store = try vault.open()
        // Whoever could write this row has the vault's key already; still no key but the one before is taken from it.
        let other = try VaultKeys(SymmetricKey(random: ()))
        let place = RotationState.place(previousEpoch: 0, counter: 9)
        let wrapped = try VaultLayer(other, vaultID: store.header.vaultID, epoch: 1).seal(other.root, place)
        try store.write { try RotationState.insert($0.database, wrapped: wrapped, counter: 9, total: 0) }
        try store.end()
        expect(.integrity) { try vault.open() }
    }

    @Test func aRotationNeedsRoomAndTheHeaderThatItBeganWith() throws {
        let store = try vault.open()
        let next = try RotatingVault.next(store)
        let proof = try KeyslotProof(store.header, .recoveryKey(secret(TestVault.recoveryKey)))
        let plan = try RotationPlan(store.rotation.planRequest())
        #expect(plan.hasRoom && plan.objectCount == 3 && plan.slots.map(\.name) == ["password", "recovery key"])
        let new = try NewKeyslot(
            proof, .recoveryKey(secret(RotatingVault.nextKey)), name: "other", cost: .recommended, targetMilliseconds: 0
        )
        try store.keyslots.add(new, proof)
        expect(.keysChanged) { try RotationStart(store, next, plan) }
        try store.end()
    }

    @Test func D01aRowOfARotationThatHasEndedBringsTheOldKeyNotBack() throws {
        let store = try vault.open()
        try RotatingVault.begin(store)
        let row = try store.read { try Row.fetchOne($0.database, sql: "SELECT wrapped, counter FROM rotation") }
        let (wrapped, counter): ([UInt8], Int64) = try (
            #require(row).bytes("wrapped"), #require(row).integer("counter")
        )
        try RotatingVault.finish(store)
        // As if the page that it was on had been put back: authentic, and of this epoch.
        try store.write { try RotationState.insert($0.database, wrapped: wrapped, counter: UInt64(counter), total: 0) }
        try store.end()
        let again = try vault.open(key: RotatingVault.nextKey)
        #expect(!again.isRotating)
        #expect(try again.read { try RotationState.fetch($0.database) } == nil)
        try again.end()
    }

    @Test func keysChangeWhileARotationRuns() throws {
        let store = try vault.open()
        let before = try contents(store)
        try RotatingVault.begin(store, keepsPassword: true)
        let other = [UInt8](repeating: 0x33, count: 20)
        for byte in [UInt8(0x33), 0x34] {
            let proof = try KeyslotProof(store.header, .password(secret(RotatingVault.nextKey)))
            let key = [UInt8](repeating: byte, count: 20)
            try store.keyslots.add(
                NewKeyslot(
                    proof, .recoveryKey(secret(key)), name: "k\(byte)", cost: .recommended, targetMilliseconds: 0),
                proof)
            let copy = try TestVault(copying: vault)
            let crash = try copy.openAsCopy(key: key)
            #expect(crash.isRotating)
            try RotatingVault.finish(crash)
            #expect(try contents(crash) == before)
            try crash.end()
            withExtendedLifetime(copy) {}
        }
        try store.end()
        let again = try vault.open(key: other)
        #expect(again.isRotating)
        try RotatingVault.finish(again)
        #expect(try contents(again) == before && check(again).problems.isEmpty)
        try again.end()
    }

    @Test func whatIsDamagedKeepsTheOldKeyAndHoldsNothingElseUp() throws {
        let store = try vault.open()
        let note = try store.notes.resolve("note 5 quokka")
        try RotatingVault.begin(store)
        try store.write {
            try $0.database.execute(
                sql: "UPDATE revision SET sealed = x'00' WHERE note = ?", arguments: [note.bytes.blob])
        }
        let lost = try store.addAttachment("lost", [1, 2, 3], to: store.notes.resolve("note 7 quokka"))
        try store.write {
            try $0.database.execute(
                sql: "UPDATE attachment SET epoch = 1 WHERE id = ?", arguments: [lost.id.bytes.blob])
        }
        expect(.integrity) { try RotatingVault.finish(store) }
        #expect(store.isRotating, "the old key is kept")
        let left = try store.read {
            try Int.fetchOne($0.database, sql: "SELECT count(*) FROM attachment WHERE epoch = 1")
        }
        #expect(left == 1, "all but the damaged one are under the new key")
        try store.end()
        let again = try vault.open(key: RotatingVault.nextKey)
        #expect(again.isRotating)
        expect(.integrity) { try RotatingVault.finish(again) }
        try again.end()
    }

    @Test func D03nothingIsWrittenOverAnotherProgramsRotation() throws {
        let store = try vault.open()
        _ = try store.notes.create(NoteDraft(body: "of the old agent"))
        try store.recordProgress()
        // The files as another machine leaves them after a rotation of its own.
        let there = try TestVault(copying: vault)
        let other = try there.openAsCopy(key: TestVault.recoveryKey)
        try RotatingVault.begin(other)
        try RotatingVault.finish(other)
        try other.end()
        for name in try there.files() where name != "objects" && name != "drafts" && name != "lock" {
            try Data(there.bytes(name)).write(to: vault.folder.appending(path: name))
        }
        expect(.keysChanged) { try store.notes.create(NoteDraft(body: "not written")) }
        expect(.keysChanged) { try store.requireOurHeader() }
        try? store.recordProgress()
        try? store.close()
        store.directory.unlock()
        for name in ["header", "header.2", "manifest", "manifest.2", "index-2.db"] {
            #expect(try vault.bytes(name) == there.bytes(name), "\(name)")
        }
    }

    @Test func aRotationWithoutRoomIsRefusedBeforeAnythingIsWritten() throws {
        let store = try vault.open()
        // A file that claims to be larger than any disk: so much room would be needed beside it.
        let folder = vault.folder.appending(path: "objects/ab")
        try FileManager.default.createDirectory(
            at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        let file = unsafe open(
            folder.appending(path: String(repeating: "ab", count: 32)).path, O_WRONLY | O_CREAT, 0o600)
        #expect(ftruncate(file, 1 << 42) == 0)
        close(file)
        let files = try vault.files()
        let plan = try RotationPlan(store.rotation.planRequest())
        #expect(!plan.hasRoom && plan.neededByteCount > 1 << 42)
        expect(.noRoom) { try RotationStart(store, RotatingVault.next(store), plan) }
        #expect(try vault.files() == files && store.header.epoch == 1)
        try store.end()
    }
}
