// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentClient
internal import AgentProtocol
internal import VaultFormat

struct BookAddCommand: Command {
    static let name = "add"
    static var spec: Spec {
        Spec(
            "Add a book, by hand or from a book service.",
            examples: [
                "vault book add --manual \"Dune\" --author \"Frank Herbert\" --to reading": "Add a book by hand."
            ])
    }
    var title = ""
    var manual = false
    var to = ShelfChoice.wishlist
    var tags: [String] = []
    var options = BookFactOptions()

    mutating func declare(_ list: inout ArgumentList) {
        list.word(&title, "volume", "What a search has named, an ISBN, words; with --manual the title.")
        list.flag(&manual, "manual", "Ask no service.")
        list.option(&to, "to", "The shelf that it goes to.")
        list.option(&tags, "tag", letter: "t", "A tag; may be given more than once.")
        options.declare(&list)
    }

    func run(_ context: Context) throws(ClientFailure) -> Outcome {
        var add = AddBook()
        add.title = try NameCheck.short(title, "title")
        add.facts = try options.facts(context)
        (add.shelf, add.tags) = (to.shelf, tags)
        return try context.send(add)
    }
}
