// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentProtocol
internal import Dates
internal import TerminalText

/// Says of a remote whose service ends sign-ins by itself when that will be. The day is reckoned from when the sign-in
/// was given to the vault, so it may be earlier.
extension RemoteRow {
    /// How long before its end a sign-in is warned of, in milliseconds: seven days.
    private static let warnedBefore: Int64 = 7 * 86_400_000

    /// Returns the words that follow on a remote's line, empty where nobody can say.
    func signInEnd(on page: Page) -> String {
        signInEnds == 0 ? "" : "; signed in until about \(page.clock.text(signInEnds))"
    }

    /// Returns what its owner has to do soon, nil where there is nothing.
    func signInWarning(on page: Page) -> String? {
        guard signInEnds != 0, page.clock.now > signInEnds - Self.warnedBefore else { return nil }
        let name = SafeText.singleLine(name)
        let ends = page.clock.now < signInEnds ? "ends about \(page.clock.text(signInEnds))" : "has ended, or will soon"
        return "Apple's sign-in for '\(name)' \(ends): vault remote login \(name) renews it"
    }
}
