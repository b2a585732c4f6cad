// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentProtocol

/// `vault about` and `vault version`: what this program is. They need no vault.
enum AboutCommand {
    static func version(_ context: Context) throws(ClientFailure) -> Outcome {
        try Streams.write(
            context.options.json ? "{\"schema\":1,\"version\":\"\(Frame.programVersion)\"}\n" : "vault \(Frame.programVersion)\n")
        return Outcome(.ok)
    }

    static func about(_ context: Context) throws(ClientFailure) -> Outcome {
        if context.options.json {
            try Streams.write(
                "{\"schema\":1,\"version\":\"\(Frame.programVersion)\",\"protocol\":\(Frame.protocolVersion),"
                    + "\"format\":1,\"license\":\"Apache-2.0\",\"website\":\(JSONText.quoted(SupportContact.website)),"
                    + "\"email\":\(JSONText.quoted(SupportContact.email))}\n")
            return Outcome(.ok)
        }
        let linked = Terminal.showsLinks
        let website = TerminalLink.text(SupportContact.website, to: SupportContact.website, linked: linked)
        let email = TerminalLink.text(SupportContact.email, to: "mailto:" + SupportContact.email, linked: linked)
        try Streams.write(
            """
            vault \(Frame.programVersion): private notes, encrypted on this machine
              format 1, agent protocol \(Frame.protocolVersion), licence Apache-2.0
              This program holds no keys: vault-agent does, from unlock to lock.
              Keys: Argon2id (libargon2). Notes: XAES-256-GCM (OpenSSL), in SQLite pages that are sealed one by one.
              What is promised, and what is not: SECURITY.md. The file format: docs/format.md.
              Help and news: \(website)
              Mail: \(email)

            """)
        return Outcome(.ok)
    }
}
