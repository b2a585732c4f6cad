// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentClient
internal import AgentProtocol
internal import Presentation

/// `SyncGroup` is the heading `vault sync`.
enum SyncGroup: CommandGroup {
    static let name = "sync"
    static var spec: Spec {
        Spec(
            "Exchange changes with the vault's other devices.",
            discussion: """
                While the vault is unlocked this happens by itself: some seconds after a change, and now and then to \
                see what others have written. A save never waits for it. Two versions of a note that fit together are \
                joined; others are both kept. What is missing on a remote removes nothing here.
                """,
            examples: [
                "vault sync now": "Read and send everything, and wait for the end.",
                "vault sync status": "See how old what is shown may be.",
            ])
    }
    static var commands: CommandList {
        [
            SyncNowCommand.self, SyncStatusCommand.self, SyncCompareCommand.self, SyncVerifyCommand.self,
            SyncRepairCommand.self, SyncPauseCommand.self, SyncResumeCommand.self, SyncLogCommand.self,
        ]
    }
}

struct SyncNowCommand: Command {
    static let name = "now"
    static var spec: Spec {
        Spec(
            "Read what is new on the remotes, and send what is not there.",
            discussion: """
                Waits for the end, and tries at once what failed before. Exits with 8 when a remote cannot be reached; \
                everything is safe here then. Exits with 7 when the remote is paused.
                """,
            examples: [
                "vault sync now": "Meet the other devices.",
                "vault sync now --accept-removals": "After you have removed many notes at once on another device.",
            ])
    }
    var name: String?
    var acceptsRemovals = false

    mutating func declare(_ list: inout ArgumentList) {
        list.word(&name, "remote", "The remote; all by default.")
        list.flag(
            &acceptsRemovals, "accept-removals", "Take over also what removes more than a tenth of the notes at once.")
    }

    func run(_ context: Context) throws(ClientFailure) -> Outcome {
        try context.send(SyncNow(name: RemotePath.name(name), acceptsRemovals: acceptsRemovals))
    }
}

struct SyncStatusCommand: Command {
    static let name = "status"
    static var spec: Spec {
        Spec(
            "Show how far this device and the remotes are.",
            discussion: "Asks no remote.",
            examples: ["vault sync status": "See when each remote was read last, and what was not sent yet."])
    }

    mutating func declare(_ list: inout ArgumentList) {}

    func run(_ context: Context) throws(ClientFailure) -> Outcome { try context.send(SyncStatus()) }
}
