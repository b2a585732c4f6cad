// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import ParserProtocol

/// `BookAssembly` is a book that is being put together from what a service says of it: whatever is added, it stays
/// within the caps of `ParsedBook`, and what does not is a loss.
struct BookAssembly {
    private static let keptByteCountMax = 16 << 10

    var note: NoteAssembly
    private var book = ParsedBook()
    /// What a book has no field for: it stands at the top of the text.
    private var kept: [(name: String, value: String)] = []
    private var text: [UInt8] = []

    init(sourceKey: String) { note = NoteAssembly(sourceKey: sourceKey) }

    var readingCount: Int { book.readings.count }

    mutating func setShelf(_ shelf: ParsedBook.Shelf) { book.shelf = shelf }

    mutating func setTitle(_ text: String) { note.setTitle(BookText.line(text)) }

    mutating func addAuthor(_ text: String) { add(text, to: \.authors, "authors") }

    mutating func addPublisher(_ text: String) { add(text, to: \.publishers, "publishers") }

    mutating func setPublished(_ text: String) { book.published = short(text, "published") }

    mutating func setLanguage(_ text: String) { book.language = short(text, "language") }

    private mutating func add(_ text: String, to list: WritableKeyPath<ParsedBook, [String]>, _ name: String) {
        let value = short(text, name)
        guard !value.isEmpty, !book[keyPath: list].contains(value) else { return }
        guard book[keyPath: list].count < ParsedBook.nameCountMax else {
            return note.losses.add(.valueCut, detail: name)
        }
        book[keyPath: list].append(value)
    }

    /// Makes a value one line that is not too long.
    private mutating func short(_ text: String, _ name: String) -> String {
        let line = BookText.line(text)
        let value = MarkdownTitle.cut(line, byteCountMax: ParsedBook.nameByteCountMax)
        if value != line { note.losses.add(.valueCut, detail: name) }
        return value
    }

    /// Adds a number under which others know the book. A kind is made of its letters and digits.
    mutating func addIdentifier(_ kind: String, _ text: String) {
        let kind = kind.lowercased().filter { $0.isASCII && ($0.isLetter || $0.isNumber) }
        let value = short(text, "identifiers")
        guard !value.isEmpty else { return }
        let identifier = ParsedBook.Identifier(kind: kind, value: value)
        guard !book.identifiers.contains(identifier) else { return }
        guard ParsedBook.isKind(kind), book.identifiers.count < ParsedBook.nameCountMax else {
            return note.losses.add(.valueCut, detail: "identifiers")
        }
        book.identifiers.append(identifier)
    }

    /// Adds an ISBN of ten or thirteen places, in whatever signs it is wrapped.
    ///
    /// - Returns: whether it is one; nothing is no loss.
    @discardableResult
    mutating func addISBN(_ text: String, isTold: Bool = true) -> Bool {
        let places = text.uppercased().filter { !" -=\"'".contains($0) && !$0.isWhitespace }
        guard !places.isEmpty else { return false }
        let isNumber = places.dropLast().allSatisfy { $0.isASCII && $0.isNumber }
        let last = places.last ?? " "
        let isLast = last.isASCII && (last.isNumber || (last == "X" && places.utf8.count == 10))
        guard isNumber, isLast, places.utf8.count == 10 || places.utf8.count == 13 else {
            if isTold { note.losses.add(.valueUnreadable, detail: "isbn") }
            return false
        }
        addIdentifier(places.utf8.count == 10 ? "isbn10" : "isbn13", places)
        return true
    }

    mutating func setPages(_ text: String) {
        let text = BookText.line(text)
        guard !text.isEmpty else { return }
        guard let pages = UInt32(text) else { return note.losses.add(.valueUnreadable, detail: "pages") }
        book.pages = pages
    }

    /// Sets the rating of a number on a scale.
    ///
    /// - Parameter quarters: how many quarters of a star one of the number is.
    mutating func setRating(_ text: String, quarters: Double) {
        let text = BookText.line(text)
        guard !text.isEmpty else { return }
        guard text.utf8.count <= 16, let value = Double(text.replacing(",", with: ".")),
            (0...Double(ParsedBook.ratingMax)).contains(value * quarters)
        else { return note.losses.add(.valueUnreadable, detail: "rating") }
        let exact = value * quarters
        book.rating = UInt8(exact.rounded())
        if exact != exact.rounded() { note.losses.add(.ratingRounded) }
    }

    mutating func setAdded(_ text: String) { book.added = day(text, "added") }

    mutating func addReading(started: UInt32?, finished: UInt32?) {
        guard started != nil || finished != nil else { return }
        guard book.readings.count < ParsedBook.readingCountMax else {
            return note.losses.add(.valueCut, detail: "readings")
        }
        book.readings.append(ParsedBook.Reading(started: started, finished: finished))
    }

    /// Reads a day; one that is none is told.
    mutating func day(_ text: String, _ name: String) -> UInt32? {
        let text = BookText.line(text)
        guard !text.isEmpty else { return nil }
        guard let day = BookText.day(text) else {
            note.losses.add(.dateReplaced, detail: name)
            return nil
        }
        return day
    }

    /// Puts a name of the book into a tag.
    mutating func addTag(_ text: String) { note.addTag(BookText.line(text)) }

    /// Keeps a value that a book has no field for at the top of the text.
    mutating func keep(_ name: String, _ text: String) {
        let line = BookText.line(text)
        guard !line.isEmpty else { return }
        let value = MarkdownTitle.cut(line, byteCountMax: Self.keptByteCountMax)
        if value != line { note.losses.add(.valueCut, detail: name) }
        kept.append((name, value))
        note.losses.add(.unknownFrontMatterKey, detail: name)
    }

    /// Sets the description, in Markdown or in HTML.
    mutating func setDescription(_ text: String) { self.text = BookText.markdown(text, &note.losses) }

    /// By bytes: a mark that combines with an apostrophe would hide it from a search for characters.
    private static func doubled(_ value: String) -> String {
        String(decoding: value.utf8.flatMap { $0 == 0x27 ? [$0, $0] : [$0] }, as: UTF8.self)
    }

    func finished() -> ParsedNote {
        var head = ""
        for (name, value) in kept { head += "\(name): '\(Self.doubled(value))'\n" }
        var note = note
        note.setBody(Array((head.isEmpty ? "" : "---\n\(head)---\n").utf8) + text)
        var parsed = note.finished()
        parsed.book = book
        return parsed
    }
}
