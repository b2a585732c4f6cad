// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// A command line that can be typed as it stands, and what it does.
package struct CommandExample: Sendable, Equatable {
    package let line: String
    package let meaning: String

    init(_ line: String, _ meaning: String) {
        self.line = line
        self.meaning = meaning
    }
}

/// Examples for every command, for its help and its manual page.
///
/// They are kept apart from the commands' definitions, which a parser builds on each run: only help pays for them. `k7` stands for
/// the beginning of a note's identifier throughout.
enum CommandExamples {
    /// Examples of the command at a path below `vault`.
    static func of(_ path: [String]) -> [CommandExample] { table[path.joined(separator: " ")] ?? [] }

    /// By the command's path in one string.
    static let table: [String: [CommandExample]] = program.merging(notes) { first, _ in first }.merging(order) { first, _ in first }
        .merging(history) { first, _ in first }.merging(attachments) { first, _ in first }.merging(keys) { first, _ in first }
        .merging(export) { first, _ in first }.merging(imports) { first, _ in first }

    static let program: [String: [CommandExample]] = [
        "": [
            CommandExample("vault init", "Create a vault, once."),
            CommandExample("vault unlock", "Open it until it locks."),
            CommandExample("vault new \"buy milk\"", "Write a note."),
            CommandExample("vault search milk", "Find it again."),
        ],
        "init": [
            CommandExample("vault init", "Create a vault in the default place; the recovery key is shown once."),
            CommandExample("vault --vault ~/work.vault init", "Create another one in a directory of your choice."),
            CommandExample("vault init --recovery-file usb/key.txt", "Write the recovery key to a new file instead of the screen."),
        ],
        "unlock": [
            CommandExample("vault unlock", "Open the vault; it locks after 15 minutes without a command."),
            CommandExample("vault unlock --idle 1h --max 12h", "Keep it open longer."),
            CommandExample("vault unlock --recovery", "Open it with the recovery key when the password is lost."),
        ],
        "lock": [
            CommandExample("vault lock", "Lock the vault now."),
            CommandExample("vault lock --all", "Lock every vault that you have open."),
        ],
        "status": [
            CommandExample("vault status", "See whether the vault is unlocked, and when it locks."),
            CommandExample("vault --json status", "The same for a script."),
        ],
        "check": [
            CommandExample("vault check", "Read and verify every note."),
            CommandExample("vault check --rebuild-index", "Also rebuild the search index."),
        ],
        "doctor": [
            CommandExample("vault doctor", "See whether this machine is set up well."),
            CommandExample("vault doctor --security", "Look more closely at permissions, swap, core dumps and the cost of the password."),
        ],
        "config get": [
            CommandExample("vault config get date-style", "Print one setting.")
        ],
        "config set": [
            CommandExample("vault config set date-style iso", "Write dates in lists as 2026-01-31.")
        ],
        "config unset": [
            CommandExample("vault config unset date-style", "Go back to the default.")
        ],
        "config ls": [
            CommandExample("vault config ls", "See all settings, and where each comes from.")
        ],
        "config path": [
            CommandExample("vault config path", "Print where the settings file is.")
        ],
        "config edit": [
            CommandExample("vault config edit", "Open the settings in your editor.")
        ],
        "completion": [
            CommandExample("vault completion bash", "Print the script for bash."),
            CommandExample("vault completion bash > ~/.local/share/bash-completion/completions/vault", "Install it for bash."),
            CommandExample("vault completion zsh > \"${fpath[1]}/_vault\"", "Install it for zsh."),
            CommandExample("vault completion fish > ~/.config/fish/completions/vault.fish", "Install it for fish."),
        ],
        "about": [
            CommandExample("vault about", "See which methods protect your notes, and where to ask for help.")
        ],
        "version": [
            CommandExample("vault version", "Print the version, for a bug report.")
        ],
    ]
}
