// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

extension CommandExamples {
    /// Notes for other programs.
    static let export: [String: [CommandExample]] = [
        "export markdown": [
            CommandExample("vault export markdown -o ~/notes", "A folder for Obsidian, in the clear; it asks first."),
            CommandExample("vault export markdown tag:work -o work.tar --plaintext", "Only some notes, as a tar archive, without asking."),
            CommandExample("vault export markdown -o notes.tar.age --passphrase", "The same for all notes, encrypted; age -d opens it."),
        ],
        "export json": [
            CommandExample("vault export json -o notes.json.age --encrypt-to age1…", "Everything with its history, for the owner of a key."),
            CommandExample("vault export json -o - --plaintext | jq .notes[].title", "Look at it without writing a file."),
        ],
        "export html": [CommandExample("vault export html notebook:travel -o travel.html --plaintext", "A page to print or to send.")],
        "export jex": [CommandExample("vault export jex -o notes.jex", "An archive for Joplin.")],
        "export text": [CommandExample("vault export text -o - --plaintext | less", "Read all notes in one go.")],
    ]
}
