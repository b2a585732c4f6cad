// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import Presentation

/// `KeyHelp` names the keys: those of the moment in the last line, all of them on a screen of their own.
enum KeyHelp {
    static let list = [
        ("/", "search"), ("Enter", "read"), ("e", "edit"), ("n", "new"), ("t", "tags"), ("d", "delete"),
        ("u", "take back"),
        ("y", "copy"), ("p", "pin"), ("L", "lock"), ("?", "keys"), ("q", "quit"),
    ]
    static let trash = [("u", "take back"), ("T", "notes"), ("/", "search"), ("?", "keys"), ("q", "quit")]
    static let reading = [
        ("j k", "lines"), ("Space", "screen"), ("e", "edit"), ("y", "copy"), ("L", "lock"), ("?", "keys"),
        ("Esc", "list"),
    ]
    static let help = [("j k", "further"), ("Esc", "list")]
    static let typing = [("Enter", "go on"), ("Esc", "leave"), ("Ctrl-U", "empty")]

    /// What stands behind a semicolon is left out on a narrow screen.
    static let all = [
        ("j k", "next or previous note; arrow keys too"), ("Space b", "next or previous screen; PgDn and PgUp too"),
        ("g G", "the first note, the last one"), ("/", "search while you type; with the filters of vault search"),
        ("Esc", "all notes again"), ("Enter", "read; a private note is opened with its password"),
        ("e", "edit in your editor"), ("n", "a new note in your editor"),
        ("t", "tags; +work adds one, -old takes one away"), ("m", "move to a notebook"), ("r", "set the title"),
        ("p", "pin or unpin"), ("y", "copy the first line below the title to the clipboard"),
        ("d", "move to the trash"),
        ("u", "restore what was deleted here; in the trash, the selected note"), ("T", "the trash, and back"),
        ("Ctrl-L", "redraw the screen"), ("L", "lock the vault, and leave"), ("q", "leave; the vault stays open"),
        ("mouse", "click and wheel; a second click reads, and with Shift the terminal selects text"),
    ]

    /// Returns as many of the keys as fit, the last one always.
    static func line(_ keys: [(String, String)], columns: Int) -> String {
        var shown = keys.map { "\($0.0) \($0.1)" }
        while shown.count > 2, OneLine.columns(of: shown.joined(separator: "  ")) > columns {
            shown.remove(at: shown.count - 3 >= 0 ? shown.count - 3 : 0)
        }
        return shown.joined(separator: "  ")
    }
}
