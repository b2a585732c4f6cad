// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import BookServices
import Glibc
import ParserProtocol
import Testing

/// What `vault-fetch` makes of a service that answers as it should, as it should not, or not at all.
@Suite(.enabled(if: Programs.system("python3") != nil, "needs python3"))
struct BookFetchTests {
    private static let server = Result { try BookServer() }
    private func server() throws -> BookServer { try Self.server.get() }

    private func ask(_ words: String, _ service: BookService = .google, key: String = "") throws -> Fetched {
        let path = service == .google ? "/volumes?q=" : "/search.json?q="
        return try Fetched(FetchOrder(server().address(path + words), of: service, hasKey: !key.isEmpty), key: key)
    }

    private func cover(_ id: String) throws -> Fetched {
        try Fetched(FetchOrder(coverAt: server().address("/books/content?id=" + id), of: .google))
    }

    private func books(_ fetched: Fetched, _ service: BookService) throws -> [ParsedNote] {
        let parsed = try Command.run(
            [Programs.path("vault-parse"), "books", service.rawValue], environment: [:],
            input: RecordFrame.enclosing(fetched.body))
        #expect(parsed.code == 0 && parsed.err == "")
        return try BookRecord.parse(output: parsed.out).books
    }

    @Test func bothServicesAreReadAndMadeOneList() throws {
        let google = try books(ask("ok"), .google), library = try books(ask("ok", .openlibrary), .openlibrary)
        #expect(google.count == 12 && library.count == 12)
        let merged = BookMerge.merged([google, library])
        #expect(merged.count == 12 && merged.map(\.title) == google.map(\.title))
        #expect(merged.allSatisfy { $0.book?.identifiers.contains { $0.kind == "openlibrary" } == true })
        #expect(try books(ask("nothing"), .google).isEmpty && books(ask("many"), .google).count == 40)
        #expect(try books(ask("isbn:9780441013593", .openlibrary), .openlibrary).map(\.title) == ["Dune"])
    }

    /// A trick of a service, and what comes of it.
    struct Trick: Sendable, CustomTestStringConvertible {
        let name: String
        let outcome: FetchAnswer.Outcome
        var testDescription: String { name }

        init(_ name: String, _ outcome: FetchAnswer.Outcome) { (self.name, self.outcome) = (name, outcome) }
    }

    private static let tricks = [
        Trick("429", .quota(retryAfter: 77)), Trick("403-quota", .quota(retryAfter: 0)),
        Trick("403-country", .refused(.country)), Trick("403-key", .refused(.key)), Trick("400-key", .refused(.key)),
        Trick("403", .refused(.unsaid)), Trick("asks", .refused(.key)), Trick("404", .notFound),
        Trick("503", .failing), Trick("511", .malformed(isPage: true)), Trick("portal", .malformed(isPage: true)),
        Trick("silence", .timedOut), Trick("trickle", .timedOut), Trick("90MB", .tooLarge),
        Trick("90MB-unsaid", .tooLarge), Trick("broken-chunk", .malformed(isPage: false)),
        Trick("long-headers", .malformed(isPage: false)), Trick("cut", .malformed(isPage: false)),
        Trick("closed", .malformed(isPage: false)), Trick("noise", .malformed(isPage: false)),
        Trick("redirect", .elsewhere), Trick("redirect-name", .elsewhere), Trick("redirect-file", .elsewhere),
        Trick("redirect-port", .elsewhere), Trick("redirect-nowhere", .elsewhere), Trick("redirect-again", .elsewhere),
    ]

    @Test(arguments: tricks) func X66aTrickEndsWithItsOutcomeInTime(trick: Trick) throws {
        for fetched in [try ask(trick.name), try cover(trick.name)] {
            #expect(fetched.answer.outcome == trick.outcome)
            #expect(fetched.finished.code == 0 && fetched.finished.err == "" && fetched.body.isEmpty)
            #expect(fetched.finished.seconds < 11)
        }
    }

    @Test func itsTimeIsAllTheTimeThereIs() throws {
        let begun = Clock.seconds
        let order = try FetchOrder(server().address("/volumes?q=trickle"), of: .google, seconds: 1)
        #expect(try Fetched(order).answer.outcome == .timedOut)
        #expect(Clock.seconds - begun < 3)
    }

    /// Each request looks the same, whoever asks: no cookie comes back, and nothing is said of this machine.
    @Test func X65aRequestSaysNoMoreThanItMust() throws {
        let server = try BookServer()
        for path in ["/volumes?q=cookie", "/volumes?q=redirect-cookie", "/volumes?q=ok"] {
            _ = try Fetched(FetchOrder(server.address(path), of: .google))
        }
        let log = try server.log()
        #expect(log.contains("GET /moved HTTP/1.1") && !log.lowercased().contains("cookie:"))
        let headers =
            "\"headers\": [\"Host: 127.0.0.1:\(server.port)\", \"User-Agent: vault\", \"Accept: application/json\"]"
        #expect(log.components(of: headers) == 4 && log.components(of: "\"headers\"") == 4)
    }

    @Test func aKeyIsAHeaderAndNothingElse() throws {
        let server = try BookServer()
        let key = "AIzaNotARealKey-1"
        let order = try FetchOrder(server.address("/volumes?q=ok"), of: .google, hasKey: true)
        let fetched = try Fetched(order, key: key)
        #expect(fetched.answer.outcome == .whole(byteCount: UInt32(fetched.body.count)))
        let log = try server.log()
        #expect(log.components(of: key) == 1 && log.contains("\"X-Goog-Api-Key: \(key)\""))
        // An order that takes none has none, and one that takes a key cannot do without.
        for (order, key) in [
            (order, ""), (order, "a b"), (try FetchOrder(server.address("/x"), of: .openlibrary), key),
        ] {
            let input = RecordFrame.enclosing(order.encoded) + RecordFrame.enclosing(Array(key.utf8))
            let ended = try Command.run([Programs.path("vault-fetch")], environment: [:], input: input)
            #expect(ended.code == 13 && ended.out.isEmpty)
        }
    }

    @Test(arguments: ["truncated", "dimensions", "dot", "garbage"]) func X66aHostileCoverIsNoPicture(id: String) throws
    {
        let fetched = try cover(id)
        let parsed = try Command.run([Programs.path("vault-parse"), "cover"], environment: [:], input: fetched.body)
        #expect(parsed.code == 0 && parsed.err == "")
        guard case .picture = try CoverRecord(parsing: parsed.out) else { return }
        Issue.record("\(id) is a picture")
    }

    @Test func aCoverIsWrittenAnew() throws {
        for id in ["html", "svg"] { #expect(try cover(id).answer.outcome == .malformed(isPage: true)) }
        let fetched = try cover("large")
        let parsed = try Command.run([Programs.path("vault-parse"), "cover"], environment: [:], input: fetched.body)
        guard case .picture(let width, let height, let jpeg) = try CoverRecord(parsing: parsed.out) else {
            Issue.record("no picture")
            return
        }
        #expect(width == 386 && height == 600 && jpeg.count < fetched.body.count)
    }

    @Test func withoutANetworkItSaysSo() throws {
        let name = try #require(FetchAddress("https://no-such-host.invalid/x"))
        #expect(try Fetched(FetchOrder(name, of: .google)).answer.outcome == .noNetwork(.name))
        // The C library asks over TCP then.
        let overTCP = try Fetched(FetchOrder(name, of: .google), environment: ["RES_OPTIONS": "use-vc"])
        #expect(overTCP.answer.outcome == .noNetwork(.name))
        let port = try #require(FetchAddress("http://127.0.0.1:1/x"))
        #expect(try Fetched(FetchOrder(port, of: .google)).answer.outcome == .noNetwork(.connection))
        let proxy = try #require(ProxySettings(server: "http://127.0.0.1:1"))
        #expect(try Fetched(FetchOrder(name, of: .google, proxy: proxy)).answer.outcome == .noNetwork(.proxy))
        // A proxy of the environment is the caller's to find.
        let found = try Fetched(FetchOrder(name, of: .google), environment: ["https_proxy": "http://127.0.0.1:1"])
        #expect(found.answer.outcome == .noNetwork(.name))
    }

    @Test func byHandItIsOfNoUse() throws {
        for words in [["x"], ["--help"]] {
            let ended = try Command.run([Programs.path("vault-fetch")] + words, environment: [:], input: [0])
            #expect(ended.code == 2 && ended.err.contains("not by hand"))
        }
        for input: [UInt8] in [
            [], [0], [0, 0, 0, 0], [0xFF, 0xFF, 0xFF, 0xFF], [UInt8](repeating: 1, count: 100_000),
        ] {
            #expect(try Command.run([Programs.path("vault-fetch")], environment: [:], input: input).code == 13)
        }
    }
}

extension String {
    /// How often a text stands in this one.
    fileprivate func components(of text: String) -> Int {
        split(separator: text, omittingEmptySubsequences: false).count - 1
    }
}
