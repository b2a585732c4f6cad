// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

public import AgentProtocol
internal import Glibc

/// The system's words for an error number, in lower case as all messages are.
public enum SystemError {
    public static func text(_ number: Int32) -> String { unsafe String(cString: strerror(number)).lowercased() }

    /// A call that failed: what was to be done, why not, and what to type where that is known.
    public static func failure(_ what: String, _ number: Int32, _ code: ExitCode = .other) -> ClientFailure {
        guard let refusal = SystemRefusal(number) else { return ClientFailure(code, "\(what): \(text(number))") }
        return ClientFailure(code, "\(what): \(refusal.message)", hint: refusal.hint)
    }
}
