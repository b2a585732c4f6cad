// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentProtocol

/// What every command works with.
struct Context {
    let options: GlobalOptions

    var reporter: Reporter { Reporter(json: options.json, quiet: options.quiet) }
    var presentation: Presentation { Terminal.presentation(for: options) }

    func location() throws(ClientFailure) -> VaultLocation { try VaultLocation(options) }

    /// The one object that a command of the client's own prints with --json, or its text.
    func print(json: String, text: String) throws(ClientFailure) {
        if options.json {
            try Streams.write(json + "\n")
        } else if !text.isEmpty {
            reporter.talk(text)
        }
    }
}
