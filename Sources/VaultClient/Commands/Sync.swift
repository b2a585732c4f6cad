// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentClient
internal import AgentProtocol
internal import Presentation
internal import SecretMemory

/// `SyncGroup` is the heading `vault sync`.
enum SyncGroup: CommandGroup {
    static let name = "sync"
    static var spec: Spec {
        Spec(
            "Exchange changes with the vault's other devices.",
            discussion: """
                While the vault is unlocked this happens automatically: seconds after a change, and regularly to \
                read what others have written. A save never waits for it. Two versions of a note that fit together are \
                merged; otherwise both are kept. A note missing on a remote is not removed here.
                """,
            examples: [
                "vault sync now": "Read and send everything, and wait for the end.",
                "vault sync status": "See how up to date this device is.",
            ])
    }
    static var commands: CommandList {
        [
            SyncNowCommand.self, SyncStatusCommand.self, SyncFollowCommand.self, SyncCompareCommand.self,
            SyncVerifyCommand.self, SyncRepairCommand.self, SyncPauseCommand.self, SyncResumeCommand.self,
            SyncLogCommand.self, SyncUnattendedCommand.self,
        ]
    }
}

struct SyncNowCommand: Command {
    static let name = "now"
    static var spec: Spec {
        Spec(
            "Read what is new on the remotes, and send what they lack.",
            discussion: """
                Waits for the end, and tries at once what failed before. Exits with 8 when a remote cannot be reached; \
                everything is safe here then. Exits with 7 when the remote is paused.
                """,
            examples: [
                "vault sync now": "Sync with the other devices.",
                "vault sync now --unattended": "In a timer, while nobody has unlocked the vault.",
                "vault sync now --accept-removals": "After you have removed many notes at once on another device.",
            ])
    }
    var name: String?
    var acceptsRemovals = false
    var speaksFirst = false
    var unattended = false

    mutating func declare(_ list: inout ArgumentList) {
        list.word(&name, "remote", "The remote; all by default.")
        list.flag(
            &acceptsRemovals, "accept-removals", "Apply changes that were held back because they remove many notes.")
        list.flag(
            &speaksFirst, "speak-first", "Send everything this vault has: the device that changed the key is lost.")
        list.flag(
            &unattended, "unattended",
            "Open a locked vault with the key that this machine keeps: vault sync unattended.")
    }

    func run(_ context: Context) throws(ClientFailure) -> Outcome {
        var syncing = SyncNow(name: try RemotePath.name(name), acceptsRemovals: acceptsRemovals)
        syncing.speaksFirst = speaksFirst
        guard unattended else { return try context.send(syncing) }
        return try Unattended.with(context) { conversation throws(ClientFailure) in try conversation.perform(syncing) }
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

struct SyncFollowCommand: Command {
    static let name = "follow"
    static var spec: Spec {
        Spec(
            "Use the new key that another device made.",
            discussion: """
                After 'vault rotate' on one device, the others keep the old key, and their changes are not \
                sent until each of them has adopted the new one. It asks for the password that the vault has on \
                the device that made it, and re-encrypts this vault under it; what was written here meanwhile is sent \
                after that.
                """,
            examples: [
                "vault sync follow": "Adopt the new key, on each of the other devices.",
                "vault sync follow --recovery": "Open the new key with the new recovery key.",
            ])
    }
    var name: String?
    var recovery = false
    var triesDearKeys = false

    mutating func declare(_ list: inout ArgumentList) {
        list.word(&name, "remote", "The remote; the only one by default.")
        list.flag(&recovery, "recovery", "Open it with the recovery key instead of the password.")
        list.flag(
            &triesDearKeys, "accept-cost", "Try a key that needs more than eight times the usual work.")
    }

    func run(_ context: Context) throws(ClientFailure) -> Outcome {
        let key = recovery ? try GivenKey.recovery(context) : try GivenKey.present(context, prompt: "New password: ")
        var following = FollowKey(name: try RemotePath.name(name), credential: key.kind)
        following.triesDearKeys = triesDearKeys
        return try Session.with(context) { conversation throws(ClientFailure) in
            let outcome = try conversation.perform(following, secret: key.secret.duplicate())
            guard outcome.code == .ok else { return outcome }
            // What was written here under the key of before is sent under the new one.
            let syncing = SyncNow(name: following.name, acceptsRemovals: false)
            // One command, one object.
            guard !context.options.json else { return try conversation.ask(syncing).outcome }
            return try conversation.perform(syncing)
        }
    }
}
