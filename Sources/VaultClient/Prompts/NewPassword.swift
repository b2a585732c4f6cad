// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentClient
internal import AgentProtocol
internal import SecretMemory

/// `NewPassword` gets the password of a new vault: it is typed twice, and questioned when it is weak.
enum NewPassword {
    /// Gets the password from the source that the options name.
    ///
    /// - Throws: `.aborted` when the two never agree or a weak one is taken back.
    static func get(_ context: Context) throws(ClientFailure) -> SecretBytes {
        let source = try PasswordSource(context)
        guard !source.asksSomebody || !context.options.noInput else {
            throw ClientFailure(
                .locked, "a password is needed and --no-input was given",
                hint: "--password-file F, --password-fd N or NOTEVAULT_ASKPASS")
        }
        return try get(source, prompt: "New password: ")
    }

    /// Gets a new password from a source.
    ///
    /// - Parameter source: from anything but a terminal it is read once.
    static func get(_ source: PasswordSource, prompt: String) throws(ClientFailure) -> SecretBytes {
        guard source == .terminal else {
            let password = try source.read(prompt: prompt)
            if source.asksSomebody {
                guard try password.matches(source.read(prompt: "Repeat it: ")) else {
                    throw ClientFailure(.aborted, "the passwords do not match", hint: "try again")
                }
            }
            for weakness in PasswordStrength.weaknesses(of: password) {
                Streams.warn("the password is weak: \(weakness.rawValue)")
            }
            return password
        }
        return try ask(prompt)
    }

    /// Keeps one terminal for all of it: also between its questions nothing that is typed ahead is shown.
    private static func ask(_ question: String) throws(ClientFailure) -> SecretBytes {
        do throws(PasswordReader.Failure) {
            var terminal = try TerminalPrompt()
            for _ in 0..<3 {
                let password = try terminal.ask(question, shows: .nothing)
                guard try keeps(password, &terminal) else { continue }
                let again = try terminal.ask("Repeat it: ", shows: .nothing)
                if password.matches(again) { return password }
                Streams.say("vault: the passwords do not match")
            }
        } catch {
            throw PasswordSource.failure(error)
        }
        throw ClientFailure(
            .aborted, "no password was set", hint: "five or more random words are strong and easy to remember")
    }

    /// Asks whether a weak password is kept. A line that is neither a yes nor a no was meant for another question: it
    /// is asked again, and nothing of it is shown.
    private static func keeps(
        _ password: borrowing SecretBytes, _ terminal: inout TerminalPrompt
    ) throws(PasswordReader.Failure) -> Bool {
        let weaknesses = PasswordStrength.weaknesses(of: password)
        guard !weaknesses.isEmpty else { return true }
        for weakness in weaknesses { Streams.warn("the password is weak: \(weakness.rawValue)") }
        for _ in 0..<3 {
            do throws(PasswordReader.Failure) {
                let answer = try terminal.ask("Use it anyway? [y/N] ", shows: .yesOrNo, dropsTypedAhead: true)
                if unsafe answer.withUnsafeBytes({ unsafe Confirmation.isYes($0) }) { return true }
                if unsafe answer.withUnsafeBytes({ unsafe Confirmation.isNo($0) }) { return false }
            } catch {
                if error == .empty { return false }
                throw error
            }
            Streams.say("vault: type y or n")
        }
        return false
    }
}
