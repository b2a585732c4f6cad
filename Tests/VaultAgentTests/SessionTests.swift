// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import AgentProtocol
import SecretMemory
import Testing
import VaultTesting

@testable import VaultAgent
@testable import VaultCore

struct SessionTests {
    /// `UnlockVault.isMadeHere` comes without a credential.
    @Test func whatWasNotMadeHereDoesNotOpenWithoutACredential() throws {
        let folder = TemporaryFolder()
        let session = Session()
        var request = UnlockVault()
        request.isMadeHere = true
        #expect(!request.needsSecret)
        #expect(UnlockVault().needsSecret)
        #expect(throws: VaultError(.noVault), "nothing was made") { try session.openMade(request) }
        var creation = CreateVault(directory: Array((folder.path + "/vault").utf8))
        (creation.kdfTargetMilliseconds, creation.withRecoveryKey) = (0, true)
        _ = try session.create(creation, password: SecretBytes(zeroes: 8))
        #expect(throws: VaultError(.noVault), "it is not written yet") { try session.openMade(request) }
        #expect(throws: VaultError(.recoveryMismatch)) {
            try session.commitCreation(typed: SecretBytes(zeroes: 4))
        }
        #expect(throws: VaultError(.noVault), "its recovery key was not typed back") {
            try session.openMade(request)
        }
        #expect(session.store == nil)
    }

    @Test func aVaultThatWasLookedAtNeedsItsCredential() throws {
        let vault = try TemporaryVault()
        let path = vault.store.directory.canonicalPath
        try vault.store.close()
        let session = Session()
        _ = try session.probe(ProbeVault(directory: path, acceptRollback: false))
        #expect(throws: VaultError(.noVault)) { try session.openMade(UnlockVault()) }
    }
}
