// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

public import ParserProtocol

/// `BookMerge` makes one list of what several services found. A book that more than one of them has, by its ISBN, is
/// one result.
public enum BookMerge {
    /// Returns the books in the order of the lists, each where it first stands. What the first of two lacks is taken
    /// from the second: whole fields, never parts of a text.
    ///
    /// - Parameter lists: the best service first; notes without a book are left out.
    public static func merged(_ lists: [[ParsedNote]]) -> [ParsedNote] {
        var result: [ParsedNote] = []
        var places: [ISBN: Int] = [:]
        for note in lists.joined() where note.book != nil {
            let numbers = numbers(of: note)
            if let place = numbers.compactMap({ places[$0] }).min() {
                result[place].fill(from: note)
                for number in numbers where places[number] == nil { places[number] = place }
            } else {
                for number in numbers { places[number] = result.count }
                result.append(note)
            }
        }
        return result
    }

    /// Returns the numbers of a book, each in its form of thirteen digits.
    public static func numbers(of note: ParsedNote) -> [ISBN] {
        let texts = (note.book?.identifiers ?? []).filter { $0.kind == "isbn13" || $0.kind == "isbn10" }
        var numbers: [ISBN] = []
        for text in texts {
            if let number = ISBN(text.value), !numbers.contains(number) { numbers.append(number) }
        }
        return numbers
    }
}

extension ParsedNote {
    fileprivate mutating func fill(from other: ParsedNote) {
        guard var own = book, let more = other.book else { return }
        if body.isEmpty { body = other.body }
        if own.subtitle.isEmpty, title == other.title { own.subtitle = more.subtitle }
        if own.authors.isEmpty { own.authors = more.authors }
        if own.publishers.isEmpty { own.publishers = more.publishers }
        if own.published.isEmpty { own.published = more.published }
        if own.pages == 0 { own.pages = more.pages }
        if own.language.isEmpty { own.language = more.language }
        if own.coverAddress.isEmpty { own.coverAddress = more.coverAddress }
        for identifier in more.identifiers where !own.identifiers.contains(identifier) {
            guard own.identifiers.count < ParsedBook.nameCountMax else { break }
            own.identifiers.append(identifier)
        }
        book = own
    }
}
