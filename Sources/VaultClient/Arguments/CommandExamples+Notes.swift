// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

extension CommandExamples {
    /// Writing, reading and finding notes.
    static let notes: [String: [CommandExample]] = [
        "new": [
            CommandExample("vault new \"buy milk\"", "Write a one-line note."),
            CommandExample("vault new -b work/2026 -t urgent --title Plan \"call Ada\"", "Give it a notebook, a tag and a title."),
            CommandExample("ls | vault new --title Files -", "Keep the output of a program."),
            CommandExample("vault new", "Write a note in your editor."),
            CommandExample("vault new --template meeting --title Monday", "Start from a template."),
            CommandExample("vault new --private --title Codes \"7 3 9\"", "Give it its own password."),
            CommandExample("vault new --attach photo.jpg", "A note with a photo."),
            CommandExample("vault new -- \"- a list\"", "After '--', the text may start with a dash."),
        ],
        "edit": [
            CommandExample("vault edit k7", "Change a note in your editor."),
            CommandExample("EDITOR=nano vault edit k7", "Use another editor this time."),
        ],
        "append": [
            CommandExample("vault append k7 \"and bread\"", "Add a line to the end of a note."),
            CommandExample("date | vault append k7 -", "Add the output of a program."),
        ],
        "replace": [
            CommandExample("vault replace k7 \"buy oat milk\"", "Replace a note's text; the old one stays in its history."),
            CommandExample("sort list.txt | vault replace k7 -", "Take the text from a program."),
        ],
        "show": [
            CommandExample("vault show k7", "Read a note."),
            CommandExample("vault show \"Shopping list\"", "A title works as well as an identifier."),
            CommandExample("vault --json show k7", "Title, tags, dates and text for a script."),
        ],
        "cat": [
            CommandExample("vault cat k7 | wc -w", "Count the words of a note."),
            CommandExample("vault cat k7 > note.txt", "Write its text to a file, unencrypted."),
        ],
        "ls": [
            CommandExample("vault ls", "See pinned notes, and those that changed last."),
            CommandExample("vault ls -b work -t urgent", "Only one notebook and one tag."),
            CommandExample("vault ls --since 7d --sort title", "Notes that changed in the last week, by title."),
            CommandExample("vault ls --long --all", "All notes, with more about each."),
            CommandExample("vault ls --count has:link", "Count the notes that hold a link."),
        ],
        "search": [
            CommandExample("vault search milk bread", "Notes that hold both words."),
            CommandExample("vault search '\"oat milk\"'", "An exact phrase."),
            CommandExample("vault search -n 5 zurich", "The five best; accents and capitals do not matter."),
            CommandExample("vault search tag:work 'created:>2026-01-01'", "Notes with a tag, created after a date."),
            CommandExample("vault search milk OR bread -- -butter", "Either word, but not a third."),
            CommandExample("vault search --regex 'INV-[0-9]{4}'", "Texts that match a pattern."),
            CommandExample("vault search -a --regex 'INV-[0-9]{4}'", "The same for all notes of a vault so large that only the newest are searched."),
        ],
        "rm": [
            CommandExample("vault rm k7 p3", "Move two notes to the trash.")
        ],
        "restore": [
            CommandExample("vault restore k7", "Take a note out of the trash.")
        ],
        "trash ls": [
            CommandExample("vault trash ls", "See what is in the trash.")
        ],
        "trash empty": [
            CommandExample("vault trash empty", "Permanently delete what is in the trash, after confirmation."),
            CommandExample("vault trash empty --yes", "The same in a script."),
        ],
        "daily": [
            CommandExample("vault daily", "Open today's note; it is created if missing."),
            CommandExample("vault daily 2026-01-31", "Open the note of another day."),
        ],
        "links": [
            CommandExample("vault links k7", "See the addresses, dates and notes that a note points to."),
            CommandExample("vault links k7 --open 2", "Open the second one."),
        ],
        "watch": [
            CommandExample("vault watch", "See which notes change, while others write."),
            CommandExample("vault watch -n 1 && make site", "Wait for the next change."),
            CommandExample("vault --json watch --since 120", "Everything since a position that was printed before, for a script."),
        ],
        "backlinks": [
            CommandExample("vault backlinks k7", "See which notes point to this one.")
        ],
        "share": [
            CommandExample("vault share k7 --to clip", "Copy a note; the clipboard is cleared after 45 seconds.")
        ],
    ]
}
