// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import ParserProtocol

/// `VaultJSONBook` is what a document says of a book. What no record holds is left out, and told.
///
/// Spec: docs/export-json.md §3.1.
struct VaultJSONBook {
    private(set) var book = ParsedBook()
    /// The identifier of the attachment that is the cover.
    private(set) var cover: String?
    private(set) var losses = MarkdownLosses()
    private static let valueByteCountMax = 64 << 10
    /// Bytes that are left for chapters and the log, so that all of it is within `ParsedBook.byteCountMax`.
    private var room = 256 << 10

    init(_ json: JSONStream) throws(ImportFailure) {
        guard try json.isNext("{") else {
            losses.add(.valueUnreadable, detail: "book")
            try json.skipValue()
            return
        }
        try json.open("{")
        while let key = try json.key() { try read(key, json) }
    }

    private mutating func read(_ key: String, _ json: JSONStream) throws(ImportFailure) {
        switch key {
        case "shelf": try readShelf(json)
        case "subtitle": book.subtitle = try line(key, json)
        case "published": book.published = try line(key, json)
        case "language": book.language = try line(key, json)
        case "cover": cover = try json.text(max: 64)?.string
        case "authors": book.authors = try lines(key, ParsedBook.nameCountMax, json)
        case "publishers": book.publishers = try lines(key, ParsedBook.nameCountMax, json)
        case "chapters":
            book.chapters = try lines(
                key, ParsedBook.chapterCountMax, json, byteCountMax: ParsedNote.titleByteCountMax)
            keepChaptersInRoom()
        case "identifiers": try readIdentifiers(json)
        case "pages": book.pages = UInt32(clamping: try json.number() ?? 0)
        case "rating":
            let quarters = (try json.number() ?? 0) / 25
            book.rating = UInt8(clamping: min(quarters, UInt64(ParsedBook.ratingMax)))
        case "added": book.added = try day(key, json)
        case "readings": try readReadings(json)
        case "log": try readLog(json)
        default: try json.skipValue()
        }
    }

    private mutating func readShelf(_ json: JSONStream) throws(ImportFailure) {
        let name = try json.text(max: 16)?.string
        let shelves: [String: ParsedBook.Shelf] = ["wishlist": .wishlist, "reading": .reading, "archived": .archived]
        book.shelf = name.flatMap { shelves[$0] }
        if book.shelf == nil { losses.add(.valueUnreadable, detail: "shelf") }
    }

    private mutating func line(
        _ name: String, _ json: JSONStream, max: Int = ParsedBook.nameByteCountMax
    ) throws(ImportFailure) -> String {
        guard let text = try json.text(max: Self.valueByteCountMax) else {
            losses.add(.valueUnreadable, detail: name)
            return ""
        }
        let line = MarkdownTitle.cut(text.string, byteCountMax: max)
        if line != text.string { losses.add(.valueCut, detail: name) }
        return line
    }

    /// Reads the texts of a list; empty ones are passed over.
    private mutating func lines(
        _ name: String, _ countMax: Int, _ json: JSONStream, byteCountMax: Int = ParsedBook.nameByteCountMax
    ) throws(ImportFailure) -> [String] {
        var lines: [String] = []
        try each("[", name, json) { (self, json) throws(ImportFailure) in
            let text = try self.line(name, json, max: byteCountMax)
            guard !text.isEmpty else { return }
            if lines.count < countMax { lines.append(text) } else { self.losses.add(.valueCut, detail: name) }
        }
        return lines
    }

    private mutating func keepChaptersInRoom() {
        let fit = book.chapters.prefix { title in
            room -= title.utf8.count + 4
            return room >= 0
        }
        if fit.count < book.chapters.count { losses.add(.valueCut, detail: "chapters") }
        book.chapters = Array(fit)
    }

    /// Reads the elements of a list.
    private mutating func each(
        _ bracket: Unicode.Scalar, _ name: String, _ json: JSONStream,
        _ body: (inout Self, JSONStream) throws(ImportFailure) -> Void
    ) throws(ImportFailure) {
        guard try json.isNext(bracket) else {
            losses.add(.valueUnreadable, detail: name)
            return try json.skipValue()
        }
        try json.open(bracket)
        while try json.element() { try body(&self, json) }
    }

    private mutating func readIdentifiers(_ json: JSONStream) throws(ImportFailure) {
        for text in try lines("identifiers", ParsedBook.nameCountMax, json) {
            let parts = text.split(separator: ":", maxSplits: 1).map(String.init)
            guard parts.count == 2, ParsedBook.isKind(parts[0]) else {
                losses.add(.valueUnreadable, detail: "identifiers")
                continue
            }
            let identifier = ParsedBook.Identifier(kind: parts[0], value: parts[1])
            if !book.identifiers.contains(identifier) { book.identifiers.append(identifier) }
        }
    }

    private mutating func day(_ name: String, _ json: JSONStream) throws(ImportFailure) -> UInt32? {
        let text = try line(name, json)
        guard !text.isEmpty else { return nil }
        guard let day = BookText.day(text) else {
            losses.add(.dateReplaced, detail: name)
            return nil
        }
        return day
    }

    private mutating func readReadings(_ json: JSONStream) throws(ImportFailure) {
        try each("[", "readings", json) { (self, json) throws(ImportFailure) in
            guard try json.isNext("{") else { return try json.skipValue() }
            try json.open("{")
            var reading = ParsedBook.Reading(started: nil, finished: nil)
            while let key = try json.key() {
                switch key {
                case "started": reading.started = try self.day(key, json)
                case "finished": reading.finished = try self.day(key, json)
                default: try json.skipValue()
                }
            }
            if self.book.readings.count < ParsedBook.readingCountMax {
                self.book.readings.append(reading)
            } else {
                self.losses.add(.valueCut, detail: "readings")
            }
        }
    }

    private mutating func readLog(_ json: JSONStream) throws(ImportFailure) {
        try each("[", "log", json) { (self, json) throws(ImportFailure) in
            guard try json.isNext("{") else { return try json.skipValue() }
            try json.open("{")
            var entry = ParsedBook.LogEntry(day: 0, kind: .none, amount: 0, line: "")
            let kinds: [String: ParsedBook.LogEntry.Kind] = [
                "page": .page, "percent": .percent, "minutes": .minutes,
            ]
            while let key = try json.key() {
                if let kind = kinds[key] {
                    (entry.kind, entry.amount) = (kind, UInt32(clamping: try json.number() ?? 0))
                } else if key == "day" {
                    entry.day = try self.day(key, json) ?? 0
                } else if key == "line" {
                    entry.line = try self.line(key, json)
                } else {
                    try json.skipValue()
                }
            }
            guard entry.day > 0, entry.kind != .percent || entry.amount <= 100 else {
                return self.losses.add(.valueUnreadable, detail: "log")
            }
            self.room -= entry.line.utf8.count + 13
            if self.book.log.count < ParsedBook.logCountMax, self.room >= 0 {
                self.book.log.append(entry)
            } else {
                self.losses.add(.valueCut, detail: "log")
            }
        }
    }

    /// Returns the book, with its cover by name.
    ///
    /// - Parameter coverName: nil where the note has no such attachment.
    func parsed(coverName: String?) -> ParsedBook {
        var parsed = book
        parsed.cover = coverName ?? ""
        return parsed
    }
}

extension ParsedPlace {
    /// Reads in which book a note stands; nil where that is not said.
    init?(_ json: JSONStream) throws(ImportFailure) {
        guard try json.isNext("{") else {
            try json.skipValue()
            return nil
        }
        self.init(bookKey: "")
        try json.open("{")
        while let key = try json.key() {
            switch key {
            case "id": bookKey = try json.text(max: 64)?.string ?? ""
            case "chapter":
                let title = try json.text(max: 64 << 10)?.string ?? ""
                chapter = MarkdownTitle.cut(title, byteCountMax: ParsedNote.titleByteCountMax)
            case "position":
                let isNumber = "-0123456789".utf8.contains(try json.next())
                if isNumber {
                    position = Int64(String(decoding: try json.numeral(), as: UTF8.self))
                } else {
                    try json.skipValue()
                }
            default: try json.skipValue()
            }
        }
        guard VaultJSONForm.isNoteID(bookKey) else { return nil }
    }
}
