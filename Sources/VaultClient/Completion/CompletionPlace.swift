// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// `CompletionPlace` is a place on a command line, by the names that stand before it, and what the Tab key offers
/// there.
struct CompletionPlace {
    /// Names from below `vault`, in one string.
    let path: String
    let commands: [(name: String, abstract: String)]
    /// Those of every command are the last.
    let options: [ArgumentDescription]
    let words: [ArgumentDescription]
    /// Whether only the name of a command can follow.
    let needsCommand: Bool

    var ownOptions: [ArgumentDescription] { options.filter { !$0.isGlobal } }

    private init(_ node: CommandNode) {
        let page = CommandPage(node)
        let help = node.path.isEmpty ? [(name: "help", abstract: "Show help.")] : []
        let standard = node.isGroup ? node.command.map { CommandPage($0, node.path + [$0.name]) } : nil
        path = node.path.joined(separator: " ")
        commands = page.sections.flatMap(\.commands) + help
        options = (standard ?? page).ownOptions + page.commonOptions
        words = (standard ?? page).positionals
        needsCommand = node.command == nil
    }

    /// Makes the place behind `vault help`.
    private init(help commands: [(name: String, abstract: String)]) {
        path = "help"
        self.commands = commands.filter { $0.name != "help" } + [("exit-codes", "List the exit codes.")]
        options = GlobalOptions.descriptions
        words = []
        needsCommand = true
    }

    static var all: [CompletionPlace] {
        let root = CompletionPlace(.root)
        return [root, CompletionPlace(help: root.commands)] + CommandNode.all.map(CompletionPlace.init)
    }
}

extension ArgumentDescription {
    /// What the open vault is asked for: `note`, `tag` or `notebook` (`CompletedNames`); nil for what it does not know.
    var named: String? {
        switch name {
        case "id": meaning.hasPrefix("The note") ? "note" : nil
        case "tag", "notebook": name
        default: nil
        }
    }

    /// What is offered for its value, in one word: `file`, `folder`, values with commas between them, or `-` for
    /// nothing. The last word of a command ends in a star when it may be repeated.
    var offer: String {
        let offer: String
        switch completion {
        case .file: offer = "file"
        case .folder: offer = "folder"
        case .nothing: offer = allValues.isEmpty ? named ?? "-" : allValues.joined(separator: ",")
        }
        return kind == .positional && isRepeating ? offer + "*" : offer
    }

    /// `--color=auto,always,never`, for each of its spellings.
    var offers: [String] { kind == .option && offer != "-" ? spellings.map { "\($0)=\(offer)" } : [] }
}
