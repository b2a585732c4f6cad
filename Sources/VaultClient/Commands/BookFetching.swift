// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentClient
internal import AgentProtocol
internal import BookServices
internal import Glibc
internal import ParserProtocol
internal import Presentation
internal import SecretMemory
internal import VaultFormat

struct BookSearchCommand: Command {
    static let name = "search"
    static var spec: Spec {
        Spec(
            "Search book services by title, author or ISBN.",
            discussion: """
                It asks Google Books and Open Library at once. They learn what you search for and the address of \
                this machine, and nothing else; nothing is asked before you have agreed once. 'vault book add' takes \
                the identifier at the end of each result.
                """,
            examples: [
                "vault book search dune herbert": "Search by words of title and author.",
                "vault book search 9780441013593": "Search by ISBN.",
                "vault book search --author \"Ursula K. Le Guin\"": "Search by author alone.",
            ])
    }
    var words: [String] = []
    var options = BookServiceOptions()
    var limit: UInt32 = 10

    mutating func declare(_ list: inout ArgumentList) {
        list.words(&words, "word", "What to search for; '-' reads it from standard input.", needed: false)
        list.option(&limit, "limit", letter: "n", "Results of each service, at most 40.")
        options.declare(&list)
    }

    func run(_ context: Context) throws(ClientFailure) -> Outcome {
        let query = ServiceQuery(
            try BookServiceOptions.words(words, context), title: options.title ?? "", author: options.author ?? "")
        return try Session.with(context) { conversation throws(ClientFailure) in
            let lookup = try options.lookup(&conversation, context)
            let found = try lookup.search(query, count: Int(min(limit, 40)), over: &conversation)
            try FoundBooks.show(found, context)
            return try FoundBooks.outcome(of: found)
        }
    }
}

struct BookAddCommand: Command {
    static let name = "add"
    static var spec: Spec {
        Spec(
            "Add a book from a book service, or by hand.",
            discussion: """
                A volume is an ID from 'vault book search', an ISBN, or words: on a terminal you choose from what \
                is found. The book and its cover are then in the vault, and shown without a network.
                """,
            examples: [
                "vault book add google:zyTCAlFPjgYC --to reading": "Add a book that a search has found.",
                "vault book add 9780441013593": "Add it by its ISBN, to the wishlist.",
                "vault book add --manual \"Dune\" --author \"Frank Herbert\" --to reading":
                    "Add a book by hand; no service is asked.",
            ])
    }
    var volume: [String] = []
    var manual = false
    var to = ShelfChoice.wishlist
    var tags: [String] = []
    var noCover = false
    var agrees = false
    var options = BookFactOptions()

    mutating func declare(_ list: inout ArgumentList) {
        list.words(
            &volume, "volume", "The volume, an ISBN or words; '-' reads standard input; with --manual the title.")
        list.flag(&manual, "manual", "Ask no service.")
        list.option(&to, "to", "The shelf that it goes to.")
        list.option(&tags, "tag", letter: "t", "A tag; may be given more than once.")
        list.flag(&noCover, "no-cover", "Do not fetch its cover.")
        list.flag(&agrees, "agree", "Agree to ask the services, without being asked.")
        options.declare(&list)
    }

    func run(_ context: Context) throws(ClientFailure) -> Outcome {
        let words = manual ? volume.joined(separator: " ") : try BookServiceOptions.words(volume, context)
        var add = AddBook()
        add.shelf = to.shelf
        for tag in tags { add.tags.append(try NameCheck.short(tag, "tag")) }
        if manual {
            add.title = try NameCheck.short(words, "title")
            add.facts = try options.facts(context)
            return try context.send(add)
        }
        return try Session.with(context) { conversation throws(ClientFailure) in
            var service = BookServiceOptions()
            service.agrees = agrees
            let lookup = try service.lookup(&conversation, context)
            let book = try FoundBooks.chosen(words, lookup, &conversation, context)
            var found = BookAdding.request(book, add.shelf, try options.facts(context))
            found.tags = add.tags
            return try BookAdding.run(found, book, noCover ? nil : lookup, &conversation)
        }
    }
}

struct BookKeyCommand: Command {
    static let name = "key"
    static var spec: Spec {
        Spec(
            "Keep a key for Google Books in the vault.",
            discussion: """
                Without a key, you share the daily limit of Google Books with everyone. Your own key is free: make \
                one at console.cloud.google.com, and enable the Books API for it. The key is asked for, or read from \
                standard input.
                """,
            examples: [
                "vault book key": "Set a key, or another one.",
                "vault book key --remove": "Remove it.",
                "vault book key --show": "See which services are asked, and whether there is a key.",
                "vault book key --ask-none": "Ask no service until you agree again.",
            ])
    }
    var remove = false
    var show = false
    var askNone = false

    mutating func declare(_ list: inout ArgumentList) {
        list.flag(&remove, "remove", "Remove the key.")
        list.flag(&show, "show", "Say what is asked, and whether there is a key.")
        list.flag(&askNone, "ask-none", "Withdraw your consent to ask services.")
    }

    var complaint: String? {
        [remove, show, askNone].count { $0 } > 1 ? "only one of --remove, --show and --ask-none can be given" : nil
    }

    func run(_ context: Context) throws(ClientFailure) -> Outcome {
        if show { return try context.send(ShowBookService()) }
        if askNone { return try context.send(AgreeToBookService(addresses: "")) }
        return try Session.with(context) { conversation throws(ClientFailure) in
            guard !remove else {
                return try conversation.perform(SetBookKey(), secret: SecretBytes(zeroes: 0))
            }
            let key: SecretBytes
            do throws(PasswordReader.Failure) {
                key =
                    isatty(0) == 1 && !context.options.noInput
                    ? try PasswordReader.ask(prompt: "Key for Google Books: ", echo: false)
                    : try PasswordReader.read(descriptor: 0)
            } catch { throw PasswordSource.failure(error) }
            guard unsafe key.withUnsafeBytes({ unsafe FetchOrder.isKey($0) }) else {
                throw .usage(
                    "not a valid Google Books key", hint: "a key is one word of letters, digits and signs")
            }
            return try conversation.perform(SetBookKey(), secret: key)
        }
    }
}
