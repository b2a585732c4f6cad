// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentClient
internal import AgentProtocol
internal import Presentation
internal import SecretMemory

/// `SignIn` gets what opens a remote: a password that is asked for, a code that a page shows, or what rclone has.
enum SignIn {
    /// Returns the secret that a remote is added with.
    ///
    /// - Parameters:
    ///   - place: as it was typed: of rclone's the name of the remote is in it.
    ///   - conversation: what the secret is sent on afterwards; a code counts there alone.
    static func secret(
        of remote: AddRemote, _ place: String, _ options: RemoteOptions, _ context: Context,
        _ conversation: inout Conversation
    ) throws(ClientFailure) -> SecretBytes {
        switch remote.kind {
        case .folder, .webDAV, .s3: return try options.secret(remote.kind, at: remote.place, context)
        case .rclone: return try RcloneRemote(String(place.prefix { $0 != ":" }), options.program).secret()
        case .dropbox:
            guard remote.signsIn else { return try options.secret(.dropbox, context) }
            return try code(for: StartSignIn(of: remote), context, &conversation)
        }
    }

    /// Shows where somebody lets this device in, and asks for the code that is shown there. It works over ssh: the page
    /// is opened on any machine.
    static func code(
        for start: StartSignIn, _ context: Context, _ conversation: inout Conversation
    ) throws(ClientFailure) -> SecretBytes {
        guard !context.options.noInput, Terminal.canAsk else {
            throw ClientFailure(
                .locked, "Dropbox shows a code to type, and there is no terminal to ask on",
                hint: "--secret-file FILE with a refresh token, or run it on a terminal")
        }
        let (outcome, pages) = try conversation.ask(start)
        try outcome.require()
        guard let page = pages.first else { throw ClientFailure(.other, "the agent named no page") }
        context.reporter.talk("open this page in a browser, on any machine, and let vault in:\n\n  \(page.address)\n")
        return try SignInCode.secret(asked())
    }

    private static func asked() throws(ClientFailure) -> SecretBytes {
        do throws(PasswordReader.Failure) {
            return try PasswordReader.ask(prompt: "Code from that page: ", echo: true)
        } catch { throw PasswordSource.failure(error) }
    }
}

/// `DropboxApp` says how somebody gets a key: an app of his own, since none of ours is registered with Dropbox.
enum DropboxApp {
    static let howToMakeOne =
        "https://www.dropbox.com/developers/apps, Create app, Scoped access, App folder; under Permissions check files.metadata.read, files.content.read and files.content.write; the App key is what vault remote add dropbox takes"
}
