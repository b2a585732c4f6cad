// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentClient
internal import AgentProtocol
internal import VaultFormat

extension CommandTree {
    static let organizing = Section(
        title: "Organize",
        entries: [
            .command(TitleCommand.self), .group(TagGroup.self), .command(UntagCommand.self),
            .command(MoveCommand.self), .command(DateCommand.self), .group(NotebookGroup.self),
            .command(PinCommand.self),
            .command(UnpinCommand.self), .command(ArchiveCommand.self), .command(UnarchiveCommand.self),
            .command(DuplicateCommand.self), .command(MergeCommand.self), .command(RemoveCommand.self),
            .command(RestoreCommand.self), .group(TrashGroup.self),
        ])
}

struct TitleCommand: Command {
    static let name = "title"
    static var spec: Spec {
        Spec(
            "Set a note's title.",
            examples: [
                "vault title k7 \"Shopping list\"": "Set a note's title.",
                "vault title k7 --clear": "Use its first line as the title again.",
            ])
    }
    var id = ""
    var words: [String] = []
    var clear = false

    mutating func declare(_ list: inout ArgumentList) {
        list.word(&id, "id", "The note.")
        list.words(&words, "words", "The title.", needed: false)
        list.flag(&clear, "clear", "Remove the title; the first line is used again.")
    }

    func run(_ context: Context) throws(ClientFailure) -> Outcome {
        let title = words.joined(separator: " ")
        guard clear != !title.isEmpty else {
            throw .usage("either a title or --clear is needed", hint: "vault title ID \"Shopping list\"")
        }
        return try context.modify([id], .title(clear ? nil : title))
    }
}

struct DateCommand: Command {
    static let name = "date"
    static var spec: Spec {
        Spec(
            "Set the day on which a note was made.",
            examples: [
                "vault date k7 2026-01-31": "It was written on that day.",
                "vault date - yesterday": "The note seen last.",
            ])
    }
    var id = ""
    var day = ""

    mutating func declare(_ list: inout ArgumentList) {
        list.word(&id, "id", "The note.")
        list.word(&day, "day", "A date such as 2026-01-31, today or yesterday.")
    }

    func run(_ context: Context) throws(ClientFailure) -> Outcome { try context.modify([id], .date(day)) }
}

struct UntagCommand: Command {
    static let name = "untag"
    static var spec: Spec { Spec("Remove tags from a note.", examples: ["vault untag k7 urgent": "Remove a tag."]) }
    var id = ""
    var tag: [String] = []

    mutating func declare(_ list: inout ArgumentList) {
        list.word(&id, "id", "The note.")
        list.words(&tag, "tag", "The tags.")
    }

    func run(_ context: Context) throws(ClientFailure) -> Outcome {
        // A tag that came from elsewhere may begin with such a sign.
        try context.modify([id], .untag(tag + tag.map(TagWord.name).filter { !tag.contains($0) }))
    }
}

struct MoveCommand: Command {
    static let name = "mv"
    static var spec: Spec {
        Spec(
            "Move notes to a notebook.",
            discussion: "A notebook exists as soon as a note is in it; '/' takes notes out of theirs.",
            examples: [
                "vault mv k7 p3 work/2026": "Move two notes to a notebook.",
                "vault mv k7 /": "Take a note out of its notebook.",
            ])
    }
    var words: [String] = []

    mutating func declare(_ list: inout ArgumentList) {
        list.words(&words, "id … notebook", "The notes, then the notebook.")
    }

    func run(_ context: Context) throws(ClientFailure) -> Outcome {
        // As mv(1) does it: the last word is where the others go.
        guard words.count >= 2, let target = words.last else {
            throw .usage(
                "notes and a notebook are needed", hint: "vault mv ID work/2026, or vault mv ID / to take it out")
        }
        return try context.modify(Array(words.dropLast()), .notebook(target))
    }
}

struct PinCommand: Command {
    static let name = "pin"
    static var spec: Spec {
        Spec(
            "Pin notes to the top of the list.",
            examples: ["vault pin k7": "Pin a note to the top of lists."])
    }
    var id: [String] = []

    mutating func declare(_ list: inout ArgumentList) {
        list.words(&id, "id", "The notes.")
    }

    func run(_ context: Context) throws(ClientFailure) -> Outcome { try context.modify(id, .flag(.pinned, true)) }
}

struct UnpinCommand: Command {
    static let name = "unpin"
    static var spec: Spec { Spec("Unpin notes.", examples: ["vault unpin k7": "Unpin it."]) }
    var id: [String] = []

    mutating func declare(_ list: inout ArgumentList) {
        list.words(&id, "id", "The notes.")
    }

    func run(_ context: Context) throws(ClientFailure) -> Outcome { try context.modify(id, .flag(.pinned, false)) }
}

struct ArchiveCommand: Command {
    static let name = "archive"
    static var spec: Spec {
        Spec(
            "Archive notes.",
            discussion: "They are still found by searching, and listed by 'vault ls --archived'.",
            examples: ["vault archive k7": "Archive a note; search still finds it."])
    }
    var id: [String] = []

    mutating func declare(_ list: inout ArgumentList) {
        list.words(&id, "id", "The notes.")
    }

    func run(_ context: Context) throws(ClientFailure) -> Outcome { try context.modify(id, .flag(.archived, true)) }
}

struct UnarchiveCommand: Command {
    static let name = "unarchive"
    static var spec: Spec { Spec("Unarchive notes.", examples: ["vault unarchive k7": "Show it in lists again."]) }
    var id: [String] = []

    mutating func declare(_ list: inout ArgumentList) {
        list.words(&id, "id", "The notes.")
    }

    func run(_ context: Context) throws(ClientFailure) -> Outcome { try context.modify(id, .flag(.archived, false)) }
}

struct DuplicateCommand: Command {
    static let name = "dup"
    static var spec: Spec { Spec("Make a copy of a note.", examples: ["vault dup k7": "Make a copy of a note."]) }
    var id = ""

    mutating func declare(_ list: inout ArgumentList) {
        list.word(&id, "id", "The note.")
    }

    func run(_ context: Context) throws(ClientFailure) -> Outcome { try context.send(DuplicateNote(ref: id)) }
}

struct MergeCommand: Command {
    static let name = "merge"
    static var spec: Spec {
        Spec(
            "Merge notes, or the two versions of one.",
            discussion: """
                With several notes, the texts and tags of the others are added to the first, and the others go to \
                the trash. With one note that has two versions, because it was changed in two places, they are \
                merged; where they conflict, an editor shows both.
                """,
            examples: [
                "vault merge k7 p3": "Add the text of the second note to the first.",
                "vault merge k7": "Merge the two versions of a note that was changed in two places.",
            ])
    }
    var id: [String] = []
    var editor = EditorOptions()

    mutating func declare(_ list: inout ArgumentList) {
        list.words(&id, "id", "The notes.")
        editor.declare(&list)
    }

    func run(_ context: Context) throws(ClientFailure) -> Outcome {
        if id.count > 1 { return try context.send(MergeNotes(refs: NameCheck.references(id))) }
        return try EditCommand.run(.heads(ref: id[0]), editor, context)
    }
}
