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
    var remote: String?

    mutating func declare(_ list: inout ArgumentList) {
        list.word(&place, "folder", "The folder of the remote.", completion: .folder)
        list.flag(&recovery, "recovery", "Open it with the recovery key instead of the password.")
        list.option(&vault, "vault-id", value: "id", "Which vault, where several lie in the folder.")
        list.option(&remote, "name", value: "name", "What to call the remote; by default its kind.")
    }

    func run(_ context: Context) throws(ClientFailure) -> Outcome {
        let location = try context.location()
        guard !location.hasHeader else {
            throw ClientFailure(
                .conflict, "there is already a vault in \(location.name)",
                hint: "vault --vault NEWDIR clone \(ShellWord.quoted(place))")
        }
        try VaultFolders.refuseInside(String(decoding: location.directory, as: UTF8.self))
        let path = Array(try RemotePath.folder(place).utf8)
        let key = recovery ? try GivenKey.recovery(context) : try GivenKey.present(context)
        var cloning = CloneVault(directory: location.directory, kind: .folder, place: path, credential: key.kind)
        cloning.vault = vault ?? ""
        let made = try Session.withNewAgent(context) { conversation throws(ClientFailure) in
            try conversation.perform(cloning, secret: key.secret.duplicate())
        }
        guard made.code == .ok else { return made }
        // The vault is there and empty; its notes come with the first sync.
        let outcome = try Session.withUnlockedAgent(
            location, context, credential: { () throws(ClientFailure) in key.duplicate() }
        ) { conversation throws(ClientFailure) in
            let adding = AddRemote(name: remote ?? "folder", kind: .folder, place: path)
            let (added, _) = try conversation.ask(adding, secret: SecretBytes(zeroes: 0))
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
