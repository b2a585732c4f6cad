// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentClient
internal import Glibc

/// `ShortForms` are what a line may begin with instead of a command, for what is done ten times a day: a letter, a row
/// of the last list, `-`, or nothing at all.
enum ShortForms {
    /// Letters, and the commands that they stand for.
    static let letters = ["n": "new", "a": "append", "e": "edit", "s": "search", "c": "copy", "d": "daily"]
    /// As the agent counts the rows of a list.
    private static let digitCountMax = 3

    /// Returns the line in full.
    ///
    /// - Parameter hasVault: whether a line of nothing lists notes: somebody is at a terminal, and there is a vault.
    static func expanded(_ arguments: [String], hasVault: () -> Bool) -> [String] {
        guard let first = arguments.first else { return hasVault() ? ["ls"] : [] }
        if let command = letters[first] { return [command] + arguments.dropFirst() }
        return isNote(first) ? ["show"] + arguments : arguments
    }

    private static func isNote(_ word: String) -> Bool {
        let (digits, first) = (word.utf8, word.utf8.first)
        return word == "-"
            || (1...digitCountMax).contains(digits.count) && first != 0x30
                && digits.allSatisfy { (0x30...0x39).contains($0) }
    }

    /// Whether somebody is at a terminal, and has a vault.
    static var hasVault: Bool {
        Terminal.isOutput && isatty(0) == 1 && ((try? VaultLocation(nil))?.hasHeader ?? false)
    }
}
