// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

public import ParserProtocol

/// `ImportOutput` takes what importers found. It counts, and it keeps what an importer remembers within bounds.
public final class ImportOutput {
    /// Refusals that are named one by one for each reason; all are counted.
    static let namedRefusalCountMax = 1000
    /// What an importer may remember between two readings of a container, in bytes: names and identifiers, never
    /// content.
    static let indexByteCountMax = 256 << 20

    public private(set) var summary = ImportSummary()
    private let sink: (ImportRecord) -> Void
    private var named: [RefusedEntry.Reason: Int] = [:]
    /// Of all attachments that were sent: as bytes, for two spellings of an accent are two files.
    private var keys: Set<[UInt8]> = []
    private var indexByteCount = 0

    public init(_ sink: @escaping (ImportRecord) -> Void) { self.sink = sink }

    var found: ImportCounts {
        get { summary.found }
        set { summary.found = newValue }
    }

    /// Names of notebooks, for the counts.
    private var notebooks: Set<String> = []

    func deliver(_ note: ParsedNote) {
        summary.delivered.notes += 1
        summary.delivered.tags += UInt64(note.tags.count)
        summary.delivered.links += UInt64(note.links.count)
        summary.lossCount += UInt64(note.losses.count { !$0.code.isKept })
        if !note.notebook.isEmpty, notebooks.insert(note.notebook).inserted { summary.delivered.notebooks += 1 }
        sink(.note(note))
    }

    func refuse(_ reason: RefusedEntry.Reason, _ path: some Sequence<UInt8>) {
        summary.refusedCount += 1
        named[reason, default: 0] += 1
        if named[reason, default: 0] <= Self.namedRefusalCountMax { sink(.refused(RefusedEntry(reason, path: path))) }
    }

    /// Passes the rest of the source's file on as an attachment.
    ///
    /// - Returns: whether it is whole.
    @discardableResult
    func attachment(key: String, name: String, _ entry: SourceEntry, _ source: any EntrySource) throws(ImportFailure)
        -> Bool
    {
        guard start(key: key, name: name, modified: entry.modified) else { return false }
        while true {
            let piece = try source.readPiece()
            if piece.isEmpty { break }
            append(piece)
        }
        end(isWhole: !source.isCutShort)
        return !source.isCutShort
    }

    /// Passes on bytes that were made here, such as the original of a text, as an attachment.
    func attachment(key: String, name: String, bytes: [UInt8]) {
        guard start(key: key, name: name, modified: nil) else { return }
        append(bytes)
        end(isWhole: true)
    }

    /// Begins an attachment.
    ///
    /// - Returns: false if the key cannot be one, or was one before; then nothing was sent.
    func start(key: String, name: String, modified: Int64?, traits: AttachmentTraits? = nil) -> Bool {
        // Notes name attachments by their key: of two files with one path the first counts, as everywhere.
        guard !keys.contains(Array(key.utf8)) else {
            refuse(.duplicate, key.utf8)
            return false
        }
        guard let start = try? AttachmentStart(key: key, name: SafeName.clean(name), modified: modified, traits: traits)
        else { return false }
        keys.insert(Array(key.utf8))
        sink(.attachmentStart(start))
        return true
    }

    func append(_ bytes: [UInt8]) {
        var rest = bytes[...]
        while !rest.isEmpty {
            sink(.attachmentBytes(Array(rest.prefix(ImportRecord.pieceByteCountMax))))
            rest = rest.dropFirst(ImportRecord.pieceByteCountMax)
        }
    }

    func end(isWhole: Bool) {
        summary.delivered.attachments += 1
        sink(.attachmentEnd(isWhole: isWhole))
    }

    /// Accounts for something that stays in memory until the end.
    func remember(byteCount: Int) throws(ImportFailure) {
        indexByteCount += byteCount + 96
        guard indexByteCount <= Self.indexByteCountMax else { throw ImportFailure(.tooManyEntries) }
    }

    func again() { sink(.again) }

    func finish(_ failure: ImportFailure?) {
        if let failure {
            summary.isComplete = false
            summary.refusedCount += 1
            sink(.refused(RefusedEntry(failure.reason, path: failure.path)))
        }
        sink(.summary(summary))
    }
}
