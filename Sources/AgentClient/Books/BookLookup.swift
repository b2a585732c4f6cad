// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentProtocol
public import BookServices
internal import Glibc
public import ParserProtocol

/// `BookLookup` asks book services: `vault-fetch` goes to the network, `vault-parse` reads what came, and this process
/// does neither.
public struct BookLookup: Sendable {
    /// What the services said.
    public struct Found: Sendable {
        /// Of all services, one for each book.
        public var books: [ParsedNote] = []
        /// Why a service gave nothing.
        public var failures: [BookFetchFailure] = []
    }

    /// A cover, decoded and re-encoded.
    public struct Cover: Sendable {
        public let jpeg: [UInt8]
        public let width: UInt32
        public let height: UInt32
    }

    private let country: String?
    private let bases: [BookService: BookService.Bases]
    private let proxy: ProxySettings
    /// Whether a key of the vault's goes to the service that takes one.
    public var hasKey = false

    /// Prepares to ask.
    ///
    /// - Parameters:
    ///   - country: two letters; nil to send none.
    ///   - addresses: of services in another place than their own.
    /// - Throws: `.usage` for an invalid address, `.other` for an invalid proxy.
    public init(country: String?, addresses: [BookService: String]) throws(ClientFailure) {
        self.country = country
        var bases: [BookService: BookService.Bases] = [:]
        for (service, address) in addresses {
            guard let base = BookService.Bases(questions: address) else {
                throw .usage(
                    "'\(VisibleText.escaped(address))' is not an address of a book service",
                    hint: "vault config set books.\(service.rawValue) https://HOST/PATH, or vault config unset it")
            }
            bases[service] = base
        }
        self.bases = bases
        guard let proxy = ProxySettings.inEnvironment({ Environment.text($0) }) else {
            throw BookFetchFailure.proxyIsNoAddress.clientFailure
        }
        self.proxy = proxy
    }

    /// Where questions go, one address on a line: what the owner agrees to.
    public var addresses: String {
        BookService.allCases.map { (bases[$0] ?? $0.bases).questions.text }.joined(separator: "\n")
    }

    /// Asks all services at once.
    ///
    /// - Throws: `.usage` for a question that cannot be asked, what starting a program throws.
    public func search<Agent: AgentRequester & ~Copyable>(
        _ query: ServiceQuery, count: Int, over agent: inout Agent
    ) throws(ClientFailure) -> Found {
        try ask(over: &agent) { service in
            service.searchAddress(query, count: count, country: country, bases: bases[service])
        }
    }

    /// Asks a service for one of its books.
    ///
    /// - Parameter id: as the service names it.
    public func book<Agent: AgentRequester & ~Copyable>(
        _ id: String, of wanted: BookService, over agent: inout Agent
    ) throws(ClientFailure) -> Found {
        try ask(over: &agent) { service in
            service == wanted ? service.bookAddress(id, country: country, bases: bases[service]) : nil
        }
    }

    private func ask<Agent: AgentRequester & ~Copyable>(
        over agent: inout Agent, _ address: (BookService) -> FetchAddress?
    ) throws(ClientFailure) -> Found {
        var running: [(service: BookService, order: FetchOrder, program: FetchProcess)] = []
        for service in BookService.allCases {
            guard let address = address(service) else { continue }
            let order = FetchOrder(address, of: service, hasKey: hasKey, proxy: proxy)
            running.append((service, order, try FetchProcess(order, over: &agent)))
        }
        guard !running.isEmpty else {
            throw .usage("a book service cannot search for this", hint: "vault book search TITLE AUTHOR")
        }
        var (found, lists) = (Found(), [[ParsedNote]]())
        for (service, order, program) in running {
            do throws(BookFetchFailure) {
                lists.append(try books(try program.body(of: order, service, hasCountry: country != nil), service))
            } catch { found.failures.append(error) }
        }
        found.books = BookMerge.merged(lists)
        return found
    }

    /// Has the answer of a service read.
    private func books(_ body: [UInt8], _ service: BookService) throws(BookFetchFailure) -> [ParsedNote] {
        guard let output = Self.parsed(["books", service.rawValue], RecordFrame.enclosing(body), max: 64 << 20),
            let (books, status, _) = try? BookRecord.parse(output: output)
        else { throw .unreadable(service, isPage: false) }
        switch status {
        case .read: return books
        case .page: throw .unreadable(service, isPage: true)
        case .damaged: throw .unreadable(service, isPage: false)
        }
    }

    /// Fetches a book's cover.
    ///
    /// - Returns: nil if it has none that can be shown.
    /// - Throws: what starting a program throws.
    public func cover<Agent: AgentRequester & ~Copyable>(
        of book: ParsedBook, over agent: inout Agent
    ) throws(ClientFailure) -> Result<Cover?, BookFetchFailure> {
        for service in BookService.allCases {
            guard let place = service.coverAddress(book.coverAddress, bases: bases[service]) else { continue }
            let order = FetchOrder(coverAt: place, of: service, proxy: proxy)
            let program = try FetchProcess(order, over: &agent)
            let body: [UInt8]
            do throws(BookFetchFailure) { body = try program.body(of: order, service, hasCountry: false) } catch {
                return .failure(error)
            }
            guard let output = Self.parsed(["cover"], body, max: CoverRecord.byteCountMax),
                case .picture(let width, let height, let jpeg)? = try? CoverRecord(parsing: output)
            else { return .success(nil) }
            return .success(Cover(jpeg: jpeg, width: UInt32(width), height: UInt32(height)))
        }
        return .success(nil)
    }

    /// Returns what `vault-parse` makes of bytes; nil when it fails on them.
    private static func parsed(_ words: [String], _ input: [UInt8], max: Int) -> [UInt8]? {
        guard var pipe = try? Pipe(), let filter = try? ParserFilter(words, input: pipe.readingEnd) else { return nil }
        pipe.closeReading()
        let isWritten = PipeSignal.ignored { FileBytes.write(input, to: pipe.writingEnd) }
        pipe.closeWriting()
        let output = try? filter.readAll(max: max)
        return isWritten ? output : nil
    }
}

extension BookFetchFailure {
    public var clientFailure: ClientFailure { ClientFailure(.other, message, hint: hint) }
}

/// `FetchProcess` is a `vault-fetch` that does one request.
private final class FetchProcess {
    private let pid: Int32
    private var output: Int32
    private var isOver = false
    private let hasKey: Bool

    /// Starts it with its order. A key goes from the agent to it, and not through this process.
    init<Agent: AgentRequester & ~Copyable>(_ order: FetchOrder, over agent: inout Agent) throws(ClientFailure) {
        var input = try Pipe()
        var answer = try Pipe()
        hasKey = order.takesKey
        pid = try ChildProgram.startApart(
            Programs.path(of: "vault-fetch"), name: "vault-fetch", [], environment: [], input: input.readingEnd,
            output: answer.writingEnd)
        output = answer.takeReading()
        input.closeReading()
        answer.closeWriting()
        let bytes = order.takesKey ? RecordFrame.enclosing(order.encoded) : order.input
        // One that has ended already says so by its answer.
        _ = PipeSignal.ignored { FileBytes.write(bytes, to: input.writingEnd) }
        guard order.takesKey else { return }
        try agent.require(PassBookKey(), Enclosure(descriptor: input.writingEnd))
    }

    deinit {
        close(output)
        guard !isOver else { return }
        kill(pid, SIGKILL)
        _ = ChildProgram.wait(for: pid)
    }

    /// Waits for its end, and returns what the service sent.
    func body(
        of order: FetchOrder, _ service: BookService, hasCountry: Bool
    ) throws(BookFetchFailure) -> [UInt8] {
        let bytes = try? FileBytes.read(output, max: FetchAnswer.outputByteCountMax(for: order))
        let code = ChildProgram.wait(for: pid)
        isOver = true
        guard code == 0, let bytes, let (answer, body) = try? FetchAnswer.parse(output: bytes) else {
            throw .unreadable(service, isPage: false)
        }
        if let failure = BookFetchFailure(answer, of: service, hasKey: hasKey, hasCountry: hasCountry) { throw failure }
        return body
    }
}
