// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

extension CommandExamples {
    /// Passwords, key files, recovery keys, rotation.
    static let keys: [String: [CommandExample]] = [
        "passwd": [
            CommandExample("vault passwd", "Change the password; the old one is asked for."),
            CommandExample("vault passwd --upgrade", "Keep it, and make it as costly to guess as a new one."),
        ],
        "key": [
            CommandExample("vault key ls", "See what opens the vault."), CommandExample("vault key add --name laptop", "Add a second password."),
        ],
        "key ls": [CommandExample("vault key ls", "Names, dates and costs of all keys.")],
        "key add": [
            CommandExample("vault key add --name laptop", "Add another password."),
            CommandExample("vault key add --name stick --new-key-file /media/stick/vault.key", "Add one that also needs a file on a stick."),
        ],
        "key rm": [CommandExample("vault key rm laptop", "Remove the key called laptop.")],
        "key verify": [CommandExample("vault key verify", "Find out whether you still know a password, and which one it is.")],
        "recovery": [
            CommandExample("vault recovery test", "Prove that the key on paper still works."),
            CommandExample("vault recovery use", "Set a new password with it."),
        ],
        "recovery new": [
            CommandExample("vault recovery new", "Replace the recovery key; the new one is shown once."),
            CommandExample("vault recovery new --page page.pdf", "Also make a printable recovery sheet."),
        ],
        "recovery test": [CommandExample("vault recovery test", "Type the key from paper; nothing is changed.")],
        "recovery use": [CommandExample("vault recovery use", "Set a new password for a forgotten one.")],
        "recovery print": [
            CommandExample("vault recovery print -o page.pdf", "Make a page with the key and its QR code."),
            CommandExample("vault recovery print -o - | lp", "Print it without writing a file."),
        ],
        "rotate": [
            CommandExample("vault rotate --dry-run", "See what there is to re-encrypt, and whether there is room."),
            CommandExample("vault rotate --new-password", "Make a new key and a new password, if somebody may have seen the old one."),
            CommandExample("vault rotate --resume", "Wait for an interrupted rotation to finish."),
        ],
    ]
}
