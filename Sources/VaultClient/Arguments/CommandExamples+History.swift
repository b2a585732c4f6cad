// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

extension CommandExamples {
    /// Revisions and drafts.
    static let history: [String: [CommandExample]] = [
        "history": [
            CommandExample("vault history k7", "See the revisions of a note, newest first.")
        ],
        "diff": [
            CommandExample("vault diff k7", "See what the last change changed."),
            CommandExample("vault diff k7 @5 @0", "Compare two revisions, the older one first."),
            CommandExample("vault diff k7 | less", "In a pipe it is a plain unified diff."),
        ],
        "revert": [
            CommandExample("vault revert k7 @3", "Bring a revision back; what is there now stays in the history.")
        ],
        "undo": [
            CommandExample("vault undo", "Take the last change back; once more takes back the one before."),
            CommandExample("vault undo -n 3", "Take back what the last three commands did."),
        ],
        "redo": [
            CommandExample("vault redo", "Bring back what the last undo took back."),
            CommandExample("vault redo -n 3", "Bring back what the last three undos took back."),
        ],
        "gc": [
            CommandExample("vault gc --dry-run", "See which old revisions would be dropped."),
            CommandExample("vault gc", "Drop them, after a question."),
        ],
        "draft ls": [
            CommandExample("vault draft ls", "See edits that were cut short."),
            CommandExample("vault draft ls --all", "Also those thrown away since yesterday."),
        ],
        "draft show": [
            CommandExample("vault draft show k7", "Read what the editor had saved.")
        ],
        "draft resume": [
            CommandExample("vault draft resume k7", "Go on where the edit was cut short.")
        ],
        "draft save": [
            CommandExample("vault draft save k7", "Make what the editor had saved the note, as it is.")
        ],
        "draft discard": [
            CommandExample("vault draft discard k7", "Throw a draft away; it is kept for a day.")
        ],
    ]
}
