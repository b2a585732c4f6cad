// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentClient
internal import Glibc

/// `ShortForms` are what a line may begin with instead of a command, for what is done ten times a day: a letter, a row
/// of the last list, `-`, or nothing at all.
enum ShortForms {
    /// Returns the command that a letter stands for. A dictionary of so few would take a seventh of the time of a whole
    /// command to be made.
    static func command(for word: String) -> String? {
        guard word.utf8.count == 1, let letter = word.utf8.first else { return nil }
        return switch letter {
        case UInt8(ascii: "n"): "new"
        case UInt8(ascii: "a"): "append"
        case UInt8(ascii: "e"): "edit"
        case UInt8(ascii: "s"): "search"
        case UInt8(ascii: "c"): "copy"
        case UInt8(ascii: "d"): "daily"
        default: nil
        }
    }

    /// As the agent counts the rows of a list.
    private static let digitCountMax = 3

    /// Returns the line in full.
    ///
    /// - Parameter hasVault: whether a line of nothing lists notes: somebody is at a terminal, and there is a vault.
    static func expanded(_ arguments: [String], hasVault: () -> Bool) -> [String] {
        guard let first = arguments.first else { return hasVault() ? ["ls"] : [] }
        if let command = command(for: first) { return [command] + arguments.dropFirst() }
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
