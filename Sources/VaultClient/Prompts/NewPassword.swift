// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentProtocol
internal import SecretMemory

/// Gets the password of a new vault: typed twice, and questioned when it is weak.
enum NewPassword {
    /// - Throws: `.aborted` when the two never agree or a weak one is taken back.
    static func get(_ context: Context) throws(ClientFailure) -> SecretBytes {
        let source = try PasswordSource(context.options)
        guard source != .terminal || !context.options.noInput else {
            throw ClientFailure(
                .locked, "a password is needed and --no-input was given",
                hint: "--password-file F, --password-fd N or NOTEVAULT_ASKPASS")
        }
        return try get(source, prompt: "New password: ")
    }

    /// - Parameter source: from anything but a terminal it is read once.
    static func get(_ source: PasswordSource, prompt: String) throws(ClientFailure) -> SecretBytes {
        guard source == .terminal else {
            let password = try source.read(prompt: prompt)
            for weakness in PasswordStrength.weaknesses(of: password) {
                Streams.warn("the password is weak: \(weakness.rawValue)")
            }
            return password
        }
        return try ask(prompt)
    }

    private static func ask(_ question: String) throws(ClientFailure) -> SecretBytes {
        for _ in 0..<3 {
            let password = try prompt(question)
            guard try keeps(password) else { continue }
            let again = try prompt("The same again: ")
            if password.matches(again) { return password }
            Streams.say("vault: the two are not the same")
        }
        throw ClientFailure(
            .aborted, "no password was set", hint: "a sentence of five or more random words is strong and easy to keep")
    }

    private static func keeps(_ password: borrowing SecretBytes) throws(ClientFailure) -> Bool {
        let weaknesses = PasswordStrength.weaknesses(of: password)
        guard !weaknesses.isEmpty else { return true }
        for weakness in weaknesses { Streams.warn("the password is weak: \(weakness.rawValue)") }
        return try Confirmation.ask("Use it all the same?")
    }

    private static func prompt(_ text: String) throws(ClientFailure) -> SecretBytes {
        try PasswordSource.terminal.read(prompt: text)
    }
}
