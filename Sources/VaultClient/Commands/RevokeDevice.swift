// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentClient
internal import AgentProtocol
internal import Presentation

struct DeviceRevokeCommand: Command {
    static let name = "revoke"
    static var spec: Spec {
        Spec(
            "Lock out a lost or stolen device, and change the vault's key.",
            discussion: """
                Reads and sends everything, makes a new key, re-encrypts everything under it as 'vault rotate' does, \
                retires the device, and tells the remotes. Devices that know of the change ignore what is written \
                later with the old key. Anyone who can open the lost device can still read what is stored on it. \
                If interrupted after the new key is in place, it continues at the next unlock; before that, nothing \
                was changed. Each other device adopts the new key with 'vault sync follow'. If somebody may know \
                the password, set a new one with --new-password: the old one would open the new key too. Change \
                what the device knew of the remote, such as a server's password, with its provider.
                """,
            examples: [
                "vault device revoke laptop": "Lock out a device whose password nobody knows.",
                "vault device revoke laptop --new-password": "Lock it out, with a new password for the vault.",
            ])
    }
    var device = ""
    var yes = false
    var rotation = RotateCommand()

    mutating func declare(_ list: inout ArgumentList) {
        list.word(&device, "device", "The device, by its name or last characters.")
        list.flag(&yes, "yes", "Do not ask.")
        rotation.declareChange(&list)
    }

    func run(_ context: Context) throws(ClientFailure) -> Outcome {
        guard device.utf8.count <= 256 else {
            throw .tooLong(device, "name of a device", count: device.utf8.count, max: 256)
        }
        return try Session.with(context) { conversation throws(ClientFailure) in
            let (planned, rows) = try conversation.ask(PlanRevocation(ref: device))
            try Session.require(planned)
            guard let row = rows.first?.devices.first else { throw ClientFailure(.other, "the agent names no device") }
            let name = row.name.isEmpty ? String(row.device.suffix(6)) : VisibleText.escaped(row.name)
            if !yes {
                try Confirmation.require(
                    "Lock out the device '\(name)', and change the vault's key?", refused: "nothing was changed",
                    hint: "vault device revoke \(ShellWord.quoted(device)) --yes", context)
            }
            let outcome = try rotation.rotate(&conversation, context, revoking: row.device)
            guard outcome.code == .ok else { return outcome }
            return try ended(name, &conversation, context)
        }
    }

    /// Sends the end of the epoch, from which on the device's key adds nothing.
    private func ended(
        _ name: String, _ conversation: inout Conversation, _ context: Context
    ) throws(ClientFailure) -> Outcome {
        context.reporter.talk("the device '\(name)' is retired and does not have the new key")
        if !rotation.wantsNewPassword {
            context.reporter.talk(
                "vault: note: the password was not changed: if somebody may know it, vault rotate --new-password")
        }
        context.reporter.talk(
            "on each other device: vault sync follow; and change any remote password that the device knew")
        let syncing = SyncNow(name: "", acceptsRemovals: false)
        let (outcome, _) = try conversation.ask(syncing)
        guard outcome.code != .ok else { return outcome }
        return Outcome(
            outcome.code, "the key was changed, but the remote was not told: \(outcome.message)",
            hint: "vault sync now; until then other devices still accept what the device writes")
    }
}
