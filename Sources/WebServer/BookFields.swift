// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentClient
internal import AgentProtocol
internal import Dates
internal import VaultFormat

/// `BookFields` reads what the page says of a book.
enum BookFields {
    static var malformed: ClientFailure { .usage("the request is malformed", hint: "") }

    static func shelf(_ name: String) throws(ClientFailure) -> BookShelf {
        guard let shelf = BookShelf.named(name) else { throw malformed }
        return shelf
    }

    static func title(_ fields: FormFields) throws(ClientFailure) -> String {
        let title = fields.text("title").trimmingBlanks
        guard !title.isEmpty else { throw .usage("a title is needed", hint: "") }
        guard title.utf8.count <= 4096 else { throw .usage("this title is too long", hint: "at most 4,096 bytes") }
        return title
    }

    /// Reads facts; those that are not there stay as they are. An empty one removes what was there.
    static func facts(_ fields: FormFields) throws(ClientFailure) -> BookFacts {
        var facts = BookFacts()
        facts.subtitle = fields["subtitle"]?.trimmingBlanks
        facts.published = fields["published"]?.trimmingBlanks
        facts.language = fields["language"]?.trimmingBlanks
        facts.authors = names(fields, "author")
        facts.publishers = names(fields, "publisher")
        facts.identifiers = names(fields, "identifier")
        if let text = fields["pages"] { facts.pages = text.isEmpty ? 0 : try number(fields, "pages") }
        let texts = [facts.subtitle, facts.published, facts.language].compactMap { $0 }
        let all = texts + (facts.authors ?? []) + (facts.publishers ?? []) + (facts.identifiers ?? [])
        guard all.allSatisfy({ $0.utf8.count <= BookDetails.nameByteCountMax }) else {
            throw .usage("one of these texts is too long", hint: "at most 1,024 bytes, 64 of each")
        }
        return facts
    }

    /// Returns the texts of a name; nil where it is not there at all.
    private static func names(_ fields: FormFields, _ name: String) -> [String]? {
        guard fields[name] != nil else { return nil }
        return fields.all(name).map(\.trimmingBlanks).filter { !$0.isEmpty }
    }

    static func number(_ fields: FormFields, _ name: String) throws(ClientFailure) -> UInt32 {
        guard let number = fields.number(name) else {
            throw .usage("a whole number is needed", hint: "such as 120")
        }
        return number
    }

    /// Reads stars in hundredths, as JSON has them: 425 for four and a quarter.
    ///
    /// - Returns: quarters; nil where none are given.
    static func rating(_ fields: FormFields) throws(ClientFailure) -> UInt8? {
        guard fields["rating"] != nil else { return nil }
        guard let hundredths = fields.number("rating"), hundredths % 25 == 0,
            hundredths / 25 <= UInt32(BookDetails.ratingMax)
        else { throw .usage("this is not a rating", hint: "0 to 5 stars, in quarters") }
        return UInt8(hundredths / 25)
    }

    /// Reads a day such as "2026-11-29", which the browser's calendar gives.
    ///
    /// - Returns: days since 1970-01-01.
    static func day(_ fields: FormFields) throws(ClientFailure) -> UInt32 {
        guard let day = CivilDay(iso: fields.text("day")) else { throw .usage("this is not a day", hint: "2026-11-29") }
        let number = CivilCalendar.dayNumber(day.year, day.month, day.day)
        guard number > 0 else { throw .usage("this day is too early", hint: "") }
        return UInt32(clamping: number)
    }
}

extension String {
    fileprivate var trimmingBlanks: String {
        var text = Substring(self)
        while text.first?.isWhitespace == true { text.removeFirst() }
        while text.last?.isWhitespace == true { text.removeLast() }
        return String(text)
    }
}
