// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

extension CommandExamples {
    /// Notes for other programs.
    static let export: [String: [CommandExample]] = [
        "export markdown": [
            CommandExample("vault export markdown -o ~/notes", "Write a folder for Obsidian, unencrypted; it asks first."),
            CommandExample("vault export markdown tag:work -o work.tar --plaintext", "Only some notes, as a tar archive, without asking."),
            CommandExample("vault export markdown -o notes.tar.age --passphrase", "The same for all notes, encrypted; age -d opens it."),
        ],
        "export json": [
            CommandExample("vault export json -o notes.json.age --encrypt-to age1…", "Everything with its history, for the owner of a key."),
            CommandExample("vault export json -o - --plaintext | jq .notes[].title", "Look at it without writing a file."),
        ],
        "export html": [CommandExample("vault export html notebook:travel -o travel.html --plaintext", "A page to print or to send.")],
        "export jex": [CommandExample("vault export jex -o notes.jex", "An archive for Joplin.")],
        "export vault": [
            CommandExample("vault export vault -o notes.vault", "Everything in one file, under a password that is asked for."),
            CommandExample("vault export vault -o notes.vault --recovery", "The same, under a recovery key instead of a password."),
            CommandExample("vault export vault -o - | ssh host 'cat > notes.vault'", "Straight to another machine."),
        ],
        "backup": [
            CommandExample("vault backup create /media/disk/notes", "Make a snapshot; the next one copies only what is new."),
            CommandExample("vault --vault ~/again backup restore /media/disk/notes", "Restore the newest one to a new vault."),
        ],
        "backup create": [CommandExample("vault backup create /media/disk/notes", "Make a snapshot in that folder.")],
        "backup verify": [CommandExample("vault backup verify /media/disk/notes", "Prove that the newest snapshot can be restored.")],
        "backup restore": [
            CommandExample("vault backup restore /media/disk/notes", "Restore the vault on a new machine."),
            CommandExample("vault --vault ~/old backup restore notes.vault", "Restore an archive beside the present vault."),
            CommandExample("age -d notes.vault.age | vault backup restore -", "Restore an archive that is encrypted with age."),
        ],
        "backup ls": [CommandExample("vault backup ls /media/disk/notes", "See the snapshots, and which ones open with an old key.")],
        "export text": [CommandExample("vault export text -o - --plaintext | less", "Read all notes in one go.")],
    ]
}
