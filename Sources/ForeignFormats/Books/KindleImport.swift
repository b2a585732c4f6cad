// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import ParserProtocol

/// `KindleImport` reads a Kindle's "My Clippings.txt": each book with what was highlighted and noted in it.
///
/// The device adds at the end of the file and changes nothing: an extended highlight is there twice, and a note stands
/// apart from what it is about. So all of it is held until the end.
struct KindleImport: ForeignImporter {
    private static let byteCountMax = 32 << 20
    private static let separatorCountMin = 10

    private var books: [String: KindleBook] = [:]
    /// In the order of their first clippings.
    private var order: [String] = []
    private let kind: SourceKind

    init(_ kind: SourceKind) { self.kind = kind }

    static func recognition(of view: SourceView) -> Recognition {
        switch view.shape {
        case .tar, .zip: return .none
        case .folder:
            return view.files.contains { $0.name.lowercased() == "my clippings.txt" } ? .likely : .none
        case .file: return isClippings(Array(view.begin)) ? .likely : .none
        }
    }

    /// Returns whether a text begins as clippings do: a book, its place with a dash and bars, and a line of "=".
    private static func isClippings(_ text: [UInt8]) -> Bool {
        let lines = String(decoding: text.prefix(64 << 10), as: UTF8.self).split(whereSeparator: \.isNewline)
        guard lines.count > 2, KindlePlace.isOne(String(lines[1])) else { return false }
        return lines.contains { isSeparator(String($0)) }
    }

    private static func isSeparator(_ line: String) -> Bool {
        let signs = line.utf8.drop { $0 != UInt8(ascii: "=") }.prefix { $0 == UInt8(ascii: "=") }
        return signs.count >= separatorCountMin && line.allSatisfy { $0 == "=" || $0.isWhitespace || $0 == "\u{FEFF}" }
    }

    mutating func read(_ source: any EntrySource, pass: Int, _ output: ImportOutput) throws(ImportFailure) -> Bool {
        var isCut: ImportFailure?
        while let entry = try source.nextEntry() {
            if let refusal = entry.refusal {
                output.refuse(refusal, entry.path)
                continue
            }
            guard kind == .file || EntryPath.ending(entry.path) == "txt" else {
                output.refuse(.unknownKind, entry.path)
                continue
            }
            guard let bytes = try source.readAll(max: Self.byteCountMax) else {
                output.refuse(.tooLarge, entry.path)
                continue
            }
            try take(bytes, entry, output)
            if source.isCutShort { isCut = ImportFailure(.malformedContainer, path: entry.path) }
        }
        for key in order { deliver(key, output) }
        if let isCut { throw isCut }
        return false
    }

    private mutating func take(_ bytes: [UInt8], _ entry: SourceEntry, _ output: ImportOutput) throws(ImportFailure) {
        var losses = MarkdownLosses()
        let text = String(decoding: MarkdownText(bytes, &losses).bytes, as: UTF8.self)
        let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).map(String.init)
        guard lines.contains(where: Self.isSeparator) else {
            guard kind != .file else { throw ImportFailure(.malformedContainer, path: entry.path) }
            return output.refuse(.unknownKind, entry.path)
        }
        var number = 0
        for part in lines.split(omittingEmptySubsequences: true, whereSeparator: Self.isSeparator) {
            guard part.contains(where: { !BookText.line($0.replacing("\u{FEFF}", with: "")).isEmpty }) else { continue }
            number += 1
            guard let clipping = KindleClipping(Array(part)) else {
                output.refuse(.damaged, entry.path + Array(": entry \(number)".utf8))
                continue
            }
            let key = KindleBook.key(clipping)
            if books[key] == nil {
                try output.remember(byteCount: key.utf8.count)
                books[key] = KindleBook(clipping)
                order.append(key)
            }
            books[key]?.add(clipping)
        }
    }

    private mutating func deliver(_ key: String, _ output: ImportOutput) {
        for note in books[key]?.finished() ?? [] {
            output.found.notes += 1
            output.deliver(note)
        }
        books[key] = nil
    }
}
