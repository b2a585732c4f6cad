// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentProtocol
internal import VaultClient

/// `SettingsManual` makes the manual page of the settings file, `notevault-config(5)`, from the table that
/// `vault config` uses.
enum SettingsManual {
    static let name = "notevault-config"

    static var text: String {
        var roff = RoffPage(name: name, section: 5, version: "vault " + Frame.programVersion, manual: "File Formats")
        roff.section("NAME")
        roff.line(Roff.escaped(name) + " \\- " + Roff.escaped("settings of vault"))
        roff.section("SYNOPSIS")
        roff.line(Roff.italic("~/.config/notevault/config.toml"))
        roff.section("DESCRIPTION")
        roff.prose(description)
        roff.section("SETTINGS")
        for key in SettingKey.allCases {
            let standard = key.standard.map { "The default is \"\($0)\"." } ?? "There is no default."
            roff.item(Roff.bold(key.rawValue), "\(sentence(key.meaning)) It takes \(key.expectation). \(standard)")
        }
        roff.section("EXAMPLES")
        roff.prose(example)
        roff.section("FILES")
        roff.item(Roff.italic("$XDG_CONFIG_HOME/notevault/config.toml"), "The settings, when XDG_CONFIG_HOME is set.")
        roff.section(Roff.quoted("SEE ALSO"))
        roff.line(Roff.reference("vault-config", 1) + ",")
        roff.line(Roff.reference("vault", 1))
        roff.section("BUGS")
        CommandManual.support(&roff)
        return roff.text
    }

    private static let description = """
        The file is TOML 1.0 and holds at most 64 KiB. A setting with a dot in its name stands in a table: lock.idle is idle in [lock]. Options of a \
        command override the environment, which overrides the file.

        The file is refused when others can write to it, and when it is in a vault's folder: a program that can write there could otherwise name the \
        editor that is run. vault config set, unset and edit change the file and keep its comments; vault config ls shows each setting with its \
        origin.
        """

    private static let example = """
          editor = "nvim"
          color = "never"

          [lock]
          idle = "5m"
          max = "10h"

          [daily]
          notebook = "Journal"
        """

    private static func sentence(_ words: String) -> String { words.prefix(1).uppercased() + words.dropFirst() + "." }
}
