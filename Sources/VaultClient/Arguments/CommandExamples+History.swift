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
            CommandExample("vault diff k7 | less", "In a pipe, it is a plain unified diff."),
        ],
        "revert": [
            CommandExample("vault revert k7 @3", "Bring back a revision; the present one stays in the history.")
        ],
        "undo": [
            CommandExample("vault undo", "Undo the last change; run it again to undo the one before."),
            CommandExample("vault undo -n 3", "Undo the last three commands."),
        ],
        "redo": [
            CommandExample("vault redo", "Redo what the last undo undid."),
            CommandExample("vault redo -n 3", "Redo what the last three undos undid."),
        ],
        "gc": [
            CommandExample("vault gc --dry-run", "See which old revisions would be deleted."),
            CommandExample("vault gc", "Delete them, after confirmation."),
        ],
        "draft ls": [
            CommandExample("vault draft ls", "See unfinished edits."),
            CommandExample("vault draft ls --all", "Also those discarded since yesterday."),
        ],
        "draft show": [
            CommandExample("vault draft show k7", "Read what the editor had saved.")
        ],
        "draft resume": [
            CommandExample("vault draft resume k7", "Continue the unfinished edit.")
        ],
        "draft save": [
            CommandExample("vault draft save k7", "Save what the editor had saved as the note.")
        ],
        "draft discard": [
            CommandExample("vault draft discard k7", "Discard a draft; it is kept for a day.")
        ],
    ]
}
