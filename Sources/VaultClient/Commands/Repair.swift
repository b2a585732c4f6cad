// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentClient
internal import AgentProtocol
internal import Presentation
internal import SecretMemory

struct RepairCommand: Command {
    static let name = "repair"
    static var spec: Spec {
        Spec(
            "Repair a damaged vault from what is left of it.",
            discussion: """
                It checks the vault and changes nothing if nothing is wrong. Otherwise it makes a new index of all \
                notes that can still be read, and keeps the damaged one beside it. It works on an open vault and on \
                one that can no longer be opened. It exits with 13 if something could not be brought back.
                """,
            examples: [
                "vault repair": "Repair the vault.",
                "vault repair --recovery": "Repair it with the recovery key when the password is lost.",
            ])
    }
    var recovery = false

    mutating func declare(_ list: inout ArgumentList) {
        list.flag(&recovery, "recovery", "Use the recovery key instead of the password.")
    }

    func run(_ context: Context) throws(ClientFailure) -> Outcome {
        _ = try context.settings()
        let location = try context.location()
        if var conversation = try Session.running(location, context) {
            return try conversation.perform(RepairVault(), secret: SecretBytes(zeroes: 0))
        }
        return try repairLocked(location, context)
    }

    /// Starts an agent of its own: what cannot be opened cannot be unlocked before.
    private func repairLocked(_ location: VaultLocation, _ context: Context) throws(ClientFailure) -> Outcome {
        let opening = Session.opening(location, context)
        try opening.waitForTurn()
        return try Session.withNewAgent(context) { conversation throws(ClientFailure) in
            try opening.probe(&conversation)
            let key = try GivenKey.present(context, isRecovery: recovery)
            return try conversation.perform(
                RepairVault(credential: key.kind), secret: key.secret.duplicate())
        }
    }
}
