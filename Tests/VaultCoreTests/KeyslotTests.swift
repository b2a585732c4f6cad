// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Foundation
import Testing
import VaultCrypto
import VaultFormat

@testable import VaultCore

/// Who may open the vault: slots come and go with the whole header, and only with a proof.
struct KeyslotTests {
    private let vault: TestVault
    private let store: OpenVault
    private let proof: KeyslotProof

    init() throws {
        vault = try TestVault()
        store = try vault.open()
        proof = try KeyslotProof(store.header, .recoveryKey(secret(TestVault.recoveryKey)))
    }

    private func slot(_ name: String, _ byte: UInt8, on proof: KeyslotProof) throws -> NewKeyslot {
        try NewKeyslot(
            proof, .recoveryKey(secret([UInt8](repeating: byte, count: 20))), name: name, cost: .recommended,
            targetMilliseconds: 0)
    }

    private func proofNow() throws -> KeyslotProof {
        try KeyslotProof(store.header, .recoveryKey(secret(TestVault.recoveryKey)))
    }

    @Test func A12aSlotThatTheVaultKeyDoesNotVouchForIsRefused() throws {
        try store.keyslots.add(slot("ours", 1, on: proof), proof)
        let ours = store.header
        try store.end()
        // The same slot put into a header by somebody who has no vault key, whatever MAC it gets.
        var forged = ours.content
        forged.counter += 1
        forged.keyslots.append(try slot("theirs", 2, on: proof).slot)
        forged.mac = ours.content.mac
        try vault.changeBothHeaders { $0 = forged.encoded }
        for byte in [UInt8(1), 2] {
            expect(.integrity) {
                try OpenVault(vault.probe(), .recoveryKey(secret([UInt8](repeating: byte, count: 20))))
            }
        }
    }

    @Test func A12AwriterRefusesAHeaderThatIsNotItsOwn() throws {
        let other = try store.keyslots.all()
        var foreign = store.header.content
        foreign.counter += 1
        foreign.keyslots.removeLast()
        let bytes = try Header.make(foreign, keys: store.keys).encoded
        try vault.changeBothHeaders { $0 = bytes }
        expect(.keysChanged) { try store.notes.create(NoteDraft(body: "not written")) }
        expect(.keysChanged) { try store.keyslots.add(slot("new", 3, on: proof), proof) }
        expect(.keysChanged) { try store.requireOurHeader() }
        #expect(other.count == 2)
    }

    @Test func aProofCountsForTheHeaderThatItWasGivenOn() throws {
        try store.keyslots.add(slot("one", 1, on: proof), proof)
        expect(.keysChanged, "another command was faster") { try store.keyslots.add(slot("two", 2, on: proof), proof) }
        let now = try proofNow()
        try store.keyslots.add(slot("two", 2, on: now), now)
        #expect(try store.keyslots.all().map(\.name) == ["password", "recovery key", "one", "two"])
        #expect(store.header.counter == 3)
        try store.end()
    }

    @Test func aSlotThatIsReplacedIsGoneFromBothCopies() throws {
        let old = try #require(store.header.keyslots.last)
        try store.keyslots.replace([old.slotID], by: slot("recovery key", 9, on: proof), proof)
        try store.end()
        for name in HeaderFile.names {
            let bytes = try Data(vault.bytes(name))
            #expect(bytes.range(of: Data(old.wrappedKey)) == nil && bytes.range(of: Data(old.salt)) == nil)
        }
        expect(.wrongPassword) { try vault.open() }
        try vault.open(key: [UInt8](repeating: 9, count: 20)).end()
    }

    @Test func thereIsAlwaysAPasswordAndNeverANinthSlot() throws {
        let password = try #require(store.header.keyslots.first { $0.kind == .password })
        expect(.lastKeyslot) { try store.keyslots.remove(password.slotID, proof) }
        for number in 0..<6 {
            let proof = try proofNow()
            try store.keyslots.add(slot("s\(number)", UInt8(number + 1), on: proof), proof)
        }
        let last = try proofNow()
        expect(.tooManyKeyslots) { try store.keyslots.add(slot("ninth", 99, on: last), last) }
        expect(.exists) { try store.replaceName(last) }
        try store.end()
    }

    @Test func B04anOldCostIsReported() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "vault-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let pins = PinStore(folder: folder.path + "-pins")
        // As after years: made to take a minute, and machines have become that much faster.
        let creation = try VaultCreation(
            path: Array(folder.path.utf8), password: secret(Array("old".utf8)), cost: .recommended,
            withRecoveryKey: false,
            targetMilliseconds: 60_000)
        try creation.commit(pins: pins)
        let store = try OpenVault(
            VaultProbe(path: Array(folder.path.utf8), pins: pins), .password(secret(Array("old".utf8))))
        #expect(store.keyslots.oldCost?.target == 60_000)
        let proof = try KeyslotProof(store.header, .password(secret(Array("old".utf8))))
        let new = try NewKeyslot(
            proof, .password(secret(Array("old".utf8))), name: "password", cost: .recommended, targetMilliseconds: 0)
        try store.keyslots.replace([proof.slotID], by: new, proof)
        try store.end()
        let again = try OpenVault(
            VaultProbe(path: Array(folder.path.utf8), pins: pins), .password(secret(Array("old".utf8))))
        #expect(again.keyslots.oldCost == nil)
        try again.end()
    }

    @Test func D04aRecoverySlotIsNoPasswordSlotAndNoneServesForTheOther() throws {
        let key = [UInt8](repeating: 7, count: 20)
        try store.keyslots.add(slot("other", 7, on: proof), proof)
        expect(.wrongPassword) { try KeyslotProof(store.header, .password(secret(key))) }
        var changed = store.header.content
        changed.keyslots[2].kind = .password
        (changed.keyslots[2].memoryKiB, changed.keyslots[2].iterations, changed.keyslots[2].parallelism) = (65536, 3, 4)
        expect(.wrongPassword) { try KeyslotProof(Header.make(changed, keys: store.keys), .password(secret(key))) }
        // Nothing is derived at all, whatever cost such a slot claims.
        changed.keyslots[2].kind = .recoveryKey
        #expect(try Credential.password(secret(key)).keyEncryptionKey(for: changed.keyslots[2]) == nil)
        try store.end()
    }

    @Test func aKeyFileIsOneTextAndNoOther() throws {
        let text = try exposed(KeyFile.text(secret(Array(0..<32))))
        #expect(
            String(decoding: text, as: UTF8.self).hasPrefix(
                "vkf1-aaaqeayeaudaocajbifqydiob4ibceqtcqkrmfyydenbwha5dypq-"))
        func parsed(_ bytes: [UInt8]) -> [UInt8]? {
            switch KeyFile.parse(secret(bytes)) {
            case .none: nil
            case .some(let key): exposed(key)
            }
        }
        #expect(parsed(text) == Array(0..<32) && parsed(text.dropLast()) == Array(0..<32))
        for index in text.indices {
            for bit in 0..<8 {
                var changed = text
                changed[index] ^= 1 << UInt8(bit)
                #expect(parsed(changed) == nil, "byte \(index), bit \(bit)")
            }
        }
        for wrong in [
            [], text + [0x0A], Array(text.dropLast(2)), [0x20] + text.dropLast(), [UInt8](repeating: 0x61, count: 67),
        ] {
            #expect(parsed(wrong) == nil)
        }
    }
}

extension OpenVault {
    /// A second slot of a name that is taken.
    fileprivate func replaceName(_ proof: KeyslotProof) throws {
        let slots = header.keyslots
        try keyslots.remove(slots[2].slotID, proof)
        let now = try KeyslotProof(header, .recoveryKey(secret(TestVault.recoveryKey)))
        let new = try NewKeyslot(
            now, .recoveryKey(secret([UInt8](repeating: 5, count: 20))), name: "s3", cost: .recommended,
            targetMilliseconds: 0)
        try keyslots.add(new, now)
    }
}
