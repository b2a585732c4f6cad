// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// `BookService` is a service that answers questions about books. The raw value is its name in settings and in the
/// commands of `vault-parse`.
public enum BookService: String, Sendable, CaseIterable {
    case google
    case openlibrary

    /// Its name for a person.
    public var title: String {
        switch self {
        case .google: "Google Books"
        case .openlibrary: "Open Library"
        }
    }

    /// Whether a key of the person's own can be sent to it.
    public var takesKey: Bool {
        switch self {
        case .google: true
        case .openlibrary: false
        }
    }

    /// Most results that one question is answered with.
    public static let resultCountMax = 40

    /// `Bases` are the addresses that a service's questions begin with: its own, or those of a copy of it on this
    /// machine.
    public struct Bases: Sendable, Hashable {
        /// Questions, without a `/` at the end.
        public let questions: FetchAddress
        public let covers: FetchAddress

        /// Takes two addresses without a query; nil for others.
        ///
        /// - Parameter covers: nil for the place of the questions.
        public init?(questions: String, covers: String? = nil) {
            guard let first = Self.base(questions), let second = Self.base(covers ?? questions) else { return nil }
            (self.questions, self.covers) = (first, second)
        }

        private static func base(_ text: String) -> FetchAddress? {
            var text = text[...]
            while text.hasSuffix("/") { text = text.dropLast() }
            return text.contains("?") ? nil : FetchAddress(String(text))
        }
    }

    /// Where the service itself is.
    public var bases: Bases {
        let bases =
            switch self {
            case .google: Bases(questions: "https://www.googleapis.com/books/v1", covers: "https://books.google.com")
            case .openlibrary: Bases(questions: "https://openlibrary.org", covers: "https://covers.openlibrary.org")
            }
        guard let bases else { preconditionFailure("the addresses of the services are addresses") }
        return bases
    }

    /// Returns whether a cover may lie on a host, so that it is taken from there.
    ///
    /// Google's covers lie on books.google.com and, behind a redirect, on googleusercontent.com. Those of Open Library
    /// lie on covers.openlibrary.org, which sends the reader on to archive.org and from there to one of its machines,
    /// such as ia600404.us.archive.org. Other hosts of archive.org have what strangers have put there.
    public func keepsCovers(on host: String) -> Bool {
        let labels = host.split(separator: ".", omittingEmptySubsequences: false)
        switch self {
        case .google: return host == "books.google.com" || host.hasSuffix(".googleusercontent.com")
        case .openlibrary:
            if host == "covers.openlibrary.org" || host == "archive.org" { return true }
            return labels.count == 4 && labels[1].count == 2 && labels[2...] == ["archive", "org"]
        }
    }

    /// Returns where a cover is, as a service named it: by https, on a host of its covers.
    ///
    /// - Returns: nil for another place, and for an address that is none or too long to keep.
    public func coverPlace(_ text: String) -> FetchAddress? {
        guard let address = FetchAddress.secured(text), address.isSecure, address.port == 443,
            keepsCovers(on: address.host), address.text.utf8.count <= 2048
        else { return nil }
        return address
    }
}
