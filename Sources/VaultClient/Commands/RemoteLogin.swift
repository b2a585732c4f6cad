// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentClient
internal import AgentProtocol
internal import Presentation
internal import SecretMemory

struct RemoteLoginCommand: Command {
    static let name = "login"
    static var spec: Spec {
        Spec(
            "Sign in to a remote again, or for the first time.",
            discussion: """
                For Dropbox, a page shows a code to type here. This works over ssh, since you can open the page on \
                any machine. For iCloud Drive, Google Drive and others rclone asks what it needs ('drive', 'icloud', \
                'onedrive' or another rclone backend), and vault keeps the answer, encrypted; rclone's own \
                configuration is not changed. For a server, the password is asked for. Credentials are kept in the \
                vault, encrypted; a lock makes them unreadable, and no archive or clone contains them.
                """,
            examples: [
                "vault remote login": "Sign in again to the only remote.",
                "vault remote login dropbox": "When Dropbox no longer accepts this device.",
                "vault remote login icloud": "Apple ends a sign-in after 30 days; vault sync status warns of it.",
                "vault remote login drive notes": "Sign in to Google Drive, and sync over its folder 'notes'.",
            ])
    }
    var target: String?
    var place: String?
    var options = RemoteOptions()

    mutating func declare(_ list: inout ArgumentList) {
        list.word(&target, "remote", "The remote, or a service to sign in to.")
        list.word(&place, "place", "For a service: the folder in it, or Dropbox's app key.")
        options.declare(&list)
    }

    func run(_ context: Context) throws(ClientFailure) -> Outcome {
        try Session.with(context) { conversation throws(ClientFailure) in
            let (outcome, lists) = try conversation.ask(ListRemotes())
            try outcome.require()
            let remotes = lists.flatMap(\.remotes)
            let named =
                target.map { name in remotes.first { $0.name == name } } ?? (remotes.count == 1 ? remotes[0] : nil)
            if let named { return try again(named, context, &conversation) }
            guard let target else {
                throw .usage(
                    remotes.isEmpty ? "this vault has no remote" : "which remote?",
                    hint: "vault remote login NAME; or dropbox, drive, icloud, onedrive")
            }
            return try first(target, context, &conversation)
        }
    }

    /// Signs in to a remote that is there.
    private func again(
        _ row: RemoteRow, _ context: Context, _ conversation: inout Conversation
    ) throws(ClientFailure) -> Outcome {
        var setting = SetRemote(name: row.name, newName: "", hasSecret: true)
        switch row.kind {
        case .folder:
            throw .usage("'\(row.name)' is a folder, and needs no sign-in", hint: "vault remote test \(row.name)")
        case .webDAV, .s3:
            let secret = try options.secret(row.kind, at: Array(row.place.utf8), context)
            guard options.user != nil else { throw .usage("a server needs a user name", hint: "--user USER") }
            return try conversation.perform(setting, secret: secret.duplicate())
        case .dropbox:
            setting.signsIn = options.secretFile == nil && options.secretDescriptor == nil
            let secret =
                setting.signsIn
                ? try SignIn.code(for: StartSignIn(again: row.name), context, &conversation)
                : try options.secret(.dropbox, context)
            return try conversation.perform(setting, secret: secret.duplicate())
        case .rclone:
            let backend = String(row.place.prefix { $0 != ":" })
            let secret = try RcloneDialog.section(of: RcloneService(backend: backend), options.program, context)
            return try conversation.perform(setting, secret: secret.duplicate())
        }
    }

    /// Signs in to a service and makes a remote of it.
    private func first(
        _ service: String, _ context: Context, _ conversation: inout Conversation
    ) throws(ClientFailure) -> Outcome {
        if service == "dropbox" {
            let adding = try options.remote("dropbox", place ?? "")
            let secret = try SignIn.secret(of: adding, place ?? "", options, context, &conversation)
            return try conversation.perform(adding, secret: secret.duplicate())
        }
        guard let known = RcloneService(service, options.program) else {
            throw ClientFailure(
                .notFound, "there is no remote and no service '\(VisibleText.escaped(service))'",
                hint: "vault remote ls; services are dropbox, drive, icloud, onedrive and what rclone has")
        }
        let secret = try RcloneDialog.section(of: known, options.program, context)
        var adding = AddRemote(
            name: try RemotePath.name(options.name ?? service), kind: .rclone,
            place: Array("\(known.backend):\((place ?? "").drop { $0 == "/" })".utf8))
        (adding.program, adding.isAppendOnly) = (try RcloneRemote.path(options.program), options.appendOnly)
        return try conversation.perform(adding, secret: secret.duplicate())
    }
}
