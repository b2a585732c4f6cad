// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentClient
internal import AgentProtocol

/// `FirstVault` makes a vault for somebody at a terminal who writes the first note and has none: a password, twice, and
/// the note is there.
enum FirstVault {
    /// Makes one where there is none and somebody can be asked; does nothing elsewhere, so that the command says what
    /// is missing.
    static func makeIfMissing(_ context: Context) throws(ClientFailure) {
        let location = try context.location()
        guard !location.hasHeader, !context.options.noInput, !context.options.json, Terminal.canAsk,
            try PasswordSource(context).asksSomebody
        else { return }
        Streams.say("there is no vault yet: creating one in \(location.name). Choose a password for it.")
        var making = InitCommand()
        // A key for a forgotten password is to be written down, which is no part of a first note.
        making.noRecovery = true
        making.isBeside = true
        try making.run(context).require()
        Streams.say(
            "vault: hint: if you forget the password, nothing opens it; vault recovery new makes a key for that")
    }
}
