// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentClient
internal import AgentProtocol
internal import Presentation

/// `Context` holds what every command works with.
struct Context {
    let options: GlobalOptions
    private let loaded: Result<Settings, ClientFailure>

    init(options: GlobalOptions) {
        self.options = options
        do throws(ClientFailure) { loaded = .success(try Settings.load(options)) } catch { loaded = .failure(error) }
    }

    /// Returns the settings, read once.
    ///
    /// - Throws: what is wrong with their file. A command that must work anyway, such as `lock`, does not ask.
    func settings() throws(ClientFailure) -> Settings { try loaded.get() }

    /// The settings, or the defaults when something is wrong with their file.
    var settingsOrDefaults: Settings { (try? loaded.get()) ?? Settings() }

    var reporter: Reporter { Reporter(json: options.json, quiet: options.quiet) }
    var style: PageStyle { Terminal.style(for: options, settingsOrDefaults) }
    var client: ClientTraits {
        var client = Terminal.client(for: options, style)
        client.readsTags = settingsOrDefaults.readsTags
        return client
    }

    func location() throws(ClientFailure) -> VaultLocation { try VaultLocation(options.vault) }

    /// Prints the one object that a command of the client's own prints with --json, or its text.
    func print(json: String, text: String) throws(ClientFailure) {
        if options.json {
            try Streams.write(json + "\n")
        } else if !text.isEmpty {
            reporter.talk(text)
        }
    }
}
