// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Foundation
import Testing
import VaultFormat

@testable import VaultCore

/// Pins: what this account saw last, against an older vault or another one in its place.
struct PinTests {
    /// A vault with notes, and a copy of its files from before the last of them.
    private func vaultWithAnEarlierCopy() throws -> (vault: TestVault, earlier: TestVault) {
        let vault = try TestVault()
        var store = try vault.open()
        _ = try store.notes.create(NoteDraft(body: "first"))
        try store.end()
        let earlier = try TestVault(copying: vault)
        store = try vault.open()
        for number in 0..<3 { _ = try store.notes.create(NoteDraft(body: "later \(number)")) }
        try store.end()
        return (vault, earlier)
    }

    @Test func A07anOlderCopyIsRefusedWithBothGenerations() throws {
        let (vault, earlier) = try vaultWithAnEarlierCopy()
        let seen = try #require(vault.pins.pin(of: vault.probe().identity)?.generation)
        try vault.putBack(earlier)
        do {
            _ = try vault.open()
            Issue.record("opened")
        } catch let error as VaultError {
            #expect(error == VaultError(.rollback, found: seen - 3, expected: seen))
        }
    }

    @Test func A07anOlderCopyIsTakenOnTheOwnersWordAndCountsAsNewest() throws {
        let (vault, earlier) = try vaultWithAnEarlierCopy()
        let newest = try TestVault(copying: vault)
        let id = try vault.probe().vaultID
        let seen = try #require(vault.pins.pin(of: VaultIdentity(vaultID: id)))
        try vault.putBack(earlier)
        let store = try vault.open(acceptRollback: true)
        #expect(try store.notes.counts().notes[.live] == 1)
        try store.end()
        let recorded = try #require(vault.pins.pin(of: VaultIdentity(vaultID: id)))
        #expect(recorded.generation > seen.generation)
        #expect(recorded.counter == seen.counter + 1)
        #expect(try vault.open().notes.counts().notes[.live] == 1)
        // The copy that was given up is the older one now.
        try vault.putBack(newest)
        expect(.rollback) { try vault.open() }
    }

    @Test func aCrashRightAfterAnAcceptedRollbackLosesNothing() throws {
        let (vault, earlier) = try vaultWithAnEarlierCopy()
        try vault.putBack(earlier)
        let store = try vault.open(acceptRollback: true)
        let note = try store.notes.create(NoteDraft(body: "after"))
        let crashed = try TestVault(copying: vault, sharingPins: true)
        #expect(try crashed.open().notes.note(note.id).body == "after")
    }

    @Test func A07aHeaderOlderThanThePinIsRefusedWithBothCounters() throws {
        let vault = try TestVault()
        try vault.open().end()
        let id = try vault.probe().vaultID
        var pin = try #require(vault.pins.pin(of: VaultIdentity(vaultID: id)))
        pin.counter = 5
        #expect(vault.pins.record(pin, canonicalPath: try vault.probe().directory.canonicalPath))
        do {
            _ = try vault.probe()
            Issue.record("opened")
        } catch let error as VaultError {
            #expect(error == VaultError(.rollback, found: 1, expected: 5))
        }
        let store = try vault.open(acceptRollback: true)
        #expect(store.header.counter == 6)
        try store.end()
        try vault.open().end()
    }

    @Test func A07anotherHeaderWithTheSameCounterIsRefused() throws {
        let vault = try TestVault()
        try vault.open().end()
        var pin = try #require(vault.pins.pin(of: vault.probe().identity))
        pin.digest[0] ^= 1
        #expect(vault.pins.record(pin, canonicalPath: try vault.probe().directory.canonicalPath))
        expect(.rollback) { try vault.probe() }
    }

    @Test func A07anOlderEpochIsNeverAcceptedNotOnTheOwnersWordEither() throws {
        let vault = try TestVault()
        try vault.open().end()
        var pin = try #require(vault.pins.pin(of: vault.probe().identity))
        pin.epoch = 2
        #expect(vault.pins.record(pin, canonicalPath: try vault.probe().directory.canonicalPath))
        expect(.rollback) { try vault.probe() }
        expect(.rollback) { try vault.probe(acceptRollback: true) }
    }

    @Test func A07aCopyThatNobodyHasSeenIsNotOfAnOlderKey() throws {
        let vault = try TestVault()
        let store = try vault.open()
        let made = try CopyID([UInt8](repeating: 9, count: 16))
        try store.changeHeader { $0.copyID = made }
        try store.end()
        let path = try vault.probe().directory.canonicalPath
        // Elsewhere, and its own pin is not there; but the vault's key was changed meanwhile.
        let pins = PinStore(folder: vault.folder.path + "-pins/others")
        let pin = try #require(vault.pins.pin(of: VaultIdentity(vaultID: store.header.vaultID, copyID: made)))
        let vaultsPin = Pin(vaultID: pin.vaultID, epoch: 2, counter: 9, digest: pin.digest, generation: 1)
        #expect(pins.record(vaultsPin, canonicalPath: Array("/elsewhere".utf8)))
        expect(.rollback) { try VaultProbe(path: path, pins: pins) }
        expect(.rollback) { try VaultProbe(path: path, pins: pins, acceptRollback: true) }
        // A copy of this key is opened, whatever the vault's counters say.
        #expect(
            pins.record(
                Pin(vaultID: pin.vaultID, epoch: 1, counter: 9, digest: pin.digest, generation: 99),
                canonicalPath: Array("/elsewhere".utf8)))
        try OpenVault(VaultProbe(path: path, pins: pins), .recoveryKey(secret(TestVault.recoveryKey))).end()
    }

    @Test func A11aVaultThatIsMadeToLookLikeACopyIsRefused() throws {
        let vault = try TestVault()
        try vault.open().end()
        let earlier = try TestVault(copying: vault, sharingPins: true)
        try vault.changeBothHeaders {
            $0 = Array("VLC1".utf8) + $0[4..<22] + [UInt8](repeating: 9, count: 16) + $0[22...]
        }
        expect(.otherVault) { try vault.probe() }
        // In another place no pin knows it; the MAC does not hold.
        try earlier.changeBothHeaders {
            $0 = Array("VLC1".utf8) + $0[4..<22] + [UInt8](repeating: 9, count: 16) + $0[22...]
        }
        expect(.integrity) { try earlier.open() }
    }

    @Test func A11anotherVaultInThePlaceOfOursIsRefusedBeforeAnyPassword() throws {
        let vault = try TestVault()
        try vault.open().end()
        let id = try VaultID([UInt8](repeating: 3, count: 16))
        var header = try UnverifiedHeader(parsing: vault.bytes("header"))
        header.vaultID = id
        try vault.changeBothHeaders { $0 = header.encoded }
        expect(.otherVault) { try vault.probe() }
        expect(.otherVault, "no flag allows it") { try vault.probe(acceptRollback: true) }
    }

    @Test func aVaultNotSeenBeforeIsSaidToBeSo() throws {
        let vault = try TestVault()
        #expect(try !vault.probe().isKnownHere)
        try vault.open().end()
        #expect(try vault.probe().isKnownHere)
    }

    @Test func aPinThatCannotBeWrittenDoesNotStopTheVault() throws {
        let vault = try TestVault()
        let pins = PinStore(folder: vault.folder.path + "/header/pins")
        let store = try OpenVault(VaultProbe(path: vault.path, pins: pins), .recoveryKey(secret(TestVault.recoveryKey)))
        let note = try store.notes.create(NoteDraft(body: "kept"))
        try store.end()
        #expect(try vault.open().notes.note(note.id).body == "kept")
    }
}
