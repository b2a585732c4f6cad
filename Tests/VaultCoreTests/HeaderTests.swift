// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Foundation
import Testing
import VaultCrypto
import VaultFormat

@testable import VaultCore

/// The header: two copies, vouched for by the vault key, refused when it is weakened, newer or not ours.
struct HeaderTests {
    @Test(arguments: ["header", "header.2"])
    func eitherCopyAloneIsEnoughAndTheOtherIsMended(name: String) throws {
        let whole = try TestVault().bytes("header")
        for damage in ["missing", "empty", "cut", "flipped MAC", "flipped slot"] {
            let vault = try TestVault()
            switch damage {
            case "missing": try FileManager.default.removeItem(at: vault.folder.appending(path: name))
            case "empty": try vault.change(name) { $0 = [] }
            case "cut": try vault.change(name) { $0.removeLast() }
            case "flipped MAC": try vault.change(name) { $0[$0.count - 1] ^= 1 }
            default: try vault.change(name) { $0[39 + 165 + 100] ^= 1 }
            }
            try vault.open().end()
            #expect(try vault.bytes("header") == whole, "\(damage)")
            #expect(try vault.bytes("header.2") == whole, "\(damage)")
        }
    }

    @Test func withoutACopyThereIsNoVaultAndWithTwoBadOnesItIsDamaged() throws {
        let vault = try TestVault()
        try vault.changeBothHeaders { $0.removeLast() }
        expect(.integrity) { try vault.probe() }
        for name in HeaderFile.names { try FileManager.default.removeItem(at: vault.folder.appending(path: name)) }
        expect(.noVault) { try vault.probe() }
    }

    /// The vault's header with its keys, to make others of.
    private func unlocked(_ vault: TestVault) throws -> (header: UnverifiedHeader, keys: VaultKeys) {
        let (header, keys, _) = try vault.probe().unlock(.recoveryKey(secret(TestVault.recoveryKey)))
        return (header.content, keys)
    }

    @Test(arguments: ["header", "header.2"])
    func theHigherAuthenticCounterWinsAndMendsTheOther(name: String) throws {
        let vault = try TestVault()
        var (header, keys) = try unlocked(vault)
        header.counter = 2
        let newer = try Header.make(header, keys: keys).encoded
        try vault.change(name) { $0 = newer }
        let store = try vault.open()
        #expect(store.header.counter == 2)
        try store.end()
        #expect(try vault.bytes("header") == newer)
        #expect(try vault.bytes("header.2") == newer)
    }

    @Test func aHigherCounterWithoutTheKeyLosesToTheAuthenticCopy() throws {
        let vault = try TestVault()
        let whole = try vault.bytes("header")
        try vault.change("header.2") { $0[37] = 9 }
        let store = try vault.open()
        #expect(store.header.counter == 1)
        try store.end()
        #expect(try vault.bytes("header.2") == whole)
    }

    @Test func A12aDroppedKeyslotIsRefused() throws {
        let vault = try TestVault()
        try vault.changeBothHeaders { bytes in
            bytes.removeSubrange(39..<39 + 165)
            bytes[38] = 1
        }
        expect(.integrity) { try vault.open() }
    }

    @Test func A12anAddedKeyslotIsRefused() throws {
        let vault = try TestVault()
        try vault.changeBothHeaders { bytes in
            var slot = Array(bytes[39..<39 + 165])
            slot[1] ^= 1
            bytes.insert(contentsOf: slot, at: 39 + 330)
            bytes[38] = 3
        }
        expect(.integrity) { try vault.open() }
    }

    @Test func A12aKeyslotOfAnAttackersOwnKeyOpensNothing() throws {
        let vault = try TestVault()
        let (header, _) = try unlocked(vault)
        let theirs = try SymmetricKey(random: ())
        var forged = header
        forged.keyslots[1] = try .make(
            .recoveryKey(secret([UInt8](repeating: 7, count: 20))), cost: .recommended, wrapping: theirs, header: header
        )
        let encoded = try Header.make(forged, keys: VaultKeys(theirs)).encoded
        try vault.changeBothHeaders { $0 = encoded }
        expect(.integrity, "the slot opens and its key vouches for the header, but not for the rest") {
            try OpenVault(vault.probe(), .recoveryKey(secret([UInt8](repeating: 7, count: 20))))
        }
    }

    @Test func D01anEpochThatNobodyVouchedForIsRefused() throws {
        let vault = try TestVault()
        let before = try vault.bytes("index-1.db")
        try vault.changeBothHeaders { $0[29] = 2 }
        expect(.wrongPassword) { try vault.open() }
        // Even one with a MAC of the vault key itself: there is no index of that epoch, and none is made.
        let other = try TestVault()
        var (header, keys) = try unlocked(other)
        header.epoch = 2
        let forged = try Header.make(header, keys: keys).encoded
        try other.changeBothHeaders { $0 = forged }
        #expect(throws: VaultError.self) { try other.open() }
        #expect(!FileManager.default.fileExists(atPath: other.folder.path + "/index-2.db"))
        #expect(try vault.bytes("index-1.db") == before)
    }

    @Test func D01aPlantedIndexOfTheNextEpochIsNotLookedAt() throws {
        let vault = try TestVault()
        let store = try vault.open()
        let note = try store.notes.create(NoteDraft(body: "epoch one"))
        try store.end()
        let planted = try vault.bytes("index-1.db")
        try Data(planted).write(to: vault.folder.appending(path: "index-2.db"))
        try Data([1, 2, 3]).write(to: vault.folder.appending(path: "index-2.db-wal"))
        let again = try vault.open()
        #expect(again.header.epoch == 1)
        #expect(try again.notes.note(note.id).body == "epoch one")
        try again.end()
        // No header ever named it: it goes.
        #expect(try vault.files().filter { $0.hasPrefix("index-2") }.isEmpty)
    }
}
