// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentClient
internal import AgentProtocol
internal import Presentation

struct AboutCommand: Command {
    static let name = "about"
    static var spec: Spec {
        Spec(
            "About vault: version, licence, support.",
            examples: ["vault about": "See which methods protect your notes, and where to ask for help."])
    }

    func run(_ context: Context) throws(ClientFailure) -> Outcome { try Self.about(context) }
}

struct VersionCommand: Command {
    static let name = "version"
    static var spec: Spec {
        Spec(
            "Print the version.",
            examples: ["vault version": "Print the version, for a bug report."])
    }

    func run(_ context: Context) throws(ClientFailure) -> Outcome {
        try Streams.write(
            context.options.json
                ? "{\"schema\":1,\"version\":\"\(Frame.programVersion)\"}\n" : CommandTree.version + "\n")
        return Outcome(.ok)
    }
}

/// This command says what this program is. It needs no vault.
extension AboutCommand {
    private static func about(_ context: Context) throws(ClientFailure) -> Outcome {
        if context.options.json {
            try Streams.write(
                "{\"schema\":1,\"version\":\"\(Frame.programVersion)\",\"protocol\":\(Frame.protocolVersion),"
                    + "\"format\":1,\"license\":\"Apache-2.0\",\"website\":\(quoted(SupportContact.website)),"
                    + "\"email\":\(quoted(SupportContact.email))}\n")
            return Outcome(.ok)
        }
        let linked = Terminal.showsLinks
        let website = SupportContact.website.map { TerminalLink.text($0, to: $0, linked: linked) }
        let email = SupportContact.email.map { TerminalLink.text($0, to: "mailto:" + $0, linked: linked) }
        try Streams.write(
            """
            vault \(Frame.programVersion): private notes, encrypted on this machine
              format 1, agent protocol \(Frame.protocolVersion), licence Apache-2.0
              This program holds no keys: vault-agent does, from unlock to lock.
              Keys: Argon2id (libargon2). Notes and attachments: Cobblestone-256 (AES-256-GCM of OpenSSL, in chunks).
              Index: SQLite, each page sealed with XAES-256-GCM.
              What is promised, and what is not: SECURITY.md. The file format: docs/format.md.
              Help and news: \(website ?? "this build names no website")
              Mail: \(email ?? "this build names no address")

            """)
        return Outcome(.ok)
    }

    private static func quoted(_ setting: String?) -> String { setting.map { JSONText.quoted($0) } ?? "null" }
}
