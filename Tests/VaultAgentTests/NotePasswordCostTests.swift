// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import SecretMemory
import Testing
import VaultCrypto
import VaultFormat

@testable import VaultAgent
@testable import VaultCore

/// What a new password of a note costs who guesses it.
@Suite struct NotePasswordCostTests {
    /// A vault whose own slot has other costs than those of today, as one that was made on another machine has.
    @Test func B01aNewNotePasswordTakesNothingOverFromAnOldSlot() throws {
        let old = Argon2Cost(memoryKiB: 65_536, iterations: 4, parallelism: 1)
        let vault = try TemporaryVault(cost: old)
        #expect(vault.store.header.keyslots.contains { $0.cost == old })
        let slot = ProtectionWork.NewSlot(
            note: try vault.store.notes.newID(), vaultID: vault.store.header.vaultID, epoch: 1, showsTitle: false,
            targetMilliseconds: vault.store.privateNotes.passwordTargetMilliseconds)
        let password = PasswordBox(SecretBytes(zeroes: 8))
        let made = try ProtectionWork(opening: nil, newSlot: slot).run(password, nil, wait: 0) { _ in true }.get()
        let protecting = try #require(made.protecting)
        #expect(protecting.slot.cost == .recommended, "the least that is allowed, for a vault whose target is 0")
        #expect(try PasswordHash(parsing: protecting.slot.passwordHash).cost == .recommended)
    }
}
