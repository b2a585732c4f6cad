// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Foundation
import Testing
import VaultCrypto
import VaultFormat

@testable import VaultCore

/// A header of before, with a key that was removed since, opens neither the present manifest nor the present index,
/// where no pin knows the vault; and nothing ever takes a newer header back.
struct KnownHeaderTests {
    private static let removed = [UInt8](repeating: 7, count: RecoveryKey.byteCount)

    /// A closed vault of which a key was removed, and its files of before, as they lay while it was open.
    private let (now, before): (TestVault, TestVault)

    init() throws {
        now = try TestVault()
        let store = try now.open()
        _ = try store.notes.create(NoteDraft(body: "a note"))
        try store.add(Self.removed, named: "removed")
        // A manifest that claims nothing of the log, so that it fits every index whose log is empty.
        try store.startNewLog(isOpen: true)
        before = try TestVault(copying: now)
        let slot = try #require(try store.keyslots.all().first { $0.name == "removed" })
        let proof = try KeyslotProof(store.header, .recoveryKey(secret(TestVault.recoveryKey)))
        try store.keyslots.remove(slot.slotID, proof)
        _ = try store.notes.create(NoteDraft(body: "since then"))
        try store.end()
    }

    /// The present vault on a machine that has never seen it, with these files of before.
    private func vault(withOld names: [String], without missing: [String] = []) throws -> TestVault {
        let vault = try TestVault(copying: now)
        for name in names {
            let old = try before.bytes(name)
            try vault.change(name) { $0 = old }
        }
        for name in missing { try vault.remove(name) }
        return vault
    }

    private func open(_ vault: TestVault, _ key: [UInt8], acceptRollback: Bool = false) throws -> OpenVault {
        try OpenVault(vault.probe(acceptRollback: acceptRollback), .recoveryKey(secret(key)))
    }

    @Test func theTestsOwnKeyOpensWhatIsWhollyOld() throws {
        let store = try open(before, Self.removed)
        #expect(try store.notes.counts().notes[.live] == 1)
        try store.end()
    }

    @Test func J04aRemovedKeyOpensNotThePresentManifest() throws {
        let vault = try vault(withOld: HeaderFile.names)
        let old = try vault.bytes("header")
        expect(.oldHeader) { try open(vault, Self.removed) }
        expect(.oldHeader, "nor is the header taken for the newest with another key") { try vault.open() }
        expect(.oldHeader, "nor by a repair") {
            try VaultRepair(vault.probe(), .recoveryKey(secret(Self.removed)))
        }
        for name in HeaderFile.names { #expect(try vault.bytes(name) == old) }
    }

    @Test func J04aRemovedKeyOpensNotThePresentIndexUnderAnOldManifest() throws {
        let vault = try vault(withOld: HeaderFile.names + ManifestFile.names)
        // The old manifest vouches for a map that the index has outgrown.
        expect(.integrity) { try open(vault, Self.removed) }
        expect(.integrity) { try vault.open() }
        // Without any manifest the owner's word on losses is no word on keys.
        for name in ManifestFile.names { try vault.remove(name) }
        expect(.oldHeader) {
            try OpenVault(vault.probe(acceptLoss: true), .recoveryKey(secret(Self.removed)))
        }
    }

    @Test(arguments: HeaderFile.names, [[], ["manifest"], ["manifest.2"]])
    func J04anOldCopyBesideTheNewOneIsMendedUpwards(name: String, others: [String]) throws {
        let newest = try now.bytes("header")
        let vault = try vault(withOld: [name] + others)
        expect(.wrongPassword, "a slot of the old copy opens, and counts for nothing") {
            try open(vault, Self.removed)
        }
        let store = try vault.open()
        #expect(try store.notes.counts().notes[.live] == 2)
        try store.end()
        for name in HeaderFile.names { #expect(try vault.bytes(name) == newest) }
    }

    @Test(arguments: ["header", "header.2"], ["missing", "damaged", "empty"])
    func J04anOldCopyAloneIsRefusedAndTheNewOneAloneIsMended(name: String, damage: String) throws {
        let other = try #require(HeaderFile.names.first { $0 != name })
        let newest = try now.bytes("header")
        for isOld in [true, false] {
            let vault = try vault(withOld: isOld ? [name] : [])
            let kept = try vault.bytes(name)
            switch damage {
            case "missing": try vault.remove(other)
            case "empty": try vault.change(other) { $0 = [] }
            default: try vault.change(other) { $0[$0.count - 1] ^= 1 }
            }
            if isOld {
                expect(.oldHeader) { try open(vault, Self.removed) }
                expect(.oldHeader) { try vault.open() }
                #expect(try vault.bytes(name) == kept)
            } else {
                try vault.open().end()
                for name in HeaderFile.names { #expect(try vault.bytes(name) == newest) }
            }
        }
    }

    @Test func J04whereAPinKnowsTheVaultThePasswordIsNotEvenTried() throws {
        let vault = try vault(withOld: HeaderFile.names)
        let store = try TestVault(copying: now, sharingPins: true)
        _ = try store.open(key: TestVault.recoveryKey).end()
        let pinned = PinStore(folder: store.pins.folder)
        expect(.rollback) { try VaultProbe(path: vault.path, pins: pinned) }
    }

    @Test func J04anOldHeaderIsTakenOnTheOwnersWordAndCountsFromThen() throws {
        let vault = try vault(withOld: HeaderFile.names)
        let counter = try UnverifiedHeader(parsing: now.bytes("header")).counter
        let store = try open(vault, Self.removed, acceptRollback: true)
        #expect(store.header.counter > counter)
        try store.end()
        try open(vault, Self.removed).end()
        let newest = try now.bytes("header")
        try vault.changeBothHeaders { $0 = newest }
        expect(.rollback, "what was given up is the older one now") { try vault.probe() }
    }

    @Test func J04anotherHeaderOfTheSameCounterIsRefused() throws {
        // The manifest alone knows this one: the index learns of a header by its first change.
        let vault = try TestVault()
        let (header, keys, _) = try vault.probe().unlock(.recoveryKey(secret(TestVault.recoveryKey)))
        var content = header.content
        content.keyslots.swapAt(0, 1)
        let forked = try Header.make(content, keys: keys).encoded
        let whole = try TestVault(copying: vault)
        try vault.changeBothHeaders { $0 = forked }
        expect(.oldHeader) { try vault.open() }
        // Beside the one that the manifest names it is the one that is mended, whichever comes first.
        for name in HeaderFile.names {
            let vault = try TestVault(copying: whole)
            try vault.change(name) { $0 = forked }
            try vault.open().end()
            for name in HeaderFile.names { #expect(try vault.bytes(name) == header.encoded) }
        }
    }

    @Test func J04anOlderHeaderInMemoryMendsNothing() throws {
        let (header, keys, _) = try before.probe().unlock(.recoveryKey(secret(TestVault.recoveryKey)))
        let current = CurrentHeader(header, in: try VaultDirectory(path: now.path))
        let newest = try now.bytes("header")
        expect(.keysChanged) { try current.mendCopies(keys) }
        try now.change("header") { $0[100] ^= 1 }
        expect(.keysChanged) { try current.mendCopies(keys) }
        #expect(try now.bytes("header.2") == newest)
    }

    @Test func J04eachManifestNamesTheHeaderOfItsTime() throws {
        let vault = try TestVault()
        let store = try vault.open()
        func named() throws -> KnownHeader? { KnownHeader(try store.manifestFile.read()) }
        #expect(try named() == KnownHeader(store.header))
        try store.add(Self.removed, named: "more")
        #expect(try named() == KnownHeader(store.header) && store.header.counter == 2)
        try RotatingVault.begin(store)
        #expect(try named() == KnownHeader(store.header))
        try RotatingVault.finish(store)
        #expect(try named() == KnownHeader(store.header))
        #expect(try store.read { try KnownHeader.fetch($0.database) } == KnownHeader(store.header))
        try store.end()
        let again = try vault.open(key: RotatingVault.nextKey)
        #expect(try KnownHeader(again.manifestFile.read()) == KnownHeader(again.header))
        try again.end()
    }
}

extension OpenVault {
    /// Adds a recovery key, which costs no derivation.
    func add(_ key: [UInt8], named name: String) throws {
        let proof = try KeyslotProof(header, .recoveryKey(secret(TestVault.recoveryKey)))
        try keyslots.add(
            NewKeyslot(proof, .recoveryKey(secret(key)), name: name, cost: .recommended, targetMilliseconds: 0), proof)
    }
}
