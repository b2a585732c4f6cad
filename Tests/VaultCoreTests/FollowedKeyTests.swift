// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Foundation
import Testing
import VaultCrypto
import VaultFormat

@testable import VaultCore

/// A key that another device has made.
struct FollowedKeyTests {
    private let fixture: RotatingVault

    init() throws { fixture = try RotatingVault() }

    private func digest(_ header: UnverifiedHeader) throws -> [UInt8] { try Digest.sha256(header.encoded) }

    private func follow(
        _ headers: [UnverifiedHeader], _ endings: [[UInt8]], _ base: Header, key: [UInt8] = RotatingVault.nextKey
    ) throws(VaultError) -> FollowedKey {
        try FollowedKey(headers, endings: endings, following: base, .recoveryKey(secret(key)))
    }

    /// A vault and what a device of it has made its next key with: the header, as the remote has it.
    private func rotated() throws -> (vault: TestVault, header: UnverifiedHeader) {
        let other = try TestVault(copying: fixture.vault)
        let store = try other.open()
        try RotatingVault.begin(store)
        let header = store.header.content
        try RotatingVault.finish(store)
        try store.end()
        return (other, header)
    }

    @Test func aVaultIsRotatedToTheKeyThatAnotherDeviceHasMade() throws {
        let (other, header) = try rotated()
        let store = try fixture.vault.open()
        let before = try fixture.contents(store)
        let given = try follow([header], [digest(header)], store.header)
        let next = try NextEpoch(following: store.header, given)
        let start = try RotationStart(store, next, RotationPlan(store.rotation.planRequest()))
        while try start.step() {}
        try start.commit()
        try RotatingVault.finish(store)
        #expect(store.header.epoch == 2)
        #expect(try fixture.contents(store) == before)
        #expect(try check(store).problems.isEmpty)
        // One key: what one device seals the other opens.
        let there = try other.openAsCopy(key: RotatingVault.nextKey)
        let place = RemotePlace(
            kind: .segment, epoch: 2, device: try DeviceID([UInt8](repeating: 7, count: 16)), number: 1)
        #expect(try store.segmentSealer().names.name(of: place) == there.segmentSealer().names.name(of: place))
        try there.end()
        try store.end()
    }

    @Test func D03aCredentialOfBeforeOpensNoNextKey() throws {
        let (_, header) = try rotated()
        let store = try fixture.vault.open()
        expect(.wrongPassword) {
            _ = try follow([header], [digest(header)], store.header, key: TestVault.recoveryKey)
        }
        expect(.notFound) { _ = try follow([], [digest(header)], store.header) }
        expect(.notFound) { _ = try follow([header], [], store.header) }
        try store.end()
    }

    /// A header whose MAC its own key does not vouch for, of another vault, of this epoch or of one too far.
    @Test func M04aHeaderThatDoesNotFollowThisOneIsPassedOver() throws {
        let (_, header) = try rotated()
        let store = try fixture.vault.open()
        var forged = header
        forged.counter += 5
        expect(.wrongPassword) { _ = try follow([forged], [digest(forged)], store.header) }
        var far = header
        far.epoch += 1
        expect(.oldKey) { _ = try follow([far], [digest(far)], store.header) }
        expect(.notFound) { _ = try follow([store.header.content], [digest(header)], store.header) }
        // A forged one beside it changes nothing.
        let given = try follow([forged, header], [digest(forged), digest(header)], store.header)
        #expect(given.ending == (try digest(header)))
        try store.end()
    }

    /// The header of the beginning was removed with a password that it had; another one has the same key.
    @Test func aKeyIsFoundByANewerHeaderUnlessSeveralEndingsAreKnown() throws {
        let other = try TestVault(copying: fixture.vault)
        let there = try other.open()
        try RotatingVault.begin(there)
        let beginning = try digest(there.header.content)
        try RotatingVault.finish(there)
        let newer = there.header.content
        try there.end()
        let store = try fixture.vault.open()
        #expect(try digest(newer) != beginning)
        #expect(try follow([newer], [beginning], store.header).ending == beginning)
        // Which of the two ended it nobody can say: another one's key must not be taken for it.
        expect(.notFound) { _ = try follow([newer], [beginning, [UInt8](repeating: 9, count: 32)], store.header) }
        try store.end()
    }

    @Test func D03aHeaderOfThisDeviceNeverGoesBack() throws {
        let (_, header) = try rotated()
        let store = try fixture.vault.open()
        for byte in UInt8(1)...4 {
            let proof = try KeyslotProof(store.header, .recoveryKey(secret(TestVault.recoveryKey)))
            let slot = try NewKeyslot(
                proof, .recoveryKey(secret([UInt8](repeating: byte, count: 20))), name: "\(byte)", cost: .recommended,
                targetMilliseconds: 0)
            try store.keyslots.add(slot, proof)
        }
        let next = try NextEpoch(following: store.header, try follow([header], [digest(header)], store.header))
        #expect(next.header.counter == store.header.counter + 1 && next.header.keyslots == header.keyslots)
        try store.end()
    }
}
