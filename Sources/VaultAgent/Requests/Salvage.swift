// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentProtocol
internal import SecretMemory
internal import VaultCore
internal import VaultFormat

extension RequestHandler {
    /// Makes a vault of a damaged one. Only an agent that has no vault does: it was started for this.
    func salvage(_ salvaging: SalvageVault, _ secret: borrowing SecretBytes, _ connection: Connection) {
        guard session.isEmpty, let passed = connection.handedOver else {
            return connection.end(
                Outcome(.usage, "this agent has a vault", hint: "vault salvage starts one of its own"))
        }
        connection.handedOver = nil
        do throws(VaultError) {
            guard let first = PasswordPair.part(of: secret, isFirst: true),
                let second = PasswordPair.part(of: secret, isFirst: false)
            else {
                throw VaultError(.wrongPassword)
            }
            let credential = try CredentialBox.parse(salvaging.credential, first)
            let new = second.byteCount == 0 ? nil : try CredentialBox.parse(.password, second)
            connection.job = SalvageJob(
                SalvageJob.Order(salvaging: salvaging, credential: credential, newPassword: new, passed: passed))
        } catch { connection.end(error.outcome) }
    }
}
