// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentClient
internal import AgentProtocol
internal import Presentation
internal import SecretMemory

struct CloneCommand: Command {
    static let name = "clone"
    static var spec: Spec {
        Spec(
            "Make this vault on another device, from a remote.",
            discussion: """
                The vault's password, key file or recovery key opens it as it does there. '--vault DIR' says where. \
                Whether a remote shows the newest state only another device can tell: compare what 'vault sync \
                status' says on both.
                """,
            examples: [
                "vault clone /mnt/nas/notes": "Have the vault of that folder on this device too.",
                "vault --vault ~/notes clone /mnt/nas/notes --recovery": "Open it with the recovery key.",
            ])
    }
    var place = ""
    var recovery = false
    var vault: String?
    var options = RemoteOptions()

    mutating func declare(_ list: inout ArgumentList) {
        list.word(&place, "place", "The folder of the remote, or the server's address.", completion: .folder)
        list.flag(&recovery, "recovery", "Open it with the recovery key instead of the password.")
        list.option(
            &vault, "vault-id", value: "id", "Which vault: of a server, and where several lie in a folder.")
        options.declare(&list)
    }

    func run(_ context: Context) throws(ClientFailure) -> Outcome {
        let location = try context.location()
        guard !location.hasHeader else {
            throw ClientFailure(
                .conflict, "there is already a vault in \(location.name)",
                hint: "vault --vault NEWDIR clone \(ShellWord.quoted(place))")
        }
        try VaultFolders.refuseInside(String(decoding: location.directory, as: UTF8.self))
        let remote = try options.remote(nil, place)
        let asked = try options.secret(remote.kind, context)
        let key = recovery ? try GivenKey.recovery(context) : try GivenKey.present(context)
        var cloning = CloneVault(directory: location.directory, remote, credential: key.kind)
        cloning.vault = vault ?? ""
        cloning.acceptsOldKey = context.options.acceptRollback
        let made = try Session.withNewAgent(context) { conversation throws(ClientFailure) in
            try conversation.perform(cloning, secret: PasswordPair.joined(key.secret, asked))
        }
        guard made.code == .ok else { return made }
        // The vault is there and empty; its notes come with the first sync.
        let outcome = try Session.withUnlockedAgent(
            location, context, credential: { () throws(ClientFailure) in key.duplicate() }
        ) { conversation throws(ClientFailure) in
            let (added, _) = try conversation.ask(remote, secret: asked.duplicate())
            guard added.code == .ok else { return added }
            let syncing = SyncNow(name: "", acceptsRemovals: false)
            // One command, one object.
            guard !context.options.json else { return try conversation.ask(syncing).outcome }
            let outcome = try conversation.perform(syncing)
            // What another device says of itself must be the same.
            return outcome.code == .ok ? try conversation.perform(SyncStatus()) : outcome
        }
        let next = context.options.vault.map { "vault --vault " + ShellWord.quoted($0) } ?? "vault"
        context.reporter.talk("the vault is in \(location.name); next: \(next) unlock")
        return outcome
    }
}
