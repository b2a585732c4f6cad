// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Testing
import VaultCrypto
import VaultFormat

@testable import VaultCore

/// Keyslots that several devices add and remove.
struct ToldKeyslotsTests {
    private func slot(_ byte: UInt8, _ kind: Keyslot.Kind = .password) -> Keyslot {
        Keyslot(
            kind: kind, slotID: [UInt8](repeating: byte, count: 16), memoryKiB: kind.usesArgon2 ? 65_536 : 0,
            iterations: kind.usesArgon2 ? 3 : 0, parallelism: kind.usesArgon2 ? 4 : 0,
            salt: [UInt8](repeating: byte, count: 32))
    }

    private func name(_ byte: UInt8) throws -> RevisionID { try RevisionID([UInt8](repeating: byte, count: 16)) }

    private func added(_ byte: UInt8, epoch: UInt32 = 1, isReplaced: Bool = true, called text: String = "k") throws
        -> SaidStatement
    {
        let said = KeyslotStatement(epoch: epoch, slot: slot(byte), name: text, target: 0)
        return SaidStatement(name: try name(0x40 + byte), statement: .keyslotAdded(said), isReplaced: isReplaced)
    }

    private func removed(_ byte: UInt8, epoch: UInt32 = 1, isReplaced: Bool = true) throws -> SaidStatement {
        SaidStatement(
            name: try name(0x80 + byte),
            statement: .keyslotRemoved(epoch: epoch, slotID: [UInt8](repeating: byte, count: 16)),
            isReplaced: isReplaced)
    }

    private func inForce(_ said: [SaidStatement]) -> [UInt8] {
        ToldKeyslots(said, epoch: 1).inForce.map { $0.slot.slotID[0] }
    }

    @Test func theOrderOfWhatWasSaidDoesNotMatter() throws {
        var said = [try added(1), try added(2), try removed(1), try added(3), try removed(3, isReplaced: false)]
        var seen: Set<[UInt8]> = []
        for _ in 0..<120 {
            said.shuffle()
            seen.insert(inForce(said))
        }
        #expect(seen == [[2]])
    }

    @Test func D02whatWasRemovedIsNotAddedAgain() throws {
        #expect(inForce([try removed(1), try added(1), try added(1, called: "again"), try added(2)]) == [2])
    }

    @Test func nothingOfAnotherEpochCounts() throws {
        #expect(inForce([try added(1), try added(2, epoch: 2), try removed(1, epoch: 2)]) == [1])
    }

    /// Each of two devices has taken the other's password away; what was removed long before stays removed.
    @Test func D02theLastPasswordsAreNotTakenAwayByTwoDevicesAtOnce() throws {
        let said = [
            try added(1), try added(5), try added(6), try removed(1), try removed(5, isReplaced: false),
            try removed(6, isReplaced: false),
        ]
        #expect(inForce(said) == [5])
        #expect(inForce([try added(1), try removed(1)]) == [])
    }

    /// A header with such a slot would be refused by all programs, for every password.
    @Test func D02aSlotThatNoHeaderMayHaveIsNotTakenOver() throws {
        var cheap = slot(7)
        cheap.memoryKiB = 8
        let said = SaidStatement(
            name: try name(0x47),
            statement: .keyslotAdded(KeyslotStatement(epoch: 1, slot: cheap, name: "k", target: 0)), isReplaced: false)
        #expect(inForce([try added(1), said]) == [1])
    }

    @Test func aNameIsTakenFromWhoeverKnowsIt() throws {
        let said = [try added(1, called: ""), try added(1, called: "laptop")]
        #expect(ToldKeyslots(said, epoch: 1).inForce.map(\.name) == ["laptop"])
        #expect(ToldKeyslots(said.reversed(), epoch: 1).inForce.map(\.name) == ["laptop"])
    }
}

/// What was told, and the header of a device.
struct KeyslotTellingTests {
    private func proof(_ store: OpenVault) throws -> KeyslotProof {
        try KeyslotProof(store.header, .recoveryKey(secret(TestVault.recoveryKey)))
    }

    private func new(_ byte: UInt8, _ name: String, _ store: OpenVault) throws -> NewKeyslot {
        try NewKeyslot(
            proof(store), .recoveryKey(secret([UInt8](repeating: byte, count: 20))), name: name, cost: .recommended,
            targetMilliseconds: 0)
    }

    private func opens(_ store: OpenVault, _ byte: UInt8) -> Bool {
        (try? KeyslotProof(store.header, .recoveryKey(secret([UInt8](repeating: byte, count: 20))))) != nil
    }

    private func meet(_ devices: DeviceSet) throws {
        for _ in 0..<3 {
            for (one, other) in [(0, 1), (1, 0)] {
                _ = try devices[one].keyslots.settle()
                _ = try devices[other].devices.apply(devices.news(of: one, to: other))
                _ = try devices[other].keyslots.settle()
            }
        }
    }

    @Test func bothDevicesHaveWhatEitherAddedAndRemoved() throws {
        let devices = try DeviceSet()
        try meet(devices)
        try devices[0].keyslots.add(new(1, "first's", devices[0]), proof(devices[0]))
        try devices[1].keyslots.add(new(2, "second's", devices[1]), proof(devices[1]))
        try meet(devices)
        for store in [devices[0], devices[1]] {
            #expect(opens(store, 1) && opens(store, 2))
            #expect(Set(try store.keyslots.all().map(\.name)).isSuperset(of: ["first's", "second's"]))
        }
        let gone = try #require(try devices[1].keyslots.all().first { $0.name == "first's" })
        try devices[1].keyslots.remove(gone.slotID, proof(devices[1]))
        try meet(devices)
        for store in [devices[0], devices[1]] { #expect(!opens(store, 1) && opens(store, 2)) }
        #expect(try devices[0].keyslots.settle() == false)
    }

    /// A slot that another device has added, and that is not in this header yet, was not removed here.
    @Test func D02whatHasNotArrivedInTheHeaderIsNotCalledRemoved() throws {
        let devices = try DeviceSet()
        try meet(devices)
        try devices[0].keyslots.add(new(1, "first's", devices[0]), proof(devices[0]))
        _ = try devices[0].keyslots.settle()
        // Taken over, and the agent dies before the header is changed.
        _ = try devices[1].devices.apply(devices.news(of: 0, to: 1))
        #expect(!opens(devices[1], 1))
        try devices[1].keyslots.add(new(2, "second's", devices[1]), proof(devices[1]))
        try meet(devices)
        for store in [devices[0], devices[1]] { #expect(opens(store, 1) && opens(store, 2)) }
    }

    /// The change is made before this device has settled anything: what it took away must not come back with what
    /// others say.
    @Test func D02aSlotThatWasReplacedBeforeAnythingWasToldStaysGone() throws {
        let devices = try DeviceSet()
        let old = try #require(try devices[1].keyslots.all().first { $0.kind == .recoveryKey })
        _ = try devices[0].keyslots.settle()
        _ = try devices[1].devices.apply(devices.news(of: 0, to: 1))
        try devices[1].keyslots.replace([old.slotID], by: new(9, "new", devices[1]), proof(devices[1]))
        try meet(devices)
        for store in [devices[0], devices[1]] {
            #expect(opens(store, 9))
            #expect((try? proof(store)) == nil)
        }
    }

    /// The password was changed, and nobody was told of it before the index had to be made anew.
    @Test func D02aRepairKeepsWhatWasTakenAwayAndNotTold() throws {
        let vault = try TestVault()
        var store = try vault.open()
        _ = try store.keyslots.settle()
        try store.keyslots.add(new(9, "new", store), proof(store))
        let old = try #require(try store.keyslots.all().first { $0.kind == .recoveryKey && $0.name != "new" })
        try store.keyslots.remove(old.slotID, proof(store))
        try store.end()
        let repair = try VaultRepair(vault.probe(), .recoveryKey(secret([UInt8](repeating: 9, count: 20))))
        _ = try repair.run { _, _, _ in true }
        store = try repair.open()
        _ = try store.keyslots.settle()
        #expect(opens(store, 9))
        #expect((try? proof(store)) == nil)
        try store.end()
    }

    @Test func aHeaderHasEightSlotsAtMostAndKeepsItsOwn() throws {
        let devices = try DeviceSet()
        try meet(devices)
        for byte in UInt8(1)...6 {
            try devices[0].keyslots.add(new(byte, "a\(byte)", devices[0]), proof(devices[0]))
            try devices[1].keyslots.add(new(byte + 10, "b\(byte)", devices[1]), proof(devices[1]))
        }
        try meet(devices)
        for (number, first) in [(0, UInt8(1)), (1, UInt8(11))] {
            let store = devices[number]
            #expect(store.header.keyslots.count == UnverifiedHeader.keyslotCountMax)
            #expect((first..<first + 6).allSatisfy { opens(store, $0) })
        }
        #expect(try devices[0].keyslots.settle() == false)
    }
}
