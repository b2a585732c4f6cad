// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentProtocol
internal import ExportFormats
internal import VaultCore
internal import VaultFormat

/// `ExportReader` reads the notes of an export out of the store, a little at a time. A note that is gone when its turn
/// comes is passed over; one that is locked, or damaged, is counted.
struct ExportReader {
    /// `Step` says what a step came to.
    enum Step {
        /// There is more to do.
        case goesOn
        case note(ExportedNote, [Attachment], NoteID)
        case end
    }

    /// Older texts of one note that are held at once, in bytes; what is beyond it is counted as lost. The newest are
    /// kept.
    static let historyByteCountMax = 64 << 20

    private let store: OpenVault
    private let scan: ExportScan
    private let readsHistory: Bool
    private let countsHistory: Bool
    private let knowsBooks: Bool
    private var isFound = false
    private var next = 0
    /// A note whose past is being read.
    private var reading: Reading?
    private(set) var lockedCount = 0
    private(set) var damagedCount = 0
    /// The first of them, by their identifiers.
    private(set) var damagedNotes: [String] = []
    /// Attachments of which nothing is known any more, and the first notes that name one.
    private(set) var lostAttachmentCount = 0
    private(set) var lostAttachmentNotes: [String] = []

    private struct Reading {
        var note: ExportedNote
        let source: ExportableNote
        var left: ArraySlice<(id: RevisionID, made: Int64)>
        /// Newest first.
        var revisions: [(record: NoteRecord, id: RevisionID, title: String)] = []
        var byteCount = 0
    }

    /// Prepares to read the notes of a scan.
    ///
    /// - Parameters:
    ///   - readsHistory: whether the format has room for older texts.
    ///   - countsHistory: whether they are counted at all.
    ///   - knowsBooks: whether the format has room for what is said of a book.
    init(_ store: OpenVault, _ scan: ExportScan, readsHistory: Bool, countsHistory: Bool, knowsBooks: Bool) {
        self.store = store
        self.scan = scan
        self.readsHistory = readsHistory
        self.countsHistory = countsHistory
        self.knowsBooks = knowsBooks
    }

    /// Nil while they are still looked for.
    var total: Int? { isFound ? scan.count : nil }

    mutating func step() throws(VaultError) -> Step {
        guard isFound else {
            isFound = try !scan.step()
            return .goesOn
        }
        // Taken out, so that what has been read is not copied with each text that joins it.
        if let reading = reading.take() { return try readOn(reading) }
        guard next < scan.count else { return .end }
        defer { next += 1 }
        guard let id = scan[next] else { return .goesOn }
        return try begin(id)
    }

    private mutating func begin(_ id: NoteID) throws(VaultError) -> Step {
        let source: ExportableNote
        var revisions: [(id: RevisionID, made: Int64)] = []
        do throws(VaultError) {
            source = try store.notes.exportable(id)
            if countsHistory {
                revisions = try store.history.revisions(of: id).filter { $0.id != source.note.revision }
            }
        } catch {
            return try passOver(id, error)
        }
        if source.lostAttachmentCount > 0 {
            lostAttachmentCount += source.lostAttachmentCount
            if lostAttachmentNotes.count < 20 { lostAttachmentNotes.append(id.text) }
        }
        var note = ExportedNote(source)
        if !knowsBooks { note.describeBook() }
        note.revisionCount = revisions.count
        guard readsHistory, !revisions.isEmpty else { return .note(note, source.attachments, id) }
        reading = Reading(note: note, source: source, left: revisions[...])
        return .goesOn
    }

    /// Reads one more of its older texts.
    private mutating func readOn(_ current: consuming Reading) throws(VaultError) -> Step {
        var current = current
        let id = current.source.note.id
        guard let revision = current.left.popFirst(), current.byteCount < Self.historyByteCountMax else {
            current.note.revisions = ExportedRevision.list(current.revisions)
            return .note(current.note, current.source.attachments, id)
        }
        do throws(VaultError) {
            let summary = try store.history.summary(of: revision, id)
            current.byteCount += summary.record.body.utf8.count + 1024
            current.revisions.append((summary.record, summary.id, summary.record.title ?? summary.title))
        } catch {
            switch error.code {
            case .thinned: current.note.revisionCount -= 1
            // The note itself is whole: the format counts what it did not get.
            case .integrity: break
            default: return try passOver(id, error)
            }
        }
        reading = current
        return .goesOn
    }

    private mutating func passOver(_ id: NoteID, _ error: VaultError) throws(VaultError) -> Step {
        switch error.code {
        case .notFound: break
        case .noteLocked: lockedCount += 1
        case .integrity, .noteDamaged:
            damagedCount += 1
            if damagedNotes.count < 20 { damagedNotes.append(id.text) }
        default: throw error
        }
        return .goesOn
    }
}

extension ExportedNote {
    init(_ source: ExportableNote) {
        let note = source.note
        self.init(id: note.id.text, title: note.title, body: note.body, created: note.created, modified: note.modified)
        titleIsSet = note.titleIsSet
        tags = note.tags
        notebook = note.notebook
        flags = note.flags
        isPrivate = note.protection != .none
        self.source = source.source
        book = source.book
        bookPlace = source.place.map { place in
            ExportedPlace(
                book: place.book.book.text, title: place.title, chapter: place.chapter, position: place.book.position)
        }
        attachments = source.attachments.map { attachment in
            var made = ExportedAttachment(
                id: attachment.id.text, name: attachment.details.name, mediaType: attachment.details.mediaType,
                kind: attachment.details.kind.word,
                byteCount: attachment.details.byteCount, created: attachment.details.created)
            made.caption = attachment.details.caption
            return made
        }
    }

    /// About what it takes in memory, in bytes.
    var heldByteCount: Int {
        body.utf8.count + 1024 + attachments.count * 512 + revisions.reduce(0) { $0 + $1.body.utf8.count + 512 }
    }
}

extension ExportedRevision {
    /// Returns the revisions of a note with the change that made each, the oldest first.
    ///
    /// - Parameter newestFirst: as the store gives them.
    fileprivate static func list(_ newestFirst: [(record: NoteRecord, id: RevisionID, title: String)])
        -> [ExportedRevision]
    {
        var previous: NoteRecord?
        return newestFirst.reversed().map { record, id, title in
            defer { previous = record }
            return ExportedRevision(
                id: id.text, modified: record.modified, operation: RevisionChange.word(from: previous, to: record),
                title: title,
                body: record.body, tags: record.tags, notebook: record.notebook)
        }
    }
}
