// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Foundation
import Glibc
import Testing
import VaultCrypto
import VaultFormat

@testable import VaultCore

/// What a salvage spends on keyslots that somebody may have put there: the rule is that of opening.
struct SalvageCostTests {
    private static let dear = Argon2Cost(memoryKiB: 4 << 20, iterations: 64, parallelism: 4)
    private static let large = Argon2Cost(memoryKiB: 1 << 20, iterations: 3, parallelism: 4)
    private let vault: TestVault

    init() throws { vault = try TestVault() }

    private func slot(_ cost: Argon2Cost) -> Keyslot {
        var slot = Keyslot(
            kind: .password, slotID: [UInt8](repeating: 7, count: 16), memoryKiB: cost.memoryKiB,
            iterations: cost.iterations, parallelism: cost.parallelism, salt: [UInt8](repeating: 7, count: 32))
        slot.wrappedKey = [UInt8](repeating: 7, count: Keyslot.wrappedKeyByteCount)
        return slot
    }

    private func seal(_ body: (inout UnverifiedHeader) -> Void) throws {
        let (header, keys, _) = try vault.probe().unlock(.recoveryKey(secret(TestVault.recoveryKey)))
        let next = try header.changed(keys: keys, body).encoded
        for name in HeaderFile.names { try vault.change(name) { $0 = next } }
    }

    private func salvage(
        _ password: String = TestVault.password, memory: UInt64 = 64 << 30, triesDear: Bool = false
    ) throws -> DamagedVault {
        try damaged(.password(secret(Array(password.utf8))), memory, triesDear)
    }

    private func damaged(
        _ credential: borrowing Credential, _ memory: UInt64 = 64 << 30, _ triesDear: Bool = false
    ) throws -> DamagedVault {
        let folder = unsafe Glibc.open(vault.folder.path, O_RDONLY | O_DIRECTORY)
        return try DamagedVault(
            taking: folder, credential, triesDear: triesDear, pins: vault.pins, memoryByteCount: memory)
    }

    @Test func B02aSlotThatIsTooLargeForThisMachineDoesNotEndASalvage() throws {
        try seal { $0.keyslots.insert(slot(Self.large), at: 0) }
        #expect(try salvage(memory: 1 << 30).header.keyslots.count == 3)
        expect(.wrongPassword) { try salvage("not it", memory: 1 << 30) }
        try seal { $0.keyslots = $0.keyslots.filter { !$0.kind.usesArgon2 } + [slot(Self.large)] }
        expect(.keyslotNeedsMemory) { try salvage(memory: 1 << 30) }
    }

    @Test func B02aSlotThatIsDearIsNotTriedWithoutTheOwnersWord() throws {
        try seal { $0.keyslots[0] = slot(Self.dear) }
        let clock = ContinuousClock()
        let taken = clock.measure { expect(.costlyKeyslot) { try salvage() } }
        #expect(taken < .seconds(1), "no key was derived")
        #expect(try damaged(.recoveryKey(secret(TestVault.recoveryKey))).header.counter == 2)
        // The owner's word does not make room for it.
        expect(.keyslotNeedsMemory) { try salvage(memory: 1 << 30, triesDear: true) }
    }

    @Test func B02aCopyThatIsDearComesAfterTheOtherOne() throws {
        var forged = try UnverifiedHeader(parsing: vault.bytes("header"))
        forged.counter = 99
        forged.keyslots[0] = slot(Self.dear)
        try vault.change("header") { $0 = forged.encoded }
        let clock = ContinuousClock()
        let begin = clock.now
        #expect(try salvage(triesDear: true).header.counter == 1)
        #expect(begin.duration(to: clock.now) < .seconds(20))
    }

    @Test func whatThePinnedHeaderAsksForIsNotDear() throws {
        try seal { $0.keyslots.append(slot(Self.dear)) }
        func isDear() throws -> Bool {
            let copies = try HeaderFile.read(VaultDirectory(path: vault.path))
            return DamagedVault.costs(of: copies, vault.pins, memoryByteCount: 64 << 30).isDear(slot(Self.dear))
        }
        #expect(try isDear())
        let store = try vault.open()
        try store.end()
        #expect(try !isDear(), "the pin knows this header now")
    }
}
