// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import ForeignFormats
import ParserProtocol

/// Files in memory, as a container gives them.
final class MemorySource: EntrySource {
    private let files: [(path: String, content: [UInt8])]
    private let pieceByteCount: Int
    private var index = -1
    private var at = 0
    private(set) var readingCount = 1
    let isCutShort = false

    init(_ files: [(String, [UInt8])], pieceByteCount: Int = 64 << 10) {
        self.files = files.map { (path: $0.0, content: $0.1) }
        self.pieceByteCount = pieceByteCount
    }

    convenience init(_ files: [(String, String)], pieceByteCount: Int = 64 << 10) {
        self.init(files.map { ($0.0, Array($0.1.utf8)) }, pieceByteCount: pieceByteCount)
    }

    func nextEntry() throws(ImportFailure) -> SourceEntry? {
        index += 1
        at = 0
        guard index < files.count else { return nil }
        let path = Array(files[index].path.utf8)
        switch EntryPath.check(path) {
        case .success(let clean): return SourceEntry(path: clean, modified: 1_700_000_000_000)
        case .failure(let refusal): return SourceEntry(path: path, modified: nil, refusal: refusal.reason)
        }
    }

    func readPiece() throws(ImportFailure) -> [UInt8] {
        guard files.indices.contains(index) else { return [] }
        let piece = Array(files[index].content[at...].prefix(pieceByteCount))
        at += piece.count
        return piece
    }

    func rewind() throws(ImportFailure) {
        index = -1
        readingCount += 1
    }
}

/// Everything that an import sent.
struct Imported {
    var notes: [ParsedNote] = []
    var refused: [RefusedEntry] = []
    var attachments: [String: [UInt8]] = [:]
    var damaged: Set<String> = []
    var summary: ImportSummary?
    /// Attachments came before the notes that name them, each piece within its cap, every record read back as itself.
    var isWellFormed = true
    private var current: AttachmentStart?

    init(_ format: ImportFormat, _ source: any EntrySource, kind: SourceKind = .file) {
        final class Box { var records: [ImportRecord] = [] }
        let box = Box()
        format.run(source, ImportOutput { box.records.append($0) }, kind: kind)
        self.init(box.records)
    }

    init(_ records: [ImportRecord]) {
        for record in records { take(record) }
    }

    private mutating func take(_ record: ImportRecord) {
        if (try? ImportRecord(parsing: record.encoded)) != record || summary != nil { isWellFormed = false }
        switch record {
        case .note(let note):
            if current != nil || !note.attachments.allSatisfy({ attachments[$0.key] != nil }) { isWellFormed = false }
            notes.append(note)
        case .attachmentStart(let start):
            if current != nil || attachments[start.key] != nil { isWellFormed = false }
            current = start
            attachments[start.key] = []
        case .attachmentBytes(let bytes):
            if let current { attachments[current.key, default: []] += bytes } else { isWellFormed = false }
        case .attachmentEnd(let isWhole):
            if let current, !isWhole { damaged.insert(current.key) }
            current = nil
        case .refused(let entry): refused.append(entry)
        case .again: if current != nil { isWellFormed = false }
        case .summary(let value): summary = value
        }
    }

    func note(_ key: String) -> ParsedNote? { notes.first { $0.sourceKey == key } }
    func note(titled title: String) -> ParsedNote? { notes.first { $0.title == title } }
    var reasons: [RefusedEntry.Reason] { refused.map(\.reason) }
}
