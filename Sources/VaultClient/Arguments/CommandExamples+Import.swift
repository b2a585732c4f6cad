// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

extension CommandExamples {
    static let imports: [String: [CommandExample]] = [
        "import auto": [
            CommandExample("vault import auto ~/Downloads/export.jex --dry-run", "See what it is, what would be imported, and what would be lost."),
            CommandExample("vault import auto ~/Downloads/export.jex", "Import it."),
        ],
        "import markdown": [
            CommandExample("vault import markdown ~/notes --dry-run", "See what would be imported, and what would be lost."),
            CommandExample("vault import markdown ~/notes", "Import the folder; its folders become notebooks."),
        ],
        "import obsidian": [
            CommandExample("vault import obsidian ~/Obsidian", "Import notes, links and the files that the notes show.")
        ],
        "import joplin": [
            CommandExample("vault import joplin all.jex --report lost.json", "Import it, and keep a list of what could not be carried over.")
        ],
        "import standardnotes": [
            CommandExample("vault import standardnotes backup.zip", "Import a decrypted backup.")
        ],
        "import jrnl": [
            CommandExample("vault import jrnl ~/.local/share/jrnl/journal.txt", "Import a journal."),
            CommandExample("vault import jrnl journal.json", "Import what 'jrnl --format json' has printed."),
            CommandExample("vault import jrnl ~/journal --timezone Europe/Berlin", "Import a diary that was kept in another time zone."),
        ],
        "import pass": [
            CommandExample("vault import pass ~/.password-store", "Import each entry as a private note; one password is set for all of them."),
            CommandExample("vault import pass ~/.passage/store --identity ~/.passage/identities", "Import a passage store."),
        ],
        "import enex": [
            CommandExample("vault import enex recipes.enex", "Import the notebook 'recipes'.")
        ],
        "import json": [
            CommandExample("vault import json export.json", "Import what 'vault export json' has written."),
            CommandExample("vault import json export.json.age --identity ~/key.txt", "Import an export that is encrypted with age."),
        ],
    ]
}
