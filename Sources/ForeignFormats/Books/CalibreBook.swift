// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import ParserProtocol

/// `CalibreBook` is a book of a calibre library, as its `metadata.opf` tells of it. Spec: OPF 2.0.1, and the `meta`
/// elements that calibre adds.
struct CalibreBook {
    /// What says the same in other words, and what is read by name.
    private static let passedOver: Set<String> = [
        "calibre:title_sort", "calibre:author_link_map", "calibre:link_maps", "cover", "calibre:timestamp",
        "calibre:rating", "calibre:series", "calibre:series_index",
    ]
    private static let kinds = ["amazon": "asin", "mobi-asin": "asin", "asin": "asin", "olid": "openlibrary"]

    private let elements: [MetadataParser.Element]
    private let isCut: Bool

    /// What its library knows it by; the number there if it has nothing else.
    let key: String
    let title: String

    /// Reads a file.
    ///
    /// - Parameter place: the book's folder, which is what it is called without an identifier.
    init(_ bytes: [UInt8], place: String) throws(MetadataParser.Failure) {
        (elements, isCut) = try MetadataParser.elements(of: bytes)
        let identifiers = elements.filter { $0.name == "identifier" }
        let unique =
            identifiers.first { Self.scheme($0) == "uuid" } ?? identifiers.first { Self.scheme($0) == "calibre" }
        title = BookText.line(elements.first { $0.name == "title" }?.string ?? "")
        let key = BookText.line(unique?.string ?? "")
        self.key = NoteAssembly.key(key.isEmpty ? (place.isEmpty ? title : place) : key)
        guard !title.isEmpty else { throw MetadataParser.Failure(reason: .damaged) }
    }

    /// Makes the book.
    ///
    /// - Parameters:
    ///   - cover: the key of the attachment that was sent for it.
    ///   - files: endings of the files beside it that are not imported.
    func parsed(cover: (key: String, name: String, isWhole: Bool)?, files: [String]) -> ParsedNote {
        var book = BookAssembly(sourceKey: key)
        book.setTitle(title)
        if let cover {
            _ = book.note.attach(key: cover.key, name: cover.name)
            if !cover.isWhole { book.note.losses.add(.attachmentDamaged) }
        }
        if isCut { book.note.losses.add(.valueCut, detail: "metadata") }
        for ending in files { book.note.losses.add(.bookFileNotImported, detail: ending) }
        var (hasDescription, hasDate, hasLanguage) = (false, false, false)
        for element in elements {
            switch element.name {
            case "creator": addCreator(element, &book)
            case "contributor": if element.attributes["role"] != "bkp" { addCreator(element, &book) }
            case "publisher": book.addPublisher(element.string)
            case "subject": book.addTag(element.string)
            case "identifier": addIdentifier(element, &book)
            case "description" where !hasDescription:
                hasDescription = true
                book.setDescription(String(decoding: element.text, as: UTF8.self))
            case "date" where !hasDate && element.attributes["event"] != "modification":
                hasDate = true
                book.setPublished(Self.date(element.string))
            case "language" where !hasLanguage:
                hasLanguage = true
                book.setLanguage(element.string)
            case "date": break
            case "title": if BookText.line(element.string) != title { book.keep("title", element.string) }
            case "meta": addMeta(element, &book)
            default: book.keep(BookText.name(element.name), element.string)
            }
        }
        return book.finished()
    }

    private static func scheme(_ element: MetadataParser.Element) -> String {
        (element.attributes["scheme"] ?? "").lowercased()
    }

    private func addCreator(_ element: MetadataParser.Element, _ book: inout BookAssembly) {
        let role = BookText.name(element.attributes["role"] ?? "")
        if element.name == "creator", role.isEmpty || role == "aut" { return book.addAuthor(element.string) }
        book.keep(role.isEmpty ? "contributor" : "contributor-" + role, element.string)
    }

    private func addIdentifier(_ element: MetadataParser.Element, _ book: inout BookAssembly) {
        let scheme = Self.scheme(element)
        switch scheme {
        // What it is called in one library means nothing anywhere else.
        case "uuid", "calibre": return
        case "isbn": book.addISBN(element.string)
        default:
            // Each shop of Amazon has a scheme of its own: "amazon_de".
            let kind = scheme.hasPrefix("amazon") ? "asin" : Self.kinds[scheme] ?? scheme
            book.addIdentifier(kind.isEmpty ? "other" : kind, element.string)
        }
    }

    /// Returns a date without its time; empty for the year 101, by which calibre says that it knows none.
    private static func date(_ text: String) -> String {
        let date = BookText.line(text).prefix { $0 != "T" && $0 != " " }
        return date.hasPrefix("0101-01-0") || date.hasPrefix("0100-12-31") ? "" : String(date)
    }

    private func addMeta(_ element: MetadataParser.Element, _ book: inout BookAssembly) {
        let name = element.attributes["name"] ?? element.attributes["property"] ?? ""
        let value = element.attributes["content"] ?? element.string
        switch name {
        case "calibre:rating": book.setRating(value, quarters: 2)
        case "calibre:series": book.keep("series", value)
        case "calibre:series_index": if has("calibre:series") { book.keep("series-index", value) }
        case "calibre:timestamp": setAdded(value, &book)
        default:
            guard !Self.passedOver.contains(name) else { return }
            // A person's own columns are JSON with the settings of each; one without a value says nothing.
            if name.hasPrefix("calibre:user_metadata") { return addColumn(name, value, &book) }
            let short = BookText.name(name.replacing("calibre:", with: ""))
            guard !["", "{}", "[]"].contains(BookText.line(value)) else { return }
            book.note.losses.add(.fieldNotCarried, detail: short)
        }
    }

    private func has(_ name: String) -> Bool {
        elements.contains { $0.name == "meta" && $0.attributes["name"] == name }
    }

    private func setAdded(_ value: String, _ book: inout BookAssembly) {
        book.setAdded(value)
        guard let time = MarkdownDate.milliseconds(BookText.line(value)) else { return }
        book.note.setTimes(created: time, updated: nil)
    }

    /// Keeps the value of a column that a person made: texts, numbers, or a list of them.
    private func addColumn(_ name: String, _ text: String, _ book: inout BookAssembly) {
        let short = BookText.name(name.replacing("calibre:user_metadata:", with: ""))
        guard let column = JSONValue.parse(Array(text.utf8)), let value = column["#value#"] else {
            return book.note.losses.add(.fieldNotCarried, detail: short)
        }
        let texts = (value.items.isEmpty ? [value] : value.items).compactMap(Self.text).filter { !$0.isEmpty }
        if !texts.isEmpty { book.keep(short, texts.joined(separator: ", ")) }
    }

    private static func text(_ value: JSONValue) -> String? {
        switch value {
        case .string(let text): text
        // A date is an object with its text in it.
        case .object: value["__value__"]?.text
        case .array, .null: nil
        case .bool(let isTrue): isTrue ? "true" : "false"
        case .number(let number): BookText.number(number)
        }
    }
}
