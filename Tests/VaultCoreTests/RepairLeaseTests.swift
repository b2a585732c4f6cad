// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Foundation
import Testing
import VaultFormat

@testable import VaultCore

/// A repair has the vault as any other program has it: other machines see that, and it sees them.
struct RepairLeaseTests {
    private let vault: TestVault
    private let here = ThisMachine(id: "a", boot: "1", host: "here")
    private let there = ThisMachine(id: "b", boot: "2", host: "there")

    init() throws {
        vault = try SalvageFixture.shared.get().copy()
        try vault.damage(page: 1)
    }

    private func repair() throws -> VaultRepair {
        let probe = try vault.probe()
        probe.leasing = Leasing(machine: here, isWritten: true)
        return try VaultRepair(probe, .recoveryKey(secret(TestVault.recoveryKey)))
    }

    private func directory() throws -> VaultDirectory { try VaultDirectory(path: vault.path) }

    @Test func D07aVaultThatAnotherMachineHasOpenIsNotRepaired() throws {
        let theirs = try Lease(directory(), there, takesOver: false)
        let before = try vault.bytes(Lease.name)
        expect(.heldElsewhere) { _ = try repair() }
        #expect(try vault.bytes(Lease.name) == before)
        theirs.release()
        _ = try repair().run { _, _, _ in true }
    }

    @Test func D07theLeaseIsKeptThroughoutAndGoesOverToTheRepairedVault() throws {
        let repair = try repair()
        var stages: Set<VaultRepair.Stage> = []
        _ = try repair.run { stage, _, _ in
            stages.insert(stage)
            #expect((try? Lease.read(directory()))??.host == "here")
            return true
        }
        #expect(stages == [.reading, .writing, .checking])
        let store = try repair.open()
        #expect(store.watch.lease?.successor() == nil && store.watch.lease != nil)
        try store.end()
        #expect(try Lease.read(directory()) == nil)
    }

    @Test func D07whatAnotherMachineHasTakenOverIsNotSwitched() throws {
        let index = try vault.bytes(SalvageFixture.index)
        let manifest = try vault.bytes(ManifestFile.names[0])
        let repair = try repair()
        var theirs: Lease?
        expect(.takenOver) {
            _ = try repair.run { stage, _, _ in
                if stage == .writing, theirs == nil { theirs = try? Lease(directory(), there, takesOver: true) }
                return true
            }
        }
        #expect(try vault.bytes(SalvageFixture.index) == index)
        #expect(try vault.bytes(ManifestFile.names[0]) == manifest)
        #expect(try vault.names("index-1.db.").filter { $0.contains("damaged") || $0.contains("repaired") }.isEmpty)
    }

    @Test func D07aRepairThatIsGivenUpGivesTheLeaseBack() throws {
        do { _ = try repair() }
        #expect(try Lease.read(directory()) == nil)
    }
}
