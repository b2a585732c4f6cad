// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Foundation
import Glibc
import Testing
import VaultCrypto
import VaultFormat

@testable import VaultCore

/// Backups: made, added to, verified, restored, damaged.
struct BackupTests {
    @Test func aSnapshotIsTheVaultOfThatMoment() throws {
        let full = try RotatingVault(notes: 8)
        let store = try full.vault.open()
        let place = try BackupPlace()
        let before = try full.contents(store)
        let first = try place.write(store)
        #expect(first.isFull && first.counts.attachments == 3 && first.olderEpochCount == 0)
        _ = try store.notes.edit(store.notes.resolve("note 0 quokka")) { $0.body = "later quokka" }
        let second = try place.write(store)
        // Only what changed is copied: some pages of the index.
        #expect(!second.isFull && second.addedByteCount < first.addedByteCount)
        let names = try place.open().names()
        #expect(names.map(\.text) == [first.name, second.name])
        let verified = try SnapshotReader(place.open(), names[0], store.backups.access).verify { _ in true }
        #expect(verified.counts == first.counts && verified.damage.isEmpty && verified.name == names[0])
        try store.end()
        let restored = try place.restore(names[0], as: .original, pins: full.vault.pins)
        #expect(restored.takesThePlaceOfOlder && !restored.isCopy && !restored.hasNewKey && restored.notes == 9)
        // A trial alone shuts nobody out.
        try full.vault.open().end()
        let opened = try OpenVault(
            VaultProbe(path: Array(place.target.utf8), pins: full.vault.pins),
            .recoveryKey(secret(TestVault.recoveryKey)))
        #expect(try full.contents(opened) == before)
        let check = VaultCheck(opened)
        while try check.step() {}
        #expect(check.report.problems.isEmpty)
        try opened.end()
        // Now that it was unlocked, the vault that it takes the place of is an older copy.
        expect(.rollback) { try full.vault.open() }
    }

    @Test func aTrialRestoreIsACopyAndBothOpenWithoutAWord() throws {
        let full = try RotatingVault(notes: 4)
        let pins = full.vault.pins
        var store = try full.vault.open()
        let place = try BackupPlace()
        let before = try full.contents(store)
        let name = try #require(SnapshotName(try place.write(store).name))
        _ = try store.notes.create(NoteDraft(body: "after the backup"))
        try store.end()
        let original = try full.vault.probe().identity
        let pinned = try #require(pins.pin(of: original))
        let restored = try place.restore(name, pins: pins)
        #expect(restored.isCopy && !restored.takesThePlaceOfOlder && !restored.hasNewKey)
        #expect(pins.pin(of: original) == pinned)
        // Private notes, their drafts and attachments open too: what is bound to the vault's ID did not change.
        var copy = try place.openRestored(pins: pins)
        #expect(try full.contents(copy) == before)
        let identity = copy.header.identity
        #expect(identity.vaultID == original.vaultID && identity.copyID != nil && identity.name != original.name)
        // Both at once, and each goes on by itself.
        store = try full.vault.open()
        for _ in 0..<3 { _ = try copy.notes.create(NoteDraft(body: "in the copy")) }
        _ = try store.notes.create(NoteDraft(body: "in the vault"))
        try copy.end()
        try store.end()
        #expect(
            pins.pin(of: identity) != pins.pin(of: original) && pins.vault(at: Array(place.target.utf8)) == identity)
        try full.vault.open().end()
        // A backup of the one is none of the other.
        copy = try place.openRestored(pins: pins)
        expect(.otherVault) { try place.write(copy) }
        expect(.otherVault) { try SnapshotReader(place.open(), name, copy.backups.access) }
        // Another key does not make it the vault.
        try RotatingVault.begin(copy)
        try RotatingVault.finish(copy)
        #expect(copy.header.identity == identity && copy.header.epoch == 2)
        try copy.end()
        try full.vault.open().end()
        try place.openRestored(key: RotatingVault.nextKey, pins: pins).end()
    }

    @Test func A07anOlderCopyOfACopyIsRefused() throws {
        let full = try RotatingVault(notes: 4)
        let store = try full.vault.open()
        let place = try BackupPlace()
        let name = try #require(SnapshotName(try place.write(store).name))
        try store.end()
        try place.restore(name, pins: full.vault.pins)
        let earlier = place.folder.path + "/earlier"
        try FileManager.default.copyItem(atPath: place.target, toPath: earlier)
        let copy = try place.openRestored(pins: full.vault.pins)
        _ = try copy.notes.create(NoteDraft(body: "later"))
        try copy.end()
        try FileManager.default.removeItem(atPath: place.target)
        try FileManager.default.moveItem(atPath: earlier, toPath: place.target)
        expect(.rollback) { try place.openRestored(pins: full.vault.pins) }
        // Nor does the vault take the copy's place unnoticed.
        try FileManager.default.removeItem(atPath: place.target)
        try FileManager.default.copyItem(atPath: full.vault.folder.path, toPath: place.target)
        expect(.otherVault) { try place.openRestored(pins: full.vault.pins) }
    }

    @Test func A08aSnapshotThatWasChangedIsFoundAndNotRestored() throws {
        let full = try RotatingVault(notes: 4)
        let store = try full.vault.open()
        let place = try BackupPlace()
        let name = try #require(SnapshotName(try place.write(store).name))
        let files = try place.files.filter { $0.utf8.count > 20 && !$0.hasPrefix("snapshots") }
        #expect(files.count > 3)
        for file in files {
            let url = URL(filePath: place.path + "/" + file)
            let whole = try Data(contentsOf: url)
            var bytes = whole
            bytes[bytes.count / 2] ^= 1
            try bytes.write(to: url)
            expect(.integrity, "\(file)") {
                try SnapshotReader(place.open(), name, store.backups.access).verify { _ in true }
            }
            try FileManager.default.removeItem(at: url)
            expect(.integrity) { try SnapshotReader(place.open(), name, store.backups.access).verify { _ in true } }
            expect(.integrity) { try place.restore(name, pins: PinStore(folder: place.folder.path + "/pins")) }
            #expect(!FileManager.default.fileExists(atPath: place.target))
            try whole.write(to: url)
            unsafe chmod(url.path, 0o600)
        }
        let list = URL(filePath: place.path + "/snapshots/" + name.text)
        let whole = try Data(contentsOf: list)
        for at in [0, 3, 4, 20, 22, 60, 200, 300, whole.count - 40, whole.count - 1] {
            var bytes = whole
            bytes[at] ^= 0x81
            try bytes.write(to: list)
            #expect(throws: VaultError.self) {
                try SnapshotReader(place.open(), name, store.backups.access).verify { _ in true }
            }
        }
        try store.end()
    }

    @Test func D04anotherKeyMakesAFullSnapshotAndNamesTheOlderOnes() throws {
        let full = try RotatingVault(notes: 4)
        let place = try BackupPlace()
        var store = try full.vault.open()
        let before = try full.contents(store)
        let old = try #require(SnapshotName(try place.write(store).name))
        try RotatingVault.begin(store)
        expect(.rotationRuns) { try place.write(store) }
        try RotatingVault.finish(store)
        let second = try place.write(store)
        #expect(second.isFull && second.olderEpochCount == 1)
        expect(.oldKey) { try SnapshotReader(place.open(), old, store.backups.access) }
        try store.end()
        // The old password still opens it: here into a vault with a new key, since this account knows of the later one.
        let restored = try place.restore(old, pins: full.vault.pins)
        #expect(restored.hasNewKey)
        store = try OpenVault(
            VaultProbe(path: Array(place.target.utf8), pins: full.vault.pins),
            .recoveryKey(secret(RotatingVault.nextKey)))
        var wanted = before
        wanted.thumbnails = [:]
        #expect(try full.contents(store) == wanted && store.header.epoch == 2)
        try store.end()
    }

    @Test func whatABackupDidNotEndIsNoSnapshotAndIsWrittenAnew() throws {
        let full = try RotatingVault(notes: 4)
        let store = try full.vault.open()
        _ = try store.addAttachment(
            "large", [UInt8](repeating: 3, count: 3 << 20), to: store.notes.resolve("note 0 quokka"))
        let place = try BackupPlace()
        expect(.cancelled) { try place.write(store) { $0 < 1 << 20 } }
        #expect(try place.open().names().isEmpty)
        // Half of a piece, as a power cut may leave it: no snapshot vouches for it.
        for file in try place.files where file.hasPrefix("pieces/") && file.utf8.count > 12 {
            try Data([1, 2, 3]).write(to: URL(filePath: place.path + "/" + file))
        }
        let name = try #require(SnapshotName(try place.write(store).name))
        _ = try SnapshotReader(place.open(), name, store.backups.access).verify { _ in true }
        try store.end()
    }

    @Test func H03H04aBackupGoesNowhereElse() throws {
        let full = try RotatingVault(notes: 4)
        let store = try full.vault.open()
        let place = try BackupPlace()
        try FileManager.default.createDirectory(
            atPath: place.folder.path + "/elsewhere", withIntermediateDirectories: true)
        // A link in the place of a folder is not followed.
        try FileManager.default.createSymbolicLink(
            atPath: place.path + "/pieces", withDestinationPath: place.folder.path + "/elsewhere")
        #expect(throws: VaultError.self) { try place.write(store) }
        #expect(try FileManager.default.contentsOfDirectory(atPath: place.folder.path + "/elsewhere").isEmpty)
        try FileManager.default.removeItem(atPath: place.path + "/pieces")
        // A folder with something else in it is no backup.
        try Data([1]).write(to: URL(filePath: place.path + "/letter.txt"))
        expect(.exists) { try place.write(store) }
        try FileManager.default.removeItem(atPath: place.path + "/letter.txt")
        unsafe chmod(place.path, 0o770)
        expect(.notOurs) { try place.write(store) }
        unsafe chmod(place.path, 0o700)
        _ = try place.write(store)
        try store.end()
    }

    @Test func B06anOlderHeaderInASnapshotIsRefused() throws {
        let full = try RotatingVault(notes: 4)
        let store = try full.vault.open()
        let place = try BackupPlace()
        let old = try #require(SnapshotName(try place.write(store).name))
        let proof = try KeyslotProof(store.header, .recoveryKey(secret(TestVault.recoveryKey)))
        let slot = try NewKeyslot(
            proof, .recoveryKey(secret(RotatingVault.nextKey)), name: "new", cost: .recommended, targetMilliseconds: 0)
        try store.keyslots.replace([proof.slotID], by: slot, proof)
        let name = try #require(SnapshotName(try place.write(store).name))
        // The password that was changed must not come back with the notes of today.
        let path = place.path + "/snapshots/"
        var file = try SnapshotFile(parsing: Array(Data(contentsOf: URL(filePath: path + name.text))))
        file.header = try SnapshotFile(parsing: Array(Data(contentsOf: URL(filePath: path + old.text)))).header
        try Data(file.encoded).write(to: URL(filePath: path + name.text))
        expect(.integrity) { try place.restore(name, pins: PinStore(folder: place.folder.path + "/pins")) }
        expect(.integrity) { try SnapshotReader(place.open(), name, store.backups.access) }
        try store.end()
    }

    @Test func H05onlyOurOwnNamesAreSnapshots() {
        for name in [
            "", "..", "../x", "20261121T120000Z-0123abcX", "20261121T120000Z-0123ABCD", "20261121T120000Z/0123abcd",
            "2026112aT120000Z-0123abcd",
            "20261121T120000Z-0123abcd\n",
        ] { #expect(SnapshotName(name) == nil) }
        #expect(SnapshotName("20261121T120000Z-0123abcd") != nil)
        #expect(
            SnapshotName(made: "20261121T120000Z", id: [0x01, 0x23, 0xAB, 0xCD, 0xEF])?.text
                == "20261121T120000Z-0123abcd")
    }
}
