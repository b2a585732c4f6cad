// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import ParserProtocol

/// A `BookList` is a service that exports its books as a table, a row for each.
protocol BookList {
    /// Columns that no other table has together, in lower case.
    static var marks: [String] { get }
    /// Returns the book of a row and its notes; nil if it has no title.
    static func entry(_ row: inout BookRow) -> BookListEntry?
}

/// `BookListEntry` is what a row gives: a book, and notes that belong to it.
struct BookListEntry {
    let book: ParsedNote
    var notes: [ParsedNote] = []
}

/// `BookRow` is a row of a table, whose cells are called by the names of their columns.
struct BookRow {
    let columns: [String: Int]
    private let names: [String]
    private let cells: [[UInt8]]
    private var used: Set<Int> = []
    /// Of the texts that were read.
    var losses = MarkdownLosses()

    init(columns: [String: Int], names: [String], cells: [[UInt8]]) {
        (self.columns, self.names, self.cells) = (columns, names, cells)
    }

    /// Returns the text of a cell; empty where the table has no such column, or the row ends before it.
    mutating func text(_ column: String) -> String {
        guard let at = columns[column] else { return "" }
        used.insert(at)
        return cells.indices.contains(at) ? BookText.text(cells[at], &losses) : ""
    }

    /// Passes over columns that say what others say.
    mutating func skip(_ columns: String...) {
        for column in columns { if let at = self.columns[column] { used.insert(at) } }
    }

    /// Returns the cells that were not asked for, with short names of their columns.
    mutating func rest() -> [(name: String, text: String)] {
        cells.indices.filter { !used.contains($0) }.map { at in
            let name = names.indices.contains(at) ? BookText.name(names[at]) : ""
            return (name.isEmpty ? "column-\(at + 1)" : name, BookText.text(cells[at], &losses))
        }
    }
}

/// `BookListImport` reads the table that a service for readers exports: books, with their reviews as notes.
struct BookListImport<List: BookList>: ForeignImporter {
    private var known: Set<String> = []
    private var faults: [ImportFailure] = []
    private let kind: SourceKind

    init(_ kind: SourceKind) { self.kind = kind }

    static func recognition(of view: SourceView) -> Recognition {
        guard view.shape == .file else { return .none }
        return List.marks.allSatisfy { view.columns.contains(Array($0.utf8)) } ? .likely : .none
    }

    mutating func read(_ source: any EntrySource, pass: Int, _ output: ImportOutput) throws(ImportFailure) -> Bool {
        while let entry = try source.nextEntry() {
            if let refusal = entry.refusal {
                output.refuse(refusal, entry.path)
                continue
            }
            guard kind == .file || EntryPath.ending(entry.path) == "csv" else {
                output.refuse(.unknownKind, entry.path)
                continue
            }
            try read(entry, source, output)
        }
        for fault in faults.dropLast() { output.refuse(fault.reason, fault.path) }
        if let last = faults.last { throw last }
        return false
    }

    /// Reads the rows of one file; those before a break count.
    private mutating func read(_ entry: SourceEntry, _ source: any EntrySource, _ output: ImportOutput)
        throws(ImportFailure)
    {
        guard let reader = CSVReader(source), case .cells(let head)? = try reader.next() else {
            faults.append(ImportFailure(.malformedContainer, path: entry.path))
            return
        }
        let names = head.map { BookText.line(String(decoding: $0, as: UTF8.self)).lowercased() }
        let columns = Dictionary(names.enumerated().map { ($1, $0) }) { first, _ in first }
        guard List.marks.allSatisfy({ columns[$0] != nil }) else {
            faults.append(ImportFailure(.malformedContainer, path: entry.path))
            return
        }
        while let row = try reader.next() {
            let place = entry.path + Array(": row \(reader.number)".utf8)
            switch row {
            case .tooLarge:
                output.found.notes += 1
                output.refuse(.tooLarge, place)
            case .cells(let cells):
                try take(BookRow(columns: columns, names: names, cells: cells), place, output)
            }
        }
        guard reader.endsInQuotes || source.isCutShort else { return }
        faults.append(
            ImportFailure(.malformedContainer, path: entry.path + Array(": row \(reader.number)".utf8)))
    }

    private mutating func take(_ row: BookRow, _ place: [UInt8], _ output: ImportOutput) throws(ImportFailure) {
        var row = row
        output.found.notes += 1
        guard let entry = List.entry(&row) else { return output.refuse(.damaged, place) }
        try output.remember(byteCount: entry.book.sourceKey.utf8.count)
        guard known.insert(entry.book.sourceKey).inserted else { return output.refuse(.duplicate, place) }
        output.found.notes += UInt64(entry.notes.count)
        output.found.tags += UInt64(entry.book.tags.count)
        output.deliver(entry.book)
        for note in entry.notes { output.deliver(note) }
    }
}

extension BookListEntry {
    /// Adds a note to the book, with a title of its own; a text that is empty is none.
    mutating func add(_ title: String, _ text: String) {
        guard text.contains(where: { !$0.isWhitespace }) else { return }
        var note = NoteAssembly(
            sourceKey: MarkdownTitle.cut(book.sourceKey, byteCountMax: 1000) + "/" + BookText.name(title))
        note.setTitle(title)
        note.setBody(BookText.markdown(text, &note.losses))
        var parsed = note.finished()
        parsed.place = ParsedPlace(bookKey: book.sourceKey)
        notes.append(parsed)
    }
}
