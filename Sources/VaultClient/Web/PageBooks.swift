// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentClient
internal import AgentProtocol
internal import BookServices
internal import Glibc
internal import Presentation
internal import VaultFormat
internal import WebProtocol

/// `PageBooks` does for the page what goes to the network: its server may not. What is looked for comes over standard
/// input, where no other user sees it, and one JSON object is printed, also of a failure.
///
/// Nothing is asked before the owner has agreed to the addresses that the page has shown.
enum PageBooks {
    /// The hidden command: `vault __books ERRAND DIRECTORY`.
    static let command = "__books"
    private static let inputByteCountMax = 4096
    /// Results of each service.
    private static let foundCountMax = 10

    /// `Errand` is what is to be done.
    enum Errand: Equatable {
        case search
        case agree
        case add(BookShelf)

        static let all = [search, agree] + BookShelf.allCases.map { add($0) }

        /// Reads what the server asks for; nil for a shelf that is none.
        init?(_ ask: WebAsk, _ number: UInt8) {
            switch ask {
            case .searchBooks: self = .search
            case .agreeToBooks: self = .agree
            case .addBook:
                guard let shelf = BookShelf(rawValue: number) else { return nil }
                self = .add(shelf)
            case .agent, .newAgent, .kind, .strip, .parsed, .tokenUsed, .code, .doctor, .keys, .settings, .export,
                .importFile, .dictation, .ended, .signIn:
                return nil
            }
        }

        var word: String {
            switch self {
            case .search: "search"
            case .agree: "agree"
            case .add(let shelf): "add-\(shelf.name)"
            }
        }
    }

    /// Runs the hidden command.
    ///
    /// - Returns: the exit code that `vault book` would end with.
    static func run(_ words: [String]) -> Int32 {
        // Whoever reads the answer may have gone.
        signal(SIGPIPE, SIG_IGN)
        guard words.count == 2, let errand = Errand.all.first(where: { $0.word == words[0] }),
            let bytes = try? FileBytes.read(0, max: inputByteCountMax),
            let input = String(validating: bytes, as: UTF8.self)
        else { return Int32(ExitCode.usage.rawValue) }
        var options = GlobalOptions()
        (options.vault, options.noInput, options.quiet) = (words[1], true, true)
        do throws(ClientFailure) {
            let context = Context(options: options)
            let answer = try Session.with(context) { conversation throws(ClientFailure) in
                try perform(errand, input, &conversation, context)
            }
            _ = Streams.writeAll(answer.encoded, to: 1)
            return 0
        } catch {
            _ = Streams.writeAll(JSONText.failure(error.outcome).encoded, to: 1)
            return Int32(error.outcome.code.rawValue)
        }
    }

    private static func perform(
        _ errand: Errand, _ input: String, _ conversation: inout Conversation, _ context: Context
    ) throws(ClientFailure) -> JSONText {
        let prepared = try BookServiceOptions.prepared(&conversation, context)
        let addresses = JSONText.array(prepared.lookup.addresses.split(separator: "\n").map { .string(String($0)) })
        if errand == .agree {
            // The settings may have changed since they were shown: then those of now are shown first.
            guard input == prepared.lookup.addresses else { return .object([("asks", addresses)]) }
            try Session.require(try conversation.ask(AgreeToBookService(addresses: input)).outcome)
            return .object([])
        }
        guard prepared.isAgreed else { return .object([("asks", addresses)]) }
        guard case .add(let shelf) = errand else {
            let found = try prepared.lookup.search(ServiceQuery(input), count: foundCountMax, over: &conversation)
            return FoundBooks.json(found)
        }
        return try add(input, shelf, prepared.lookup, &conversation, context)
    }

    private static func add(
        _ volume: String, _ shelf: BookShelf, _ lookup: BookLookup, _ conversation: inout Conversation,
        _ context: Context
    ) throws(ClientFailure) -> JSONText {
        let book = try FoundBooks.chosen(volume, lookup, &conversation, context)
        let add = BookAdding.request(book, shelf)
        let added = try BookAdding.add(add, book, lookup, &conversation)
        try Session.require(added.outcome)
        var answer: [(key: String, value: JSONText)] = [("id", .string(added.book.note.id))]
        if let trouble = added.trouble {
            answer.append(("message", .string(trouble.message)))
            answer.append(("hint", .string(trouble.hint)))
        }
        return .object(answer)
    }
}
