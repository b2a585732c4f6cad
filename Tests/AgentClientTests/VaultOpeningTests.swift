// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import AgentProtocol
import SecretMemory
import Testing
import VaultTesting

@testable import AgentClient

/// How a vault is unlocked: in which order, and what is asked for when.
struct VaultOpeningTests {
    private let folder = TemporaryFolder()

    private func opening() throws -> VaultOpening { VaultOpening(try VaultLocation(folder.path)) }

    private func secret(_ text: String) -> SecretBytes {
        var secret = SecretBytes(zeroes: text.utf8.count)
        unsafe secret.withUnsafeMutableBytes { raw in unsafe raw.copyBytes(from: Array(text.utf8)) }
        return secret
    }

    @Test func noSecretIsAskedForBeforeTheAgentAgrees() throws {
        var agent = StubAgent()
        agent.outcomes[ProbeVault.id] = [.failSafe]
        var isAsked = false
        #expect(throws: ClientFailure(Outcome(.failSafe))) {
            try opening().unlock(&agent, UnlockVault()) { _ throws(ClientFailure) in
                isAsked = true
                return Credential(password: secret("x"))
            }
        }
        #expect(!isAsked)
        #expect(agent.requests == [ProbeVault.id])
    }

    @Test func aWrongPasswordIsAskedForAgainAsOftenAsIsSaid() throws {
        var agent = StubAgent()
        agent.outcomes[UnlockVault.id] = [.wrongPassword, .wrongPassword]
        var asked: [Int] = []
        let opened = try opening().unlock(&agent, UnlockVault(), attempts: 3) { attempt throws(ClientFailure) in
            asked.append(attempt)
            return Credential(password: secret("try \(attempt)"))
        }
        #expect(opened.count == 1)
        #expect(asked == [1, 2, 3])
        #expect(agent.secrets.map { String(decoding: $0, as: UTF8.self) } == ["try 1", "try 2", "try 3"])
    }

    @Test func theLastWrongPasswordIsAFailure() throws {
        var agent = StubAgent()
        agent.outcomes[UnlockVault.id] = [.wrongPassword, .wrongPassword]
        #expect(throws: ClientFailure(Outcome(.wrongPassword))) {
            try opening().unlock(&agent, UnlockVault(), attempts: 2) { _ throws(ClientFailure) in
                Credential(password: secret("x"))
            }
        }
        #expect(agent.requests == [ProbeVault.id, UnlockVault.id, UnlockVault.id])
    }

    @Test func aConflictIsTriedAgainWhenNobodyHasTheVaultOpen() throws {
        var agent = StubAgent()
        agent.outcomes[UnlockVault.id] = [.conflict, .conflict]
        _ = try opening().unlock(&agent, UnlockVault()) { _ throws(ClientFailure) in Credential(password: secret("x")) }
        #expect(agent.requests.count { $0 == UnlockVault.id } == 3)
    }

    @Test func aPasswordWithItsKeyFileIsOneSecret() throws {
        var agent = StubAgent()
        _ = try opening().unlock(&agent, UnlockVault()) { _ throws(ClientFailure) in
            Credential(password: secret("pw"), keyFile: secret("key"))
        }
        #expect(agent.secrets == [[0, 2] + Array("pwkey".utf8)])
    }
}
