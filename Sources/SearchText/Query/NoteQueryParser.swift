// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// `NoteQueryParser` reads the language of `NoteQuery`. One pass over the text, one term after another.
struct NoteQueryParser {
    private let clock: QueryClock
    private let text: [Character]
    private var at = 0
    private var needleCount = 0

    private static let fields: Set<String> = [
        "tag", "notebook", "title", "created", "modified", "has", "state", "book", "chapter",
    ]

    init(_ text: String, clock: QueryClock) {
        self.text = Array(text)
        self.clock = clock
    }

    mutating func parse() throws(NoteQueryError) -> [[NoteQuery.Term]] {
        var alternatives: [[NoteQuery.Term]] = [[]]
        var count = 0
        while skipSpace() {
            if takeOr() {
                guard alternatives.last?.isEmpty == false else { throw Self.strayOr }
                alternatives.append([])
                continue
            }
            count += 1
            guard count <= NoteQuery.termCountMax else {
                throw NoteQueryError("more than \(NoteQuery.termCountMax) terms", hint: "use fewer")
            }
            if let term = try term() { alternatives[alternatives.count - 1].append(term) }
        }
        guard alternatives.last?.isEmpty == false else {
            throw alternatives.count > 1
                ? Self.strayOr : NoteQueryError("nothing to search for", hint: "vault search WORD")
        }
        return alternatives
    }

    private static let strayOr = NoteQueryError(
        "OR needs something on both sides", hint: "vault search 'tea OR coffee'; the word itself is \"OR\" in quotes")

    private mutating func skipSpace() -> Bool {
        while at < text.count, text[at].isWhitespace { at += 1 }
        return at < text.count
    }

    private mutating func takeOr() -> Bool {
        guard text[at...].starts(with: "OR"), at + 2 == text.count || text[at + 2].isWhitespace else { return false }
        at += 2
        return true
    }

    private mutating func term() throws(NoteQueryError) -> NoteQuery.Term? {
        var isNegated = false
        if text[at] == "-", at + 1 < text.count, !text[at + 1].isWhitespace {
            isNegated = true
            at += 1
        }
        let field = takeField()
        let values = field == nil ? [word()].compactMap { $0 } : values()
        guard let field else {
            guard let value = values.first else { return nil }
            let needle = TextFold.fold(value).trimmedSpaces
            return needle.isEmpty ? nil : NoteQuery.Term(isNegated: isNegated, conditions: [.text(try counted(needle))])
        }
        guard !values.isEmpty else { throw NoteQueryError("\(field): has no value", hint: Self.hint(field)) }
        var conditions: [NoteQuery.Condition] = []
        for value in values { conditions.append(try condition(field, value)) }
        return NoteQuery.Term(isNegated: isNegated, conditions: conditions)
    }

    /// Takes a known field's name with its colon, or the plus sign before a tag and its first letter; nil, and
    /// nothing is taken, for anything else.
    private mutating func takeField() -> String? {
        if text[at] == "+", at + 1 < text.count, text[at + 1].isLetter {
            at += 1
            return "tag"
        }
        let name = text[at...].prefix { $0.isASCII && $0.isLetter }
        guard at + name.count < text.count, text[at + name.count] == ":" else { return nil }
        let field = String(name).lowercased()
        guard Self.fields.contains(field) else { return nil }
        at += name.count + 1
        return field
    }

    private static func isQuote(_ character: Character) -> Bool { character == "\"" || character == "\u{FF02}" }

    /// Reads a word, or what stands between quotes; a quote that is not closed goes on to the end.
    private mutating func word() -> String? {
        if Self.isQuote(text[at]) { return quoted() }
        let begin = at
        while at < text.count, !text[at].isWhitespace { at += 1 }
        return String(text[begin..<at])
    }

    private mutating func quoted() -> String {
        at += 1
        let begin = at
        while at < text.count, !Self.isQuote(text[at]) { at += 1 }
        defer { at = min(at + 1, text.count) }
        return String(text[begin..<at])
    }

    /// Reads what stands behind a field, `|` between several.
    private mutating func values() -> [String] {
        var values: [String] = []
        while at < text.count, !text[at].isWhitespace {
            if Self.isQuote(text[at]) {
                values.append(quoted())
            } else {
                let begin = at
                while at < text.count, !text[at].isWhitespace, text[at] != "|" { at += 1 }
                values.append(String(text[begin..<at]))
            }
            if at < text.count, text[at] == "|" { at += 1 }
        }
        return values.filter { $0.contains { !$0.isWhitespace } }
    }

    private mutating func condition(_ field: String, _ value: String) throws(NoteQueryError) -> NoteQuery.Condition {
        switch field {
        case "title": return .title(try counted(TextFold.fold(value).trimmedSpaces))
        case "tag": return .tag(TextFold.fold(value.hasPrefix("#") ? String(value.dropFirst()) : value).trimmedSpaces)
        case "notebook": return .notebook(TextFold.fold(value).trimmedSpaces)
        case "book": return .book(try counted(TextFold.fold(value).trimmedSpaces))
        case "chapter": return .chapter(try counted(TextFold.fold(value).trimmedSpaces))
        case "created", "modified":
            guard let range = DateRange.parse(value, clock) else { throw Self.wrong(field, value) }
            return field == "created" ? .created(range) : .modified(range)
        case "has":
            guard let feature = NoteQuery.Feature(rawValue: value.lowercased()) else { throw Self.wrong(field, value) }
            return .has(feature)
        default:
            guard let state = NoteQuery.State(word: value.lowercased()) else { throw Self.wrong(field, value) }
            return .state(state)
        }
    }

    private mutating func counted(_ needle: [UInt8]) throws(NoteQueryError) -> [UInt8] {
        needleCount += 1
        guard needleCount <= SearchQuery.needleCountMax, needle.count <= SearchQuery.needleByteCountMax, !needle.isEmpty
        else {
            throw NoteQueryError(
                "too many words, or one that is too long",
                hint: "at most \(SearchQuery.needleCountMax) words of 1,000 bytes")
        }
        return needle
    }

    private static func wrong(_ field: String, _ value: String) -> NoteQueryError {
        let isOfDates = field == "created" || field == "modified"
        return NoteQueryError(
            "'\(value.prefix(40))' is not a \(isOfDates ? "date" : "value of \(field):")", hint: hint(field))
    }

    private static func hint(_ field: String) -> String {
        switch field {
        case "created", "modified":
            "\(field):2026-11-21, \(field):>2026-01-01, \(field):2026-01-01..2026-02-01, \(field):7d, \(field):today"
        case "has": "has:" + NoteQuery.Feature.allCases.map(\.rawValue).joined(separator: "|")
        case "state": "state:" + NoteQuery.State.allCases.map(\.word).joined(separator: "|")
        default: "\(field):NAME, or \(field):\"two words\""
        }
    }
}

extension [UInt8] {
    /// The bytes without spaces at the ends; folded text has no other white space.
    var trimmedSpaces: [UInt8] { Array(drop { $0 == 0x20 }.reversed().drop { $0 == 0x20 }.reversed()) }
}
