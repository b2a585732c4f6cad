// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import VaultClient

/// `Manual` makes all manual pages: of the commands, and of the settings file.
public enum Manual {
    public struct Page: Sendable, Equatable {
        /// Such as `vault-new.1`; the last digit is the section.
        public let file: String
        public let text: String
        /// The folder that it lies in: `man1`.
        public var folder: String { "man" + file.suffix(1) }
    }

    /// The same pages for the same sources, whenever and wherever they are made.
    public static var pages: [Page] {
        let all = CommandPage.all
        let commands = all.map { page in
            Page(file: CommandManual.name(page.path) + ".1", text: CommandManual(page: page, all: all).text)
        }
        return commands + [Page(file: SettingsManual.name + ".5", text: SettingsManual.text)]
    }
}
