// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentClient
internal import AgentProtocol
internal import SecretMemory

/// `Unattended` opens the vault with the key that this machine keeps.
enum Unattended {
    /// Runs `body` with the open vault, or with an agent of its own that the kept key has opened.
    static func with<R>(
        _ context: Context, _ body: (inout Conversation) throws(ClientFailure) -> R
    ) throws(ClientFailure) -> R {
        let choice = try context.settings().unattended
        let location = try context.location()
        if var conversation = try Session.running(location, context) { return try body(&conversation) }
        guard choice != .off else {
            throw ClientFailure(
                .locked, "the vault is locked, and this machine keeps no key of it",
                hint: "vault sync unattended keyring, or tpm")
        }
        let key = try KeyKeeper(choice, location).kept()
        do throws(ClientFailure) {
            return try Session.withUnlockedAgent(
                location, context, credential: { () throws(ClientFailure) in Credential(password: key.duplicate()) },
                body)
        } catch {
            guard error.outcome.code == .wrongPassword else { throw error }
            throw ClientFailure(
                .wrongPassword, "the key that this machine keeps does not open the vault any more",
                hint: "vault sync unattended \(choice.rawValue)")
        }
    }
}
