// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// `BookFetchFailure` says to a person why a book service gave nothing: one sentence and one hint, the same on the
/// command line and on the page.
public struct BookFetchFailure: Error, Sendable, Hashable {
    /// `Kind` is the question that a person has first: is it the network, the quota, a refusal, or the service?
    public enum Kind: Sendable, Hashable {
        case noNetwork
        case quota
        case refused
        /// The service, or something between it and this machine, does not do what it should.
        case service
    }

    public let kind: Kind
    public let message: String
    public let hint: String

    private init(_ kind: Kind, _ message: String, _ hint: String) {
        (self.kind, self.message, self.hint) = (kind, message, hint)
    }

    /// Says why a request gave nothing; nil when it gave something.
    ///
    /// - Parameters:
    ///   - hasKey: one was sent.
    ///   - hasCountry: one was sent.
    public init?(_ answer: FetchAnswer, of service: BookService, hasKey: Bool = false, hasCountry: Bool = false) {
        let name = service.title
        switch answer.outcome {
        case .whole: return nil
        case .noNetwork(let lack): self = Self.noNetwork(lack, name)
        case .timedOut:
            self.init(.noNetwork, "no network, or \(name) did not answer in time", "try it again in a moment")
        case .quota(let seconds): self = Self.quota(service, seconds, hasKey: hasKey)
        case .refused(let refusal):
            self = Self.refused(service, refusal, answer.httpStatus, hasKey: hasKey, hasCountry: hasCountry)
        case .failing:
            self.init(
                .service, "\(name) is out of order: it answered with status \(answer.httpStatus)",
                "try it again in some minutes, or ask another service")
        case .notFound: self.init(.service, "\(name) has no such book or cover", "search for it by its title")
        case .tooLarge:
            self.init(.service, "\(name) answered with more than is taken from it", "search for something narrower")
        case .malformed(let isPage): self = Self.unreadable(service, isPage: isPage)
        case .elsewhere:
            self.init(
                .service, "\(name) led to another place, from which nothing is fetched",
                "a network that asks to log in does that: open a page in a browser, then try it again")
        case .untrusted:
            self.init(
                .service, "nobody vouches for the server that answered in place of \(name)",
                "check the clock of this machine, and whether this network asks to log in")
        }
    }

    /// Says that an answer came and was none of the service's: from `vault-fetch`, or from `vault-parse`, which looks
    /// closer.
    public static func unreadable(_ service: BookService, isPage: Bool) -> BookFetchFailure {
        guard isPage else {
            return BookFetchFailure(
                .service, "the answer of \(service.title) cannot be read", "try it again in a moment")
        }
        return BookFetchFailure(
            .noNetwork, "no network: a page was shown in place of the answer of \(service.title)",
            "this network asks to log in: open a page in a browser, then try it again")
    }

    /// Says that the environment names a proxy that is no address.
    public static let proxyIsNoAddress = BookFetchFailure(
        .noNetwork, "no network: the proxy that the environment names is no address", "check HTTPS_PROXY and ALL_PROXY")

    private static func noNetwork(_ lack: FetchAnswer.Lack, _ name: String) -> BookFetchFailure {
        switch lack {
        case .name:
            BookFetchFailure(
                .noNetwork, "no network: the address of \(name) cannot be looked up",
                "check the connection of this machine")
        case .connection:
            BookFetchFailure(
                .noNetwork, "no network: \(name) cannot be reached", "check the connection of this machine")
        case .proxy:
            BookFetchFailure(
                .noNetwork, "no network: the proxy does not let \(name) be reached",
                "check HTTPS_PROXY, ALL_PROXY and NO_PROXY")
        }
    }

    private static func quota(_ service: BookService, _ seconds: UInt32, hasKey: Bool) -> BookFetchFailure {
        let wait = seconds > 0 ? "try it again in \(duration(seconds))" : "try it again later"
        switch service {
        case .google where hasKey:
            return BookFetchFailure(
                .quota, "quota: Google Books answers no more questions with your key today",
                seconds > 0 ? wait : "try it again tomorrow")
        case .google:
            return BookFetchFailure(
                .quota, "quota: without a key all people share what Google Books answers in a day, and it is used up",
                "set a key of your own: vault book key")
        case .openlibrary:
            return BookFetchFailure(.quota, "quota: Open Library asks to be left alone for a while", wait)
        }
    }

    private static func refused(
        _ service: BookService, _ refusal: FetchAnswer.Refusal, _ status: UInt16, hasKey: Bool, hasCountry: Bool
    ) -> BookFetchFailure {
        let name = service.title
        switch refusal {
        case .country:
            return BookFetchFailure(
                .refused, "refused: \(name) cannot tell from which country it is asked",
                hasCountry
                    ? "check books.country, which has two letters: vault config set books.country DE"
                    : "set it: vault config set books.country DE")
        case .key:
            return BookFetchFailure(
                .refused, "refused: \(name) does not accept the key",
                hasKey
                    ? "set another one, for which the Books API is switched on: vault book key"
                    : "set a key of your own: vault book key")
        case .unsaid:
            return BookFetchFailure(
                .refused, "refused: \(name) does not answer this (status \(status))",
                "try other words, or ask another service")
        }
    }

    private static func duration(_ seconds: UInt32) -> String {
        switch seconds {
        case 0..<120: seconds == 1 ? "1 second" : "\(seconds) seconds"
        case 120..<7200: "\((seconds + 59) / 60) minutes"
        default: "\((seconds + 3599) / 3600) hours"
        }
    }
}
