// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Foundation
import GRDB
import Testing
import VaultCrypto
import VaultFormat

@testable import VaultCore

/// ThreatModel A01 to A05: sealed bytes in another place than their own.
struct TamperTests {
    private let vault: TestVault
    private let store: OpenVault
    private let one: NoteSummary
    private let two: NoteSummary

    init() throws {
        vault = try TestVault()
        store = try vault.open()
        one = try store.notes.create(NoteDraft(body: "first secret"))
        two = try store.notes.create(NoteDraft(body: "other secret"))
    }

    private func sealed(_ note: NoteSummary) throws -> [UInt8] {
        try #require(
            try store.read {
                try Row.fetchOne(
                    $0.database, sql: "SELECT sealed FROM revision WHERE id = ?", arguments: [note.revision.bytes.blob])
            }
        )
        .bytes("sealed")
    }

    private func put(_ sealed: [UInt8], into note: NoteSummary) throws {
        try store.write {
            try $0.database.execute(
                sql: "UPDATE revision SET sealed = ? WHERE id = ?", arguments: [sealed.blob, note.revision.bytes.blob])
        }
    }

    /// A record sealed under the record key, but in another context than its own.
    private func sealed(_ note: NoteSummary, as change: (inout Context) -> Void) throws -> [UInt8] {
        var context = Context(
            kind: .record, vaultID: store.header.vaultID, objectID: note.revision.bytes, role: note.id.bytes,
            epoch: store.header.epoch)
        change(&context)
        let record = NoteRecord(noteID: note.id, created: 1, modified: 1, body: "put in")
        return try Cobblestone().seal(Padme.pad(record.encoded), key: store.keys.record, context: context.encoded)
    }

    @Test func theTestsOwnSealIsTakenWhenItsContextIsRight() throws {
        try put(sealed(one) { _ in }, into: one)
        #expect(try store.notes.note(one.id).body == "put in")
    }

    @Test func A01everyFlippedByteOfARecordIsRefused() throws {
        let whole = try sealed(one)
        for at in stride(from: 0, to: whole.count, by: 7) {
            var changed = whole
            changed[at] ^= 0x40
            expect(.integrity, "byte \(at)") {
                try store.records.open(changed, note: one.id, revision: one.revision, isPrivate: false)
            }
        }
        expect(.integrity) { try store.records.open([], note: one.id, revision: one.revision, isPrivate: false) }
        expect(.integrity) {
            try store.records.open(Array(whole.dropLast()), note: one.id, revision: one.revision, isPrivate: false)
        }
        expect(.integrity) {
            try store.records.open(whole + [0], note: one.id, revision: one.revision, isPrivate: false)
        }
    }

    @Test func A02twoNotesThatChangedPlacesAreRefused() throws {
        let (first, second) = (try sealed(one), try sealed(two))
        try put(second, into: one)
        try put(first, into: two)
        expect(.noteDamaged) { try store.notes.note(one.id) }
        expect(.noteDamaged) { try store.notes.note(two.id) }
        #expect(try Set(check(store).problems.map(\.kind)).contains(.revisionUnreadable))
    }

    @Test func A02anOlderRevisionOfTheSameNoteIsNoNewerOne() throws {
        let old = try sealed(one)
        let newer = try store.notes.edit(one.id) { $0.body = "changed since" }
        try put(old, into: newer)
        expect(.noteDamaged) { try store.notes.note(one.id) }
    }

    @Test func A02aWholeRowUnderAnotherNotesNameIsRefused() throws {
        try store.write {
            try $0.database.execute(
                sql: "UPDATE note SET head = ? WHERE id = ?", arguments: [two.revision.bytes.blob, one.id.bytes.blob])
        }
        expect(.noteDamaged) { try store.notes.note(one.id) }
    }

    @Test func A03aFieldUnderAnotherRoleIsRefused() throws {
        try put(sealed(one) { $0.role = [] }, into: one)
        expect(.noteDamaged) { try store.notes.note(one.id) }
        try put(
            sealed(one) { context in
                // The same bytes with the border between two fields moved.
                context.objectID = one.revision.bytes + one.id.bytes
                context.role = []
            }, into: one)
        expect(.noteDamaged) { try store.notes.note(one.id) }
    }

    @Test(arguments: Context.Kind.allCases.filter { $0 != .record })
    func A04anObjectOfAnotherKindIsRefusedUnderTheSameKey(kind: Context.Kind) throws {
        try put(sealed(one) { $0.kind = kind }, into: one)
        expect(.noteDamaged) { try store.notes.note(one.id) }
    }

    @Test func A04noObjectServesInAnothersPlace() throws {
        let wrapped = store.header.keyslots[0].wrappedKey
        let manifest = try vault.bytes("manifest")
        for bytes in [wrapped, manifest] {
            try put(bytes, into: one)
            expect(.noteDamaged) { try store.notes.note(one.id) }
        }
        let record = try sealed(two)
        try store.end()
        for name in ManifestFile.names { try vault.change(name) { $0 = record } }
        expect(.integrity) { try vault.open() }
    }

    @Test func A04everyUseHasAKeyOfItsOwn() throws {
        let keys = store.keys
        let all = try [keys.root, keys.headerMAC, keys.manifest, keys.indexPage, keys.indexLog, keys.record].map {
            try exposed($0)
        }
        #expect(Set(all).count == all.count)
    }

    private func exposed(_ key: SymmetricKey) throws -> [UInt8] {
        try unsafe key.withInsecureBytes { raw throws(CryptoError) in unsafe Array(raw) }
    }

    @Test func A05anObjectOfAnotherVaultIsRefusedUnderTheSameKey() throws {
        let other = try VaultID([UInt8](repeating: 5, count: 16))
        try put(sealed(one) { $0.vaultID = other }, into: one)
        expect(.noteDamaged) { try store.notes.note(one.id) }
        try put(sealed(one) { $0.epoch = 2 }, into: one)
        expect(.noteDamaged, "D01: nor one of another epoch") { try store.notes.note(one.id) }
    }

    @Test(arguments: [ManifestFile.names, ["index-1.db"]])
    func A05aFileOfAnotherVaultWithTheSamePasswordIsRefused(names: [String]) throws {
        try store.end()
        let folder = FileManager.default.temporaryDirectory.appending(path: "vault-other-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let creation = try VaultCreation(
            path: Array(folder.path.utf8), password: secret(Array(TestVault.password.utf8)), cost: .recommended,
            withRecoveryKey: false)
        try creation.commit(pins: PinStore(folder: folder.path + "/pins"))
        for name in names {
            let foreign = Array(try Data(contentsOf: folder.appending(path: name)))
            try vault.change(name) { $0 = foreign }
        }
        expect(.integrity) { try vault.open() }
    }
}
