// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

extension CommandExamples {
    /// Titles, tags, notebooks and templates.
    static let order: [String: [CommandExample]] = [
        "title": [
            CommandExample("vault title k7 \"Shopping list\"", "Set a note's title."),
            CommandExample("vault title k7 --clear", "Use its first line as the title again."),
        ],
        "tag": [
            CommandExample("vault tag k7 urgent home", "Give a note two tags."),
            CommandExample("vault tag ls", "See all tags."),
        ],
        "tag add": [
            CommandExample("vault tag add k7 urgent", "Give a note a tag.")
        ],
        "untag": [
            CommandExample("vault untag k7 urgent", "Remove a tag.")
        ],
        "mv": [
            CommandExample("vault mv k7 p3 work/2026", "Move two notes to a notebook."),
            CommandExample("vault mv k7 /", "Take a note out of its notebook."),
        ],
        "pin": [
            CommandExample("vault pin k7", "Pin a note to the top of lists.")
        ],
        "unpin": [
            CommandExample("vault unpin k7", "Unpin it.")
        ],
        "archive": [
            CommandExample("vault archive k7", "Archive a note; search still finds it.")
        ],
        "unarchive": [
            CommandExample("vault unarchive k7", "Show it in lists again.")
        ],
        "dup": [
            CommandExample("vault dup k7", "Make a copy of a note.")
        ],
        "merge": [
            CommandExample("vault merge k7 p3", "Add the text of the second note to the first."),
            CommandExample("vault merge k7", "Merge the two versions of a note that was changed in two places."),
        ],
        "tag ls": [
            CommandExample("vault tag ls", "See all tags, and how many notes have each.")
        ],
        "tag rename": [
            CommandExample("vault tag rename urgnet urgent", "Rename a tag on all notes.")
        ],
        "tag merge": [
            CommandExample("vault tag merge todo urgent", "Replace the first tag with the second on all notes.")
        ],
        "notebook ls": [
            CommandExample("vault notebook ls", "See all notebooks, and how many notes are in each.")
        ],
        "notebook mv": [
            CommandExample("vault notebook mv work/2025 archive/2025", "Rename a notebook, with everything below it.")
        ],
        "notebook rm": [
            CommandExample("vault notebook rm old", "Delete a notebook, keep its notes."),
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
