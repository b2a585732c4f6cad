// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentClient
internal import AgentProtocol
internal import Presentation

struct LockCommand: Command {
    static let name = "lock"
    static var spec: Spec {
        Spec(
            "Lock the vault now.",
            examples: [
                "vault lock": "Lock the vault now.",
                "vault lock --all": "Lock every vault that you have open.",
            ])
    }
    var all = false

    mutating func declare(_ list: inout ArgumentList) {
        list.flag(&all, "all", "Lock every vault of this user.")
    }

    func run(_ context: Context) throws(ClientFailure) -> Outcome {
        var locking = VaultLocking()
        locking.traits = context.client
        locking.whenSilent = AgentProcess.sayItIsSilent
        try all ? Self.lockAll(locking, context) : Self.lock(locking, context)
        return Outcome(.ok)
    }

    private static func lock(_ locking: VaultLocking, _ context: Context) throws(ClientFailure) {
        let location = try context.location()
        let text =
            switch try locking.lock(location) {
            case .agent: "locked"
            case .other(let holder): "locked; \(holder.name) had it open"
            case .nobody: "already locked"
            }
        let name = JSONText.quoted(String(decoding: location.directory, as: UTF8.self))
        try context.print(
            json: "{\"schema\":1,\"state\":\"locked\",\"vault\":\(name),\"agentPID\":null}", text: text)
    }

    private static func lockAll(_ locking: VaultLocking, _ context: Context) throws(ClientFailure) {
        let count = try locking.lockAll()
        try context.print(
            json: "{\"schema\":1,\"locked\":\(count)}",
            text: count == 0 ? "already locked" : "locked \(count) \(count == 1 ? "vault" : "vaults")")
    }
}
