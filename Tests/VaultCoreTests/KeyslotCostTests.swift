// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Foundation
import Testing
import VaultCrypto
import VaultFormat

@testable import VaultCore

/// What a keyslot may cost: one rule for readers and writers, slot by slot.
struct KeyslotCostTests {
    private static let dear = Argon2Cost(memoryKiB: 4 << 20, iterations: 64, parallelism: 4)
    private static let memory: UInt64 = 1 << 30
    private let vault: TestVault

    init() throws { vault = try TestVault() }

    /// A slot that another machine could have written; nobody derives its key here.
    private func slot(_ cost: Argon2Cost, _ byte: UInt8 = 7) -> Keyslot {
        var slot = Keyslot(
            kind: .password, slotID: [UInt8](repeating: byte, count: 16), memoryKiB: cost.memoryKiB,
            iterations: cost.iterations, parallelism: cost.parallelism, salt: [UInt8](repeating: byte, count: 32))
        slot.wrappedKey = [UInt8](repeating: byte, count: Keyslot.wrappedKeyByteCount)
        return slot
    }

    /// Puts a header in place that the vault's key vouches for.
    private func seal(_ names: [String] = HeaderFile.names, _ body: (inout UnverifiedHeader) -> Void) throws {
        let (header, keys, _) = try vault.probe().unlock(.recoveryKey(secret(TestVault.recoveryKey)))
        let next = try header.changed(keys: keys, body).encoded
        for name in names { try vault.change(name) { $0 = next } }
    }

    private func probe(memory: UInt64 = memory) throws -> VaultProbe {
        try VaultProbe(
            directory: VaultDirectory(path: vault.path), pins: vault.pins, acceptRollback: false,
            memoryByteCount: memory)
    }

    private func unlock(_ probe: VaultProbe, _ password: String = TestVault.password) throws -> Header {
        try probe.unlock(.password(secret(Array(password.utf8)))).header
    }

    @Test func B02aSlotThatIsTooLargeForThisMachineIsSkippedAndAnotherOneOpens() throws {
        try seal { $0.keyslots.insert(slot(Argon2Cost(memoryKiB: 1 << 20, iterations: 3, parallelism: 4)), at: 0) }
        let probe = try probe()
        #expect(probe.costlyKeyslots.map(\.obstacle) == [.memory])
        #expect(probe.costlyKeyslots.map(\.shortID) == ["07070707"])
        #expect(try unlock(probe).keyslots.count == 3)
        expect(.wrongPassword) { try unlock(self.probe(), "not it") }
    }

    @Test func B02aSnapshotsSlotThatIsTooLargeForThisMachineIsSkippedAndAnotherOneOpens() throws {
        let large = Argon2Cost(memoryKiB: 1 << 20, iterations: 3, parallelism: 4)
        let place = try BackupPlace()
        let costs = KeyslotCosts(memoryByteCount: Self.memory)
        let store = try vault.open()
        func read(_ snapshot: String, _ password: String = TestVault.password) throws -> SnapshotReader {
            try SnapshotReader(
                place.open(), #require(SnapshotName(snapshot)), .password(secret(Array(password.utf8))), costs: costs)
        }
        try store.changeHeader { $0.keyslots.insert(slot(large), at: 0) }
        let both = try place.write(store).name
        try store.changeHeader { header in
            header.keyslots.removeAll { $0.kind == .password && $0.memoryKiB < large.memoryKiB }
        }
        let alone = try place.write(store).name
        try store.end()
        #expect(try read(both).name.text == both)
        expect(.wrongPassword) { try read(both, "not it") }
        // Nobody tried it, so nobody knows whether it is wrong.
        expect(.keyslotNeedsMemory) { try read(alone) }
    }

    @Test func aKeyThatNoSlotWasTriedForIsNotCalledWrong() throws {
        try seal { header in
            header.keyslots = header.keyslots.filter { !$0.kind.usesArgon2 }
            header.keyslots.append(slot(Argon2Cost(memoryKiB: 1 << 20, iterations: 3, parallelism: 4)))
        }
        expect(.keyslotNeedsMemory) { try unlock(probe()) }
        #expect(try probe().unlock(.recoveryKey(secret(TestVault.recoveryKey))).header.keyslots.count == 2)
    }

    @Test func manySlotsThatEachMayBeTriedAreNotRefusedTogether() throws {
        try seal { header in for byte in UInt8(1)...6 { header.keyslots.append(slot(Self.dear, byte)) } }
        #expect(try unlock(probe(memory: 64 << 30)).keyslots.count == 8)
    }

    @Test func B02aSlotThatAsksForEightTimesWhatIsKnownIsTriedOnTheOwnersWordAlone() throws {
        try seal { $0.keyslots[0] = slot(Self.dear) }
        let probe = try probe(memory: 64 << 30)
        #expect(probe.costlyKeyslots.map(\.obstacle) == [.work])
        let clock = ContinuousClock()
        let taken = clock.measure { expect(.costlyKeyslot) { try unlock(probe) } }
        #expect(taken < .seconds(1), "no key was derived")
        #expect(try probe.unlock(.recoveryKey(secret(TestVault.recoveryKey))).header.counter == 2)
    }

    @Test func B02theCopyThatThePinKnowsIsTriedBeforeOneThatIsDear() throws {
        var forged = try UnverifiedHeader(parsing: vault.bytes("header"))
        forged.counter = 99
        forged.keyslots[0] = slot(Self.dear)
        try vault.change("header") { $0 = forged.encoded }
        let probe = try probe(memory: 64 << 30)
        probe.triesDearKeyslots = true
        let clock = ContinuousClock()
        let begin = clock.now
        #expect(try unlock(probe).counter == 1)
        #expect(begin.duration(to: clock.now) < .seconds(20))
    }

    @Test func whatThePinnedHeaderAsksForIsNotDear() throws {
        try seal { $0.keyslots.append(slot(Self.dear)) }
        #expect(try probe(memory: 64 << 30).costlyKeyslots.count == 1)
        let store = try vault.open()
        try store.end()
        #expect(try probe(memory: 64 << 30).costlyKeyslots.isEmpty, "the pin knows this header now")
    }

    @Test func aNewerCopyIsNotTakenBackByTheOneThatThePinKnows() throws {
        let store = try vault.open()
        try store.end()
        try seal(["header"]) { $0.keyslots.append(slot(.recommended)) }
        #expect(try probe().unlock(.recoveryKey(secret(TestVault.recoveryKey))).header.counter == 2)
    }

    @Test(arguments: [0, 1, 10, 1000, 4_294_967] as [Double], [UInt64(1) << 28, 1 << 30, 1 << 32, 1 << 40])
    func B01whatIsWrittenIsWhatCanBeRead(target: Double, memory: UInt64) throws {
        let cost = try Argon2Cost.chosen(targetSeconds: target, memoryByteCount: memory) { cost in
            Double(cost.memoryKiB) * Double(cost.iterations) / 4e6
        }
        let written = slot(cost)
        #expect(KeyslotCosts.isOfTheFormat(written))
        #expect(KeyslotCosts(memoryByteCount: memory).fits(written))
    }

    @Test func everySlotThatAWriterMayMakeOpensTogetherWithSevenOthers() throws {
        let most = Argon2Cost(memoryKiB: 1 << 20, iterations: 64, parallelism: 4)
        try seal { header in for byte in UInt8(1)...6 { header.keyslots.append(slot(most, byte)) } }
        #expect(
            try probe(memory: 4 << 30).unlock(.recoveryKey(secret(TestVault.recoveryKey))).header.keyslots.count == 8)
    }
}
