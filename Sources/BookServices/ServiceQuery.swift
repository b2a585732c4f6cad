// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// `ServiceQuery` is what a person looks for: words, words of a title, words of an author's name, or a number.
public struct ServiceQuery: Sendable, Hashable {
    /// The longest text of a question, in bytes.
    public static let byteCountMax = 512

    public var words: String
    public var title: String
    public var author: String

    public init(_ words: String, title: String = "", author: String = "") {
        (self.words, self.title, self.author) = (Self.plain(words), Self.plain(title), Self.plain(author))
    }

    /// The number of a book, when all of the question is one.
    public var isbn: ISBN? { title.isEmpty && author.isEmpty ? ISBN(words) : nil }

    /// Whether a service can be asked: there is something to look for, and not more than it takes.
    public var isAskable: Bool {
        let texts = [words, title, author]
        return !texts.allSatisfy(\.isEmpty) && texts.allSatisfy { $0.utf8.count <= Self.byteCountMax }
    }

    /// Returns a text without line feeds, controls and blanks around it; quotation marks would end a phrase.
    private static func plain(_ text: String) -> String {
        let scalars = text.unicodeScalars.map { scalar -> Unicode.Scalar in
            scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value) || scalar == "\"" ? " " : scalar
        }
        var plain = String.UnicodeScalarView()
        plain.append(contentsOf: scalars)
        return String(plain).split(separator: " ").joined(separator: " ")
    }
}

extension BookService {
    /// Returns the address of a search.
    ///
    /// - Parameters:
    ///   - start: how many results are passed over.
    ///   - count: at most `resultCountMax` results.
    ///   - country: two letters; Google refuses to answer who it cannot place, unless it is told. Nil or other letters
    ///     are not sent.
    ///   - bases: nil for the service itself.
    /// - Returns: nil for a question that cannot be asked.
    public func searchAddress(
        _ query: ServiceQuery, start: Int = 0, count: Int = 20, country: String? = nil, bases: Bases? = nil
    ) -> FetchAddress? {
        guard query.isAskable, start >= 0 else { return nil }
        let count = max(1, min(count, Self.resultCountMax))
        var parts: [(String, String)]
        switch self {
        case .google:
            parts = [("q", Self.googleWords(query)), ("startIndex", String(start)), ("maxResults", String(count))]
            parts += Self.googleFields("items(\(Self.volume))", country)
        case .openlibrary:
            parts = Self.openLibraryWords(query) + [("offset", String(start)), ("limit", String(count))]
            parts.append(("fields", Self.editionFields))
        }
        return address(bases, path, parts)
    }

    /// Returns the address of one book, by the number that the service knows it by.
    ///
    /// - Parameter id: as in `ParsedBook.Identifier` of the kind `google` or `openlibrary`.
    /// - Returns: nil for what is no such number.
    public func bookAddress(_ id: String, country: String? = nil, bases: Bases? = nil) -> FetchAddress? {
        guard isID(id) else { return nil }
        switch self {
        case .google: return address(bases, path + "/" + id, Self.googleFields(Self.volume, country))
        case .openlibrary:
            let word = id.hasSuffix("W") ? "key:/works/\(id)" : "edition_key:\(id)"
            return address(bases, path, [("q", word), ("limit", "1"), ("fields", Self.editionFields)])
        }
    }

    /// Returns where a cover is to be fetched, by the address that a record has.
    ///
    /// - Parameter bases: a copy of the service has copies of the covers.
    public func coverAddress(_ text: String, bases: Bases? = nil) -> FetchAddress? {
        guard let place = coverPlace(text) else { return nil }
        guard let bases, bases.covers != self.bases.covers else { return place }
        return FetchAddress(bases.covers.text + place.target)
    }

    /// Returns whether a text is a number of the service's.
    public func isID(_ id: String) -> Bool {
        switch self {
        case .google:
            (1...40).contains(id.utf8.count)
                && id.utf8.allSatisfy { UInt8(ascii: "_") == $0 || UInt8(ascii: "-") == $0 || Self.isAlphanumeric($0) }
        case .openlibrary:
            (4...20).contains(id.utf8.count) && id.hasPrefix("OL") && (id.hasSuffix("M") || id.hasSuffix("W"))
                && id.dropFirst(2).dropLast().utf8.allSatisfy { (0x30...0x39).contains($0) }
        }
    }

    private var path: String {
        switch self {
        case .google: "/volumes"
        case .openlibrary: "/search.json"
        }
    }

    /// What is taken of a volume, and no more of it is sent. The short form, `projection=lite`, lacks the numbers, the
    /// pages and the language.
    private static let volume =
        "id,volumeInfo(title,subtitle,authors,publisher,publishedDate,description,industryIdentifiers,pageCount,"
        + "language,imageLinks)"

    /// Of a work, and of the edition that fits the question best.
    private static let editionFields =
        "key,title,subtitle,author_name,first_publish_year,number_of_pages_median,language,cover_i,editions,"
        + "editions.key,editions.title,editions.subtitle,editions.publish_date,editions.publisher,editions.isbn,"
        + "editions.language,editions.cover_i"

    private static func googleWords(_ query: ServiceQuery) -> String {
        if let isbn = query.isbn { return "isbn:" + isbn.digits }
        let fields = [("intitle", query.title), ("inauthor", query.author)].filter { !$0.1.isEmpty }
        return ([query.words] + fields.map { "\($0.0):\"\($0.1)\"" }).filter { !$0.isEmpty }.joined(separator: " ")
    }

    private static func openLibraryWords(_ query: ServiceQuery) -> [(String, String)] {
        if let isbn = query.isbn { return [("q", "isbn:" + isbn.digits)] }
        return [("q", query.words), ("title", query.title), ("author", query.author)].filter { !$0.1.isEmpty }
    }

    private static func googleFields(_ fields: String, _ country: String?) -> [(String, String)] {
        let parts = [("projection", "full"), ("fields", fields)]
        guard let country, country.utf8.count == 2, country.utf8.allSatisfy(isLetter) else { return parts }
        return parts + [("country", country.uppercased())]
    }

    private func address(_ bases: Bases?, _ path: String, _ parts: [(String, String)]) -> FetchAddress? {
        let query = parts.map { $0.0 + "=" + Self.encoded($0.1) }.joined(separator: "&")
        return FetchAddress((bases ?? self.bases).questions.text + path + "?" + query)
    }

    /// Returns a text as it stands in a query: letters, digits and four signs as they are, all else by its bytes.
    private static func encoded(_ text: String) -> String {
        var result = ""
        for byte in text.utf8 {
            if isAlphanumeric(byte) || "-._~".utf8.contains(byte) {
                result.unicodeScalars.append(Unicode.Scalar(byte))
            } else {
                let digits = String(byte, radix: 16, uppercase: true)
                result += digits.count == 1 ? "%0" + digits : "%" + digits
            }
        }
        return result
    }

    private static func isLetter(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte | 0x20) }
    private static func isAlphanumeric(_ byte: UInt8) -> Bool { isLetter(byte) || (0x30...0x39).contains(byte) }
}
