// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

public import AgentProtocol
internal import Glibc

/// `ClientFailure` ends a command: what the caller is told and with which exit code. It never holds a password or a
/// note's text.
public struct ClientFailure: Error, Sendable, Equatable {
    public let outcome: Outcome

    public init(_ code: ExitCode, _ message: String, hint: String = "") {
        outcome = Outcome(code, message, hint: hint)
    }

    public init(_ outcome: Outcome) { self.outcome = outcome }

    /// The agent that was connected to closed the connection without a greeting.
    static let endOfAgent = ClientFailure(
        .other, "the agent ended before it answered", hint: "vault status, then vault unlock")

    /// Makes the failure of a command line that cannot be carried out.
    public static func usage(_ message: String, hint: String = "vault help") -> ClientFailure {
        ClientFailure(.usage, message, hint: hint)
    }

    /// Makes the failure of a text of a command line that is longer than the agent takes.
    ///
    /// - Parameters:
    ///   - text: the text or its first bytes; no secret, for its beginning is shown.
    ///   - what: its name, such as `title`, where that is known.
    public static func tooLong(_ text: String, _ what: String?, count: Int, max: Int) -> ClientFailure {
        let begin = VisibleText.escaped(String(decoding: text.utf8.prefix(24), as: UTF8.self))
        return .usage(
            "\(what.map { "the \($0) " } ?? "")'\(begin)…' is too long: it has \(count) bytes, and \(max) is the limit",
            hint: "shorten it")
    }
}

/// `SystemError` gives the system's words for an error number, in lower case as all messages are.
public enum SystemError {
    public static func text(_ number: Int32) -> String { unsafe String(cString: strerror(number)).lowercased() }

    /// Makes the failure of a system call: what was to be done, why not, and what to type where that is known.
    public static func failure(_ what: String, _ number: Int32, _ code: ExitCode = .other) -> ClientFailure {
        guard let refusal = SystemRefusal(number) else { return ClientFailure(code, "\(what): \(text(number))") }
        return ClientFailure(code, "\(what): \(refusal.message)", hint: refusal.hint)
    }
}
