// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// `KindleClipping` is an entry of a Kindle's "My Clippings.txt": a line with the book, a line with place and date, an
/// empty one, and a text.
struct KindleClipping {
    /// What stands for the words beyond those that a publisher lets a reader copy, up to the name of the limit.
    private static let limits = [
        "<You have reached the clipping limit", "<Vous avez atteint la limite", "<Sie haben das Limit",
        "<Sie haben die maximale", "<Has alcanzado el límite", "<Ha alcanzado el límite",
        "<Hai raggiunto il limite",
    ]
    private static let nobody: Set<String> = ["unknown", "unbekannt", "inconnu(e)", "inconnu", "desconocido"]

    let title: String
    let authors: [String]
    let place: KindlePlace
    private(set) var text: String
    /// Whether the end of the text is missing: the publisher allows no more.
    private(set) var isLimited = false

    /// Reads the lines of an entry.
    ///
    /// - Returns: nil if it has no book.
    init?(_ lines: [String]) {
        let lines = lines.drop { BookText.line($0.replacing("\u{FEFF}", with: "")).isEmpty }
        guard let head = lines.first else { return nil }
        (title, authors) = Self.book(BookText.line(head.replacing("\u{FEFF}", with: "")))
        guard !title.isEmpty else { return nil }
        let second = lines.dropFirst().first ?? ""
        let isPlace = KindlePlace.isOne(second)
        place = KindlePlace(isPlace ? second : "")
        let rest = lines.dropFirst(isPlace ? 2 : 1).drop { $0.allSatisfy(\.isWhitespace) }
        text = rest.joined(separator: "\n")
        while let last = text.last, last.isWhitespace { text.removeLast() }
        for limit in Self.limits {
            guard let start = BookText.place(of: limit, in: text) else { continue }
            text = String(text[..<start])
            while let last = text.last, last.isWhitespace { text.removeLast() }
            isLimited = true
        }
    }

    /// Parts "Title (Author)". The author is the last pair of brackets: both may have others.
    private static func book(_ line: String) -> (title: String, authors: [String]) {
        guard line.last == ")" else { return (line, []) }
        var depth = 0
        for at in line.indices.reversed() {
            if line[at] == ")" { depth += 1 }
            if line[at] == "(" { depth -= 1 }
            guard depth == 0 else { continue }
            let title = BookText.line(String(line[..<at]))
            let name = String(line[line.index(after: at)...].dropLast())
            // An edition is no author; neither is a title that is all brackets.
            guard !title.isEmpty, !name.lowercased().hasSuffix(" edition") else { return (line, []) }
            return (title, nobody.contains(name.lowercased()) ? [] : names(name))
        }
        return (line, [])
    }

    /// Returns the names of "Last, First;Last, First", each as it is spoken.
    private static func names(_ text: String) -> [String] {
        text.split(separator: ";").map { BookText.line(String($0)) }.filter { !$0.isEmpty }.map { name in
            let parts = name.split(separator: ",").map { BookText.line(String($0)) }
            return parts.count == 2 && !parts[0].isEmpty && !parts[1].isEmpty ? "\(parts[1]) \(parts[0])" : name
        }
    }
}
