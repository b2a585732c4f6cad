// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import AgentProtocol
import Foundation
import SecretMemory
import Testing
import VaultTesting

@testable import VaultAgent
@testable import VaultCore

struct SessionTests {
    private let folder = TemporaryFolder()
    private let session = Session()
    /// It comes without a credential.
    private let made: UnlockVault

    init() {
        var request = UnlockVault()
        request.isMadeHere = true
        made = request
    }

    private func create(withRecoveryKey: Bool = false) throws {
        var creation = CreateVault(directory: Array((folder.path + "/vault").utf8))
        (creation.kdfTargetMilliseconds, creation.withRecoveryKey) = (0, withRecoveryKey)
        _ = try session.create(creation, password: SecretBytes(zeroes: 8))
    }

    private func commit() throws {
        try session.commitCreation(typed: SecretBytes(zeroes: 0), pins: PinStore(folder: folder.path + "/pins"))
    }

    @Test func whatWasNotMadeHereDoesNotOpenWithoutACredential() throws {
        #expect(!made.needsSecret && UnlockVault().needsSecret)
        #expect(throws: VaultError(.newKeysForgotten), "nothing was made") { try session.openMade(made) }
        try create(withRecoveryKey: true)
        #expect(throws: VaultError(.newKeysForgotten), "it is not written yet") { try session.openMade(made) }
        #expect(throws: VaultError(.recoveryMismatch)) { try commit() }
        #expect(throws: VaultError(.newKeysForgotten), "its recovery key was not typed back") {
            try session.openMade(made)
        }
        #expect(session.store == nil)
    }

    @Test func aVaultThatWasLookedAtNeedsItsCredential() throws {
        let vault = try TemporaryVault()
        let path = vault.store.directory.canonicalPath
        try vault.store.close()
        try create()
        try commit()
        _ = try session.probe(ProbeVault(directory: path, acceptRollback: false))
        #expect(throws: VaultError(.newKeysForgotten)) { try session.openMade(made) }
    }

    @Test func anAgentOpensWhatItHasMadeOnceAndNothingAfterIt() throws {
        try create()
        try commit()
        try session.openMade(made)
        defer { try? session.close() }
        let store = try #require(session.store)
        #expect(throws: VaultError(.newKeysForgotten)) { try session.openMade(made) }
        // While a repair has the vault, another one would get its timers.
        session.lend()
        #expect(throws: VaultError(.busy)) { try create() }
        #expect(throws: VaultError(.newKeysForgotten)) { try session.openMade(made) }
        #expect(throws: VaultError(.busy)) { try session.probe(ProbeVault()) }
        session.takeBack(store)
        #expect(session.store === store)
        try session.close()
        #expect(throws: VaultError(.busy), "nor when it is closed") { try create() }
    }

    @Test func keysOfWhatWasMadeAreForgottenWhenItDoesNotOpen() throws {
        try create()
        try commit()
        try FileManager.default.moveItem(atPath: folder.path + "/vault", toPath: folder.path + "/moved")
        #expect(throws: (any Error).self) { try session.openMade(made) }
        #expect(session.isEmpty)
    }

    @Test(arguments: [false, true]) func keysOfWhatIsMadeAreForgottenWhenNobodyComes(isWritten: Bool) throws {
        try create()
        if isWritten { try commit() }
        let now = BootClock.seconds
        session.forgetUnused(now: now + 14 * 60)
        #expect(!session.isEmpty && session.secondsToForget(now: now + 14 * 60) != nil)
        session.forgetUnused(now: now + 15 * 60 + 1)
        #expect(session.isEmpty)
        #expect(throws: VaultError(.newKeysForgotten)) { try session.openMade(made) }
    }
}
