// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// `ManualReference` says what no command's definition says: the environment and the files of the program.
enum ManualReference {
    struct Entry {
        let term: String
        let meaning: String
        /// A command without which the entry has no meaning; nil when there is none.
        let command: String?

        init(_ term: String, _ meaning: String, only command: String? = nil) {
            self.term = term
            self.meaning = meaning
            self.command = command
        }
    }

    static let environment = [
        Entry("NOTEVAULT_DIR", "The vault's directory when --vault is not given."),
        Entry(
            "NOTEVAULT_ASKPASS",
            "Full path of a program that is run with the prompt as its argument and prints the password."),
        Entry("NO_COLOR", "When set and not empty, no colour is used."),
        Entry("CLICOLOR_FORCE", "When set and neither empty nor 0, colour is used in a pipe too."),
        Entry("TERM", "With the value dumb no colour is used."),
        Entry("COLUMNS", "The width of help, instead of the terminal's."),
        Entry("TZ", "The time zone of dates in lists."),
        Entry("VISUAL", "The editor; it is run without a shell.", only: "edit"),
        Entry("EDITOR", "The editor when VISUAL is not set.", only: "edit"),
        Entry("HOME, XDG_DATA_HOME, XDG_STATE_HOME, XDG_RUNTIME_DIR", "Where the files below are."),
        Entry("XDG_CONFIG_HOME", "Where the settings are.", only: "config"),
        Entry(
            "NOTEVAULT_PASSWORD, NOTEVAULT_PASSPHRASE, VAULT_PASSWORD",
            "Never read, since other programs can see them; a warning says so."),
    ]

    static let files = [
        Entry("~/.local/share/notevault/default", "The vault, below $XDG_DATA_HOME when that is set."),
        Entry(
            "~/.local/state/notevault/pins",
            "Which state of each vault was seen last, below $XDG_STATE_HOME when that is set."),
        Entry("$XDG_RUNTIME_DIR/notevault", "Sockets of the agents that keep vaults unlocked."),
        Entry("~/.config/notevault/config.toml", "Settings, below $XDG_CONFIG_HOME when that is set.", only: "config"),
    ]
}
