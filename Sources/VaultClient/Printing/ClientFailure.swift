// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

public import AgentProtocol

/// Ends a command: what the caller is told and with which exit code. It never holds a password or a note's text.
public struct ClientFailure: Error, Sendable, Equatable {
    public let outcome: Outcome

    public init(_ code: ExitCode, _ message: String, hint: String = "") {
        outcome = Outcome(code, message, hint: hint)
    }

    public init(_ outcome: Outcome) { self.outcome = outcome }

    /// A command line that cannot be carried out.
    static func usage(_ message: String, hint: String = "vault help") -> ClientFailure {
        ClientFailure(.usage, message, hint: hint)
    }
}
