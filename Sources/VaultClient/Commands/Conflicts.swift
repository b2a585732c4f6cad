// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentClient
internal import AgentProtocol
internal import Presentation

/// `ConflictGroup` is the heading `vault conflict`.
enum ConflictGroup: CommandGroup {
    static let name = "conflict"
    static var spec: Spec {
        Spec(
            "See and resolve notes that have several versions.",
            discussion: """
                A note has several versions when it was changed in two places and the changes do not fit together. \
                One of them is shown, and none is lost: whatever is decided, all stay in the note's history, and \
                'vault undo' makes them versions again.
                """,
            examples: [
                "vault conflict ls": "See which notes have several versions.",
                "vault conflict show k7": "See how they differ.",
                "vault conflict resolve k7 --merge": "Make one text of them.",
            ])
    }
    static var commands: CommandList {
        [ConflictListCommand.self, ConflictShowCommand.self, ConflictResolveCommand.self]
    }
}

struct ConflictListCommand: Command {
    static let name = "ls"
    static var spec: Spec {
        Spec(
            "List notes with several versions, when each was made, and by which device.",
            discussion: """
                In a pipe there is a line for each version: the note's identifier, how many versions it has, the \
                revision, its time, its device, 'this' or 'other' device, 'shown' or 'hidden', and the title.
                """,
            examples: ["vault conflict ls": "See which notes have several versions."])
    }

    mutating func declare(_ list: inout ArgumentList) {}

    func run(_ context: Context) throws(ClientFailure) -> Outcome { try context.send(ListConflicts()) }
}

struct ConflictShowCommand: Command {
    static let name = "show"
    static var spec: Spec {
        Spec(
            "Show how the versions of a note differ.",
            discussion: """
                Each version is compared with the one that is shown: word by word on a terminal, as unified diffs in a \
                pipe. 'vault diff' compares any two.
                """,
            examples: ["vault conflict show k7": "See how the versions differ."])
    }
    var id = ""

    mutating func declare(_ list: inout ArgumentList) {
        list.word(&id, "id", "The note.")
    }

    func run(_ context: Context) throws(ClientFailure) -> Outcome {
        try context.send(
            ShowConflict(
                ref: NameCheck.short(id, "ID"), byWord: context.style.isTerminal && !context.options.json))
    }
}

struct ConflictResolveCommand: Command {
    static let name = "resolve"
    static var spec: Spec {
        Spec(
            "Make one version of a note, or several notes.",
            discussion: """
                With --keep one version is the note from now on. With --both the one that is shown stays the note, \
                and each other one becomes a note of its own; attachments stay with the first note. With --merge they \
                are merged; where they conflict, an editor shows both.
                """,
            examples: [
                "vault conflict resolve k7 --keep 3f9a2c": "Keep one version; the others stay in the history.",
                "vault conflict resolve k7 --both": "Make a second note of the other version.",
                "vault conflict resolve k7 --merge": "Make one text of them.",
            ])
    }
    var id = ""
    var keep: String?
    var both = false
    var merge = false
    var editor = EditorOptions()

    mutating func declare(_ list: inout ArgumentList) {
        list.word(&id, "id", "The note.")
        list.option(
            &keep, "keep", value: "revision", "The version to keep, by the beginning of its revision, or @N.")
        list.flag(&both, "both", "Keep all versions, each as a note of its own.")
        list.flag(&merge, "merge", "Merge the versions; the same as 'vault merge ID'.")
        editor.declare(&list)
    }

    var complaint: String? {
        [keep != nil, both, merge].count { $0 } == 1 ? nil : "say one of --keep REVISION, --both and --merge"
    }

    func run(_ context: Context) throws(ClientFailure) -> Outcome {
        let id = try NameCheck.short(id, "ID")
        if merge { return try EditCommand.run(.heads(ref: id), editor, context) }
        if let keep, keep.utf8.count > ResolveConflict.keptByteCountMax {
            throw .tooLong(keep, "revision", count: keep.utf8.count, max: ResolveConflict.keptByteCountMax)
        }
        return try context.send(ResolveConflict(ref: id, keeping: keep))
    }
}
