// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentProtocol
internal import SecretMemory
internal import VaultCore
internal import VaultFormat

extension OperationTable {
    static let cloning: [any Handled.Type] = [CloneVault.self]
}

/// An agent that has no vault serves this request.
extension CloneVault: Handled {}

extension RequestHandler {
    /// Makes a vault of a remote. Only an agent that has no vault does: it was started for this.
    func clone(_ cloning: CloneVault, _ secret: borrowing SecretBytes, _ connection: Connection) {
        guard session.isEmpty else {
            return connection.end(Outcome(.usage, "this agent has a vault", hint: "vault clone starts one of its own"))
        }
        guard let place = RemoteSettings.Place(cloning.remote) else {
            return connection.end(
                Outcome(.usage, "a remote is a folder's full path or an address", hint: "vault clone DIR"))
        }
        var code: PairingCode?
        if !cloning.code.isEmpty {
            guard let parsed = try? PairingCode(parsing: cloning.code) else { return connection.end(.noPairingCode) }
            code = parsed
        }
        do throws(VaultError) {
            guard let opening = PasswordPair.part(of: secret, isFirst: true),
                let given = PasswordPair.part(of: secret, isFirst: false)
            else { throw VaultError(.wrongPassword) }
            guard let asked = connection.credential(given, for: place, signsIn: cloning.signsIn) else {
                return connection.end(.noSignIn)
            }
            let credential = try CredentialBox.parse(cloning.credential, opening)
            connection.job = CloneJob(cloning, place, code, credential, PasswordBox(asked))
        } catch { connection.end(error.code == .wrongPassword ? CloneJob.wrong(cloning.credential) : error.outcome) }
    }
}

extension Outcome {
    /// What a client of ours never sends.
    static let noPairingCode = Outcome(
        .usage, "this is not a pairing code", hint: "vault device pair on a device that has the vault makes one")
}
