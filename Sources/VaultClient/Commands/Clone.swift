// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentClient
internal import AgentProtocol
internal import Presentation
internal import SecretMemory
internal import VaultFormat

struct CloneCommand: Command {
    static let name = "clone"
    static var spec: Spec {
        Spec(
            "Make this vault on another device, from a remote.",
            discussion: """
                The vault's password, key file or recovery key opens it as it does there. '--vault DIR' says where. \
                Only another device can tell whether a remote shows the right vault and its newest state: with a \
                pairing code from there ('vault device pair') older states are refused. Without one, compare 'vault \
                sync status' on both. With a code, the place can be omitted: the code names it.
                """,
            examples: [
                "vault clone --code": "Type or paste a pairing code, then the password.",
                "vault clone --code-file code": "Read the code from a file that vault device pair has written.",
                "vault clone /mnt/nas/notes": "Have the vault of that folder on this device too.",
                "vault --vault ~/notes clone /mnt/nas/notes --recovery": "Open it with the recovery key.",
            ])
    }
    var place: String?
    var code = false
    var codeFile: String?
    var recovery = false
    var vault: String?
    var options = RemoteOptions()

    mutating func declare(_ list: inout ArgumentList) {
        list.word(&place, "place", "The folder of the remote, or the server's address.", completion: .folder)
        list.flag(&code, "code", "Ask for a pairing code, or read it from standard input.")
        list.option(
            &codeFile, "code-file", value: "file", "Read the pairing code from a file; - is standard input.",
            completion: .file)
        list.flag(&recovery, "recovery", "Open it with the recovery key instead of the password.")
        list.option(
            &vault, "vault-id", value: "id", "The vault's ID; needed for a server, or a folder with several vaults.")
        options.declare(&list)
    }

    func run(_ context: Context) throws(ClientFailure) -> Outcome {
        let location = try context.location()
        guard !location.hasHeader else {
            throw ClientFailure(
                .conflict, "there is already a vault in \(location.name)",
                hint: "vault --vault NEWDIR clone \(place.map { ShellWord.quoted($0) } ?? "--code"); "
                    + "after a clone that was interrupted: vault sync now, or first vault remote add KIND PLACE")
        }
        guard vault.map({ $0.utf8.count == 32 && $0.allSatisfy(\.isHexDigit) }) ?? true else {
            throw .usage(
                "a vault's ID has 32 hexadecimal digits", hint: "vault status shows it on a device that has it")
        }
        try VaultFolders.refuseInside(String(decoding: location.directory, as: UTF8.self))
        var remote = try remote(context)
        let key = recovery ? try GivenKey.recovery(context) : try GivenKey.present(context)
        var cloning = CloneVault(directory: location.directory, remote, credential: key.kind)
        cloning.vault = vault ?? ""
        cloning.acceptsOldKey = context.options.acceptRollback
        var asked = SecretBytes(zeroes: 0)
        let made = try Session.withNewAgent(context) { conversation throws(ClientFailure) in
            asked = try SignIn.secret(of: remote, place ?? "", options, context, &conversation)
            let outcome = try conversation.perform(cloning, secret: PasswordPair.joined(key.secret, asked))
            // A code counts once: what it was exchanged for opens the remote from here on.
            if let renewed = conversation.received.take() { asked = renewed }
            return outcome
        }
        guard made.code == .ok else { return made }
        remote.signsIn = false
        // The vault is there and empty; its notes come with the first sync.
        let outcome = try Session.withUnlockedAgent(
            location, context, credential: { () throws(ClientFailure) in key.duplicate() }
        ) { conversation throws(ClientFailure) in
            let (added, _) = try conversation.ask(remote, secret: asked.duplicate())
            guard added.code == .ok else {
                return Outcome(
                    added.code, "the vault was made, and has no remote: \(added.message)",
                    hint: "vault --vault \(ShellWord.quoted(location.name)) remote add …, as here")
            }
            let syncing = SyncNow(name: "", acceptsRemovals: false)
            // One command, one object.
            guard !context.options.json else { return try conversation.ask(syncing).outcome }
            let outcome = try conversation.perform(syncing)
            // What another device says of itself must be the same.
            return outcome.code == .ok ? try conversation.perform(SyncStatus()) : outcome
        }
        if !remote.code.isEmpty, outcome.code == .ok {
            context.reporter.talk("the remote has everything that the pairing code names")
        }
        let next = context.options.vault.map { "vault --vault " + ShellWord.quoted($0) } ?? "vault"
        context.reporter.talk("the vault is in \(location.name); next: \(next) unlock")
        return outcome
    }

    /// Returns the remote that was typed, or the one of the code.
    private func remote(_ context: Context) throws(ClientFailure) -> AddRemote {
        guard code || codeFile != nil else {
            guard let place else {
                throw .usage(
                    "missing expected argument '<place>'", hint: "vault clone DIR, vault clone URL, or --code")
            }
            return try options.remote(nil, place)
        }
        let given = try GivenPairingCode.read(codeFile, context)
        let named = hexadecimal(given.vault)
        guard vault == nil || vault == named else {
            throw .usage("the pairing code is for the vault \(named)", hint: "leave out --vault-id")
        }
        var remote = try given.remote(place, options)
        remote.code = given.encoded
        return remote
    }
}
