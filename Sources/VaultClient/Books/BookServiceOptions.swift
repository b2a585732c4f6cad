// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentClient
internal import AgentProtocol
internal import BookServices

/// `BookServiceOptions` holds what a search of book services is told, and sees to it that its owner has agreed.
struct BookServiceOptions: Sendable, Equatable, ArgumentGroup {
    var title: String?
    var author: String?
    var agrees = false

    mutating func declare(_ list: inout ArgumentList) {
        list.option(&title, "title", "Words of the title.")
        list.option(&author, "author", value: "name", "The author.")
        list.flag(&agrees, "agree", "Agree to ask the services, without being asked.")
    }

    /// Reads words of a line, or of standard input, which no other user sees.
    static func words(_ words: [String], _ context: Context) throws(ClientFailure) -> String {
        guard words == ["-"] else { return words.joined(separator: " ") }
        return try TextInput.read(words, context: context)
    }

    /// Prepares the question. Before the first one it is asked whether it may be.
    ///
    /// - Throws: `.locked` where nobody can be asked, `.aborted` for a no.
    func lookup(_ conversation: inout Conversation, _ context: Context) throws(ClientFailure) -> BookLookup {
        let (lookup, isAgreed) = try Self.prepared(&conversation, context)
        guard !isAgreed else { return lookup }
        if !agrees {
            Streams.say(Self.explanation(lookup.addresses))
            try Confirmation.require(
                "Ask them, now and from now on?", refused: "nothing was sent",
                hint: "vault book search --agree WORDS, or vault book add --manual TITLE", context)
        }
        try Session.require(try conversation.ask(AgreeToBookService(addresses: lookup.addresses)).outcome)
        return lookup
    }

    /// Prepares the question, and says whether its owner has agreed to its addresses.
    static func prepared(
        _ conversation: inout Conversation, _ context: Context
    ) throws(ClientFailure) -> (lookup: BookLookup, isAgreed: Bool) {
        let settings = try context.settings()
        var addresses: [BookService: String] = [:]
        addresses[.google] = settings.booksGoogle
        addresses[.openlibrary] = settings.booksOpenLibrary
        var lookup = try BookLookup(country: settings.booksCountry, addresses: addresses)
        let (outcome, replies) = try conversation.ask(ShowBookService())
        try Session.require(outcome)
        let known = replies.first ?? BookServiceStatus()
        lookup.hasKey = known.hasKey
        return (lookup, known.agreed == lookup.addresses)
    }

    private static func explanation(_ addresses: String) -> String {
        let places = addresses.split(separator: "\n").map { "  \(VisibleText.escaped(String($0)))" }
        return """
            vault: a search for books sends what you search for to these services:
            \(places.joined(separator: "\n"))
            They learn your words and the address of this machine, the first one also books.country and the key of
            vault book key, if they are set; and nothing else of the vault. Covers come from books.google.com,
            books.googleusercontent.com, covers.openlibrary.org and archive.org.
            """
    }
}
