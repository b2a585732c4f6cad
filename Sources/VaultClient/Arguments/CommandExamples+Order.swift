// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

extension CommandExamples {
    /// Titles, tags, notebooks and templates.
    static let order: [String: [CommandExample]] = [
        "title": [
            CommandExample("vault title k7 \"Shopping list\"", "Give a note a title."),
            CommandExample("vault title k7 --clear", "Let its first line be the title again."),
        ],
        "tag": [
            CommandExample("vault tag k7 urgent home", "Give a note two tags."),
            CommandExample("vault tag ls", "See all tags."),
        ],
        "tag add": [
            CommandExample("vault tag add k7 urgent", "Give a note a tag.")
        ],
        "untag": [
            CommandExample("vault untag k7 urgent", "Take a tag away.")
        ],
        "mv": [
            CommandExample("vault mv k7 p3 work/2026", "Move two notes to a notebook."),
            CommandExample("vault mv k7 /", "Take a note out of its notebook."),
        ],
        "pin": [
            CommandExample("vault pin k7", "Keep a note at the top of lists.")
        ],
        "unpin": [
            CommandExample("vault unpin k7", "Let it sink again.")
        ],
        "archive": [
            CommandExample("vault archive k7", "Put a note out of the list; search still finds it.")
        ],
        "unarchive": [
            CommandExample("vault unarchive k7", "Bring it back into lists.")
        ],
        "dup": [
            CommandExample("vault dup k7", "Make a copy of a note.")
        ],
        "merge": [
            CommandExample("vault merge k7 p3", "Add the text of the second note to the first."),
            CommandExample("vault merge k7", "Join the two versions of a note that was changed in two places."),
        ],
        "tag ls": [
            CommandExample("vault tag ls", "See all tags, and how many notes have each.")
        ],
        "tag rename": [
            CommandExample("vault tag rename urgnet urgent", "Give a tag another name on all notes.")
        ],
        "tag merge": [
            CommandExample("vault tag merge todo urgent", "Let notes with the first tag have the second instead.")
        ],
        "notebook ls": [
            CommandExample("vault notebook ls", "See all notebooks, and how many notes are in each.")
        ],
        "notebook mv": [
            CommandExample("vault notebook mv work/2025 archive/2025", "Give a notebook another name, with all below it.")
        ],
        "notebook rm": [
            CommandExample("vault notebook rm old", "Take a notebook away; its notes stay."),
            CommandExample("vault notebook rm old --with-notes", "Move its notes to the trash as well."),
        ],
        "template ls": [
            CommandExample("vault template ls", "See your templates.")
        ],
        "template edit": [
            CommandExample("vault template edit meeting", "Write a template in your editor; a new name makes a new one.")
        ],
        "template rm": [
            CommandExample("vault template rm meeting", "Remove a template.")
        ],
    ]
}
