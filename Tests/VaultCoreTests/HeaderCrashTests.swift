// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Foundation
import Testing
import VaultCrypto
import VaultFormat

@testable import VaultCore

/// A crash at each step of a change of keys: row, header, its copy, row, manifest, its copy.
struct HeaderCrashTests {
    private static let other = [UInt8](repeating: 7, count: RecoveryKey.byteCount)
    private static let next = [UInt8](repeating: 8, count: RecoveryKey.byteCount)

    enum Change: CaseIterable { case add, replace, remove }

    /// A file whose replacement the disk refuses: what lies there then is what a crash before it leaves.
    private func refusing(_ name: String, in vault: TestVault, _ body: () throws -> Void) throws {
        let blocker = vault.folder.appending(path: name + ".new")
        try FileManager.default.createDirectory(at: blocker.appending(path: "full"), withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: blocker) }
        try body()
    }

    private func make(_ change: Change, in store: OpenVault) throws {
        let proof = try KeyslotProof(store.header, .recoveryKey(secret(TestVault.recoveryKey)))
        let slot = try #require(try store.keyslots.all().first { $0.name == "other" }).slotID
        let new = try NewKeyslot(
            proof, .recoveryKey(secret(Self.next)), name: "next", cost: .recommended, targetMilliseconds: 0)
        switch change {
        case .add: try store.keyslots.add(new, proof)
        case .replace: try store.keyslots.replace([slot], by: new, proof)
        case .remove: try store.keyslots.remove(slot, proof)
        }
    }

    @Test(arguments: Change.allCases, HeaderFile.names + ManifestFile.names + [""])
    func J04aCrashAtAnyStepOfAChangeOfKeysOpens(change: Change, refused: String) throws {
        let vault = try TestVault()
        let store = try vault.open()
        _ = try store.notes.create(NoteDraft(body: "kept"))
        try store.add(Self.other, named: "other")
        if refused.isEmpty {
            try make(change, in: store)
        } else {
            try refusing(refused, in: vault) { try? make(change, in: store) }
        }
        let isNew = try UnverifiedHeader(parsing: vault.bytes("header")).counter == 3
        #expect(isNew == (refused != "header"))
        // On the machine that made it, and on one that has never seen the vault.
        for sharesPins in [true, false] {
            let crashed = try TestVault(copying: vault, sharingPins: sharesPins)
            try? FileManager.default.removeItem(at: crashed.folder.appending(path: refused + ".new"))
            let opened = try crashed.open()
            #expect(try opened.notes.list(NoteFilter(), offset: 0, limit: 9).count == 1 && !opened.isReadOnly)
            #expect(try check(opened).problems.isEmpty)
            #expect(try KnownHeader(opened.manifestFile.read()) == KnownHeader(opened.header))
            try opened.end()
            #expect(try crashed.bytes("header") == crashed.bytes("header.2"))
            try crashed.open().end()
            // What was removed opens nothing once the new header stands.
            if isNew, change != .add {
                expect(.wrongPassword, "\(change), \(refused)") { try crashed.open(key: Self.other) }
            } else {
                try crashed.open(key: Self.other).end()
            }
            if isNew, change != .remove { try crashed.open(key: Self.next).end() }
            withExtendedLifetime(crashed) {}
        }
        try? store.end()
    }

    @Test func J04aHeaderOfTheEpochBeforeIsNotMendedOverTheNextOne() throws {
        let fixture = try RotatingVault(notes: 4)
        let vault = fixture.vault
        let store = try vault.open()
        let before = try fixture.contents(store)
        // A crash between the two copies of the header that a rotation replaces.
        try refusing("header.2", in: vault) {
            expect(.keysUncertain) { try RotatingVault.begin(store) }
        }
        let crashed = try TestVault(copying: vault)
        try? store.end()
        let (first, second) = (try crashed.bytes("header"), try crashed.bytes("header.2"))
        #expect(try UnverifiedHeader(parsing: first).epoch == 2 && UnverifiedHeader(parsing: second).epoch == 1)
        expect(.wrongPassword, "the key of before opens the copy of before") { try crashed.open() }
        #expect(try crashed.bytes("header") == first && crashed.bytes("header.2") == second)
        let opened = try crashed.open(key: RotatingVault.nextKey)
        #expect(try fixture.contents(opened) == before)
        try RotatingVault.finish(opened)
        #expect(try check(opened).problems.isEmpty)
        try opened.end()
        #expect(try crashed.bytes("header") == crashed.bytes("header.2"))
    }
}
