// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentClient
internal import AgentProtocol

/// `TagGroup` is the heading `vault tag`.
enum TagGroup: CommandGroup {
    static let name = "tag"
    static var spec: Spec {
        Spec(
            "Tag a note, or manage tags.",
            examples: [
                "vault tag k7 urgent home": "Give a note two tags.",
                "vault tag ls": "See all tags.",
            ])
    }
    static var commands: CommandList {
        [TagAddCommand.self, TagListCommand.self, TagRenameCommand.self, TagMergeCommand.self]
    }
    static var standard: (any Command.Type)? { TagAddCommand.self }
}

struct TagAddCommand: Command {
    static let name = "add"
    static var spec: Spec {
        Spec(
            "Tag a note; the word 'add' may be left out.",
            examples: ["vault tag add k7 urgent": "Give a note a tag."])
    }
    var id = ""
    var tag: [String] = []

    mutating func declare(_ list: inout ArgumentList) {
        list.word(&id, "id", "The note.")
        list.words(&tag, "tag", "The tags.")
    }

    func run(_ context: Context) throws(ClientFailure) -> Outcome {
        try context.modify([id], .tag(tag.map(TagWord.name)))
    }
}

struct TagListCommand: Command {
    static let name = "ls"
    static var spec: Spec {
        Spec(
            "List all tags, and how many notes have each.",
            examples: ["vault tag ls": "See all tags, and how many notes have each."])
    }

    func run(_ context: Context) throws(ClientFailure) -> Outcome { try context.send(ListTags()) }
}

struct TagRenameCommand: Command {
    static let name = "rename"
    static var spec: Spec {
        Spec(
            "Rename a tag, and all tags below it.",
            discussion: "If there is already a tag of that name, the two become one.",
            examples: ["vault tag rename urgnet urgent": "Rename a tag on all notes."])
    }
    var old = ""
    var new = ""

    mutating func declare(_ list: inout ArgumentList) {
        list.word(&old, "old", "The tag.")
        list.word(&new, "new", "Its new name.")
    }

    func run(_ context: Context) throws(ClientFailure) -> Outcome {
        try context.send(RenameTag(from: [old], to: new))
    }
}

struct TagMergeCommand: Command {
    static let name = "merge"
    static var spec: Spec {
        Spec(
            "Merge several tags into the last one named.",
            examples: ["vault tag merge todo urgent": "Replace the first tag with the second on all notes."])
    }
    var tag: [String] = []

    mutating func declare(_ list: inout ArgumentList) {
        list.words(&tag, "tag … into", "The tags; the last one stays.")
    }

    var complaint: String? {
        if tag.count < 2 { return "at least two tags are needed" }
        return nil
    }

    func run(_ context: Context) throws(ClientFailure) -> Outcome {
        // One name alone would be a renaming; twice it is the same merge.
        let old = Array(tag.dropLast())
        return try context.send(RenameTag(from: old.count == 1 ? old + old : old, to: tag[tag.count - 1]))
    }
}

/// `TagWord` is a tag as somebody types it: `+work` as in `new`, `#work` as in a text, or `work`.
enum TagWord {
    static func name(_ word: String) -> String {
        let name = word.drop { $0 == "+" || $0 == "#" }
        return name.isEmpty ? word : String(name)
    }
}
