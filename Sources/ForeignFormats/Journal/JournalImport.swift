// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import ParserProtocol

/// `JournalImport` reads a journal of jrnl: its JSON export, its text file, or its folder of text files. Each entry
/// becomes a note.
struct JournalImport: ForeignImporter {
    private static let encryptedMarks: [[UInt8]] = ["JRNLv3", "gAAAA"].map { (text: String) in Array(text.utf8) }

    private var uses: [String: Int] = [:]
    private var fault: ImportFailure?
    private let kind: SourceKind

    init(_ kind: SourceKind) { self.kind = kind }

    static func recognition(of view: SourceView) -> Recognition {
        switch view.shape {
        case .tar, .zip: return .none
        case .folder:
            let texts = view.files.filter { $0.ending == "txt" }
            return !texts.isEmpty && texts.allSatisfy(isDay) ? .likely : .none
        case .file:
            if view.question.head.starts(with: "JRNLv3".utf8) { return .likely }
            guard view.isJSON else { return isEntryLine(view.begin) ? .likely : .none }
            // Day One has entries with tags too, and a time of another name.
            let isExport =
                view.contains("\"entries\"") && view.contains("\"tags\"") && !view.contains("\"creationDate\"")
            return isExport ? .likely : .none
        }
    }

    static func isEncrypted(_ view: SourceView) -> Bool {
        encryptedMarks.contains { view.question.head.starts(with: $0) }
    }

    /// Returns whether a file is `YYYY/MM/DD.txt`.
    private static func isDay(_ file: FolderFile) -> Bool {
        file.folders.count == 2 && file.folders[0].isNumber(ofDigits: 4) && file.folders[1].isNumber(ofDigits: 2)
            && file.stem.isNumber(ofDigits: 2)
    }

    /// Returns whether a line begins with "[2026-01-31 09:00] …", with or without the hour, and in either notation of
    /// it.
    private static func isEntryLine(_ text: ArraySlice<UInt8>) -> Bool {
        let line = Array(text.prefix(11))
        guard line.count == 11, line[0] == 0x5B, line[5] == 0x2D, line[8] == 0x2D else { return false }
        return [1, 2, 3, 4, 6, 7, 9, 10].allSatisfy { (0x30...0x39).contains(line[$0]) }
    }

    mutating func read(_ source: any EntrySource, pass: Int, _ output: ImportOutput) throws(ImportFailure) -> Bool {
        var names: Set<String> = []
        while let entry = try source.nextEntry() {
            if let refusal = entry.refusal {
                output.refuse(refusal, entry.path)
                continue
            }
            guard kind == .file || Self.isDay(entry.path) else {
                output.refuse(.unknownKind, entry.path)
                continue
            }
            // A folder's files are days: the journal is the folder. A file's name is the journal's.
            let notebook =
                entry.path.contains(UInt8(ascii: "/"))
                ? "" : MarkdownTitle.clean(MarkdownPath.stem(of: entry.path)) ?? ""
            if !notebook.isEmpty, names.insert(notebook).inserted { output.found.notebooks += 1 }
            let peeked = try PeekedSource(source)
            if Self.encryptedMarks.contains(where: { peeked.first.starts(with: $0) }) {
                output.refuse(.encrypted, entry.path)
            } else if peeked.first.drop(while: { [0x20, 9, 10, 13, 0xEF, 0xBB, 0xBF].contains($0) }).first
                == UInt8(ascii: "{")
            {
                try readJSON(peeked, entry, notebook, output)
            } else {
                try readText(peeked, entry, notebook, output)
            }
        }
        if let fault { throw fault }
        return false
    }

    /// Returns whether a path is `YYYY/MM/DD.txt`: jrnl keeps a folder so, and never reads another file in it.
    private static func isDay(_ path: [UInt8]) -> Bool {
        let parts = path.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        guard parts.count == 3, parts[2].suffix(4).elementsEqual(".txt".utf8) else { return false }
        return zip([parts[0], parts[1], parts[2].dropLast(4)], [4, 2, 2]).allSatisfy { part, count in
            part.count == count && part.allSatisfy { (0x30...0x39).contains($0) }
        }
    }

    /// Reads the entries of one file; those before a break count.
    private mutating func readJSON(
        _ source: any EntrySource, _ entry: SourceEntry, _ notebook: String, _ output: ImportOutput
    ) throws(ImportFailure) {
        var entries = JSONItems("entries", of: source)
        do throws(ImportFailure) {
            try read(&entries, notebook, output)
        } catch {
            guard error.reason == .malformedContainer, entries.number > 0 else { throw error }
            fault = ImportFailure(.malformedContainer, path: entry.path + Array(": ".utf8) + entries.place("entry"))
        }
    }

    private mutating func read(_ entries: inout JSONItems, _ notebook: String, _ output: ImportOutput)
        throws(ImportFailure)
    {
        while let element = try entries.next() {
            output.found.notes += 1
            guard case .value(let value) = element, case .object = value else {
                output.refuse(.damaged, entries.place("entry"))
                continue
            }
            let time = (value["date"]?.text ?? "") + " " + (value["time"]?.text ?? "")
            var tags = (value["tags"]?.items ?? []).compactMap(\.text)
            if value["starred"]?.isTrue == true { tags.append("starred") }
            deliver(
                JournalEntry(
                    time: time, title: value["title"]?.text ?? "", body: Array((value["body"]?.text ?? "").utf8),
                    tags: tags), notebook,
                output)
        }
    }

    private mutating func readText(
        _ source: any EntrySource, _ entry: SourceEntry, _ notebook: String, _ output: ImportOutput
    ) throws(ImportFailure) {
        var lines = LineStream(source)
        var current: JournalEntry?
        while let line = try lines.next() {
            if let head = JournalEntry(head: line) {
                if let current { finish(current, notebook, output) }
                current = head
            } else if current != nil {
                current?.add(line: line)
            } else if line.contains(where: { $0 > 0x20 }) {
                // What stands before the first date is no entry; it must not be lost for that.
                current = JournalEntry(time: "", title: MarkdownPath.stem(of: entry.path), body: line + [10], tags: [])
            }
        }
        if let current { finish(current, notebook, output) }
        if source.isCutShort { output.refuse(.damaged, entry.path) }
    }

    private mutating func finish(_ entry: JournalEntry, _ notebook: String, _ output: ImportOutput) {
        output.found.notes += 1
        var entry = entry
        // jrnl parts entries with an empty line: it is not the last entry's once another one follows.
        entry.endWithOneLineFeed()
        deliver(entry, notebook, output)
    }

    private mutating func deliver(_ entry: JournalEntry, _ notebook: String, _ output: ImportOutput) {
        let natural = NoteAssembly.key(entry.time + "/" + (MarkdownTitle.clean(entry.title) ?? ""))
        uses[natural, default: 0] += 1
        let number = uses[natural, default: 1]
        var note = NoteAssembly(
            sourceKey: number == 1 ? natural : MarkdownTitle.cut(natural, byteCountMax: 1000) + "#\(number)")
        if number > 1 { note.losses.add(.titleMadeUnique) }
        note.setTitle(entry.title)
        note.setNotebook(notebook)
        for tag in entry.allTags {
            output.found.tags += 1
            note.addTag(tag)
        }
        let time = MarkdownDate.local(entry.time)
        if time == nil { note.losses.add(.dateReplaced, detail: "date") }
        // One date in the journal, of both times.
        if time?.isLocal == true { note.insert(.createdWithoutZone) }
        note.setTimes(created: time?.milliseconds, updated: time?.milliseconds)
        if entry.isCut { note.losses.add(.bodyTooLong) }
        note.setBody(MarkdownText(entry.body, &note.losses).bytes)
        output.deliver(note.finished())
    }
}

/// `LineStream` reads the lines of a file without their ends; one of more than 16 MiB comes in parts.
private struct LineStream {
    private let source: any EntrySource
    private var piece: [UInt8] = []
    private var at = 0
    private var isAtEnd = false

    init(_ source: any EntrySource) { self.source = source }

    mutating func next() throws(ImportFailure) -> [UInt8]? {
        guard !isAtEnd else { return nil }
        var line: [UInt8] = []
        while line.count < ParsedNote.bodyByteCountMax {
            if at == piece.count {
                piece = try source.readPiece()
                at = 0
                if piece.isEmpty {
                    isAtEnd = true
                    return line.isEmpty ? nil : line
                }
            }
            let end = piece[at...].firstIndex(of: UInt8(ascii: "\n")) ?? piece.count
            line += piece[at..<end]
            at = min(end + 1, piece.count)
            if end < piece.count {
                if line.last == UInt8(ascii: "\r") { line.removeLast() }
                return line
            }
        }
        return line
    }
}
