// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Testing
import VaultCrypto
import VaultFormat

@testable import VaultCore

/// Which headers of a remote are to go.
@Suite struct SupersededHeaderTests {
    private func proof(_ store: OpenVault) throws -> KeyslotProof {
        try KeyslotProof(store.header, .recoveryKey(secret(TestVault.recoveryKey)))
    }

    private func add(_ byte: UInt8, to store: OpenVault) throws {
        let new = try NewKeyslot(
            proof(store), .recoveryKey(secret([UInt8](repeating: byte, count: 20))), name: "\(byte)",
            cost: .recommended, targetMilliseconds: 0)
        try store.keyslots.add(new, proof(store))
    }

    private func remove(_ byte: UInt8, from store: OpenVault) throws {
        let gone = try #require(try store.keyslots.all().first { $0.name == "\(byte)" })
        try store.keyslots.remove(gone.slotID, proof(store))
    }

    private func tell(_ one: Int, _ other: Int, of devices: DeviceSet) throws {
        _ = try devices[one].keyslots.settle()
        _ = try devices[other].devices.apply(devices.news(of: one, to: other))
    }

    private struct Lying {
        let bytes: [UInt8]
        let name: RemoteHeaderName

        init(_ header: Header) throws { (bytes, name) = (header.encoded, try RemoteHeaders.name(of: header)) }
    }

    private func goes(_ lying: Lying, _ store: OpenVault) -> Bool {
        guard case .ofThisEpoch = store.superseded(lying.bytes, named: lying.name, haveAllCome: true) else {
            return false
        }
        return true
    }

    @Test func D02oneWithARemovedKeyGoesWhereItsRemovalWasTold() throws {
        let devices = try DeviceSet()
        try tell(0, 1, of: devices)
        try add(1, to: devices[0])
        let lying = try Lying(devices[0].header)
        #expect(!goes(lying, devices[0]))
        _ = try devices[0].keyslots.settle()
        try remove(1, from: devices[0])
        #expect(!goes(lying, devices[0]), "nobody was told")
        _ = try devices[0].keyslots.settle()
        #expect(goes(lying, devices[0]))
    }

    /// Its own header would come to the top, which opens with what was taken away.
    @Test func D02aDeviceWhoseOwnHeaderKeepsARemovedKeyRemovesNone() throws {
        let devices = try DeviceSet()
        try tell(0, 1, of: devices)
        try add(1, to: devices[0])
        let lying = try Lying(devices[0].header)
        try tell(0, 1, of: devices)
        _ = try devices[1].keyslots.settle()
        try remove(1, from: devices[0])
        try tell(0, 1, of: devices)
        #expect(!goes(lying, devices[1]))
        _ = try devices[1].keyslots.settle()
        #expect(goes(lying, devices[1]))
    }

    /// Whoever has only a key that this header wraps would find no other.
    @Test func D02oneWithAKeyThatCountsAndIsMissingHereStays() throws {
        let devices = try DeviceSet()
        try tell(0, 1, of: devices)
        try add(1, to: devices[0])
        try tell(0, 1, of: devices)
        _ = try devices[1].keyslots.settle()
        try add(2, to: devices[0])
        let lying = try Lying(devices[0].header)
        try remove(1, from: devices[0])
        try tell(0, 1, of: devices)
        // What was removed is gone from this header, and what was added did not come in yet.
        try devices[1].changeHeader { header in
            header.keyslots.removeAll { slot in
                lying.bytes.firstRange(of: slot.slotID) != nil
                    && (try? devices[1].keyslots.told().isRemoved(slot.slotID)) == true
            }
        }
        #expect(!goes(lying, devices[1]))
        _ = try devices[1].keyslots.settle()
        #expect(goes(lying, devices[1]))
    }

    @Test func M13aCounterThatNoOwnerCameToIsNotTakenOver() throws {
        let devices = try DeviceSet()
        let before = devices[0].header.counter
        #expect(try devices[0].keyslots.raiseCounter(above: 1 << 40) == false)
        #expect(try devices[0].keyslots.raiseCounter(above: before + 5))
        #expect(devices[0].header.counter >= before + 6)
    }
}
