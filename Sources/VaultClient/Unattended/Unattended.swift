// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentClient
internal import AgentProtocol
internal import Glibc
internal import SecretMemory
internal import VaultFormat

/// `Unattended` opens the vault with the key that this machine keeps.
enum Unattended {
    /// Runs `body` with the open vault, or with an agent of its own that the kept key has opened. Nobody has asked for
    /// it: the time until an open vault locks by itself goes on.
    static func with<R>(
        _ context: Context, _ body: (inout Conversation) throws(ClientFailure) -> R
    ) throws(ClientFailure) -> R {
        let isOn = try context.settings().unattended != .off
        let location = try context.location()
        if var conversation = try Session.running(location, context) {
            conversation.agent.traits.isUnattended = true
            return try body(&conversation)
        }
        let vault = try name(of: location)
        guard isOn, var record = UnattendedRecord(of: vault) else {
            throw ClientFailure(
                .locked, "the vault is locked, and this machine has no key to it",
                hint: "vault sync unattended keyring, or tpm")
        }
        let dead = ClientFailure(
            .wrongPassword, "the key that this machine keeps no longer opens the vault",
            hint: "vault sync unattended \(record.choice.rawValue)")
        // Each try would count as a wrong password, and make its owner wait.
        guard !record.isDead else { throw dead }
        let key = try KeyKeeper(record.choice, of: vault, tag: record.tag).kept()
        var isOpen = false
        do throws(ClientFailure) {
            return try Session.withUnlockedAgent(
                location, context, credential: { () throws(ClientFailure) in Credential(password: key.duplicate()) }
            ) { conversation throws(ClientFailure) in
                isOpen = true
                return try body(&conversation)
            }
        } catch {
            guard !isOpen, error.outcome.code == .wrongPassword else { throw error }
            record.isDead = true
            try record.write(of: vault)
            throw dead
        }
    }

    /// Ends a sync that runs by itself with the kept key: a person wants the vault now. What it has sent was sent, and
    /// it goes on the next time.
    static func giveWay(_ location: VaultLocation) {
        guard let holder = try? VaultHolder.find(location), let pid = holder.pid, holder.isOurAgent,
            holder.socket == nil, holder.isOfCommand(with: "--unattended")
        else { return }
        kill(pid, SIGTERM)
    }

    /// Returns the vault's identifier in hexadecimal, by which its key is found.
    static func name(of location: VaultLocation) throws(ClientFailure) -> String { hexadecimal(try location.vaultID()) }
}
