// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import GRDB
public import SearchText
internal import TextReading
public import VaultFormat

/// An `ExportScan` finds which notes an export is about, in steps of a few milliseconds: the oldest first, and by
/// identifier where two are of one time, so that two exports of the same notes have one order.
///
/// Notes are known by their identifiers: one that is changed meanwhile is neither lost nor found twice, because that
/// never changes. 24 bytes of memory each.
public final class ExportScan {
    private struct Found {
        let created: Int64
        let id: PackedID
        var order: (Int64, UInt64, UInt16) { (created, id.high, id.low) }
    }

    private let vault: OpenVault
    private let query: NoteQuery?
    private let places: [NotePlace]
    private var found: [Found] = []
    private var last: PackedID?
    private var isSorted = false
    private static let partCount = 200
    private let stepDuration: Duration

    /// Begins a scan.
    ///
    /// - Parameter stepDuration: how long others wait for one step, at least for one part of the notes.
    public init(
        _ vault: OpenVault, _ query: NoteQuery?, places: [NotePlace], stepDuration: Duration = .milliseconds(10)
    ) {
        self.vault = vault
        self.query = query
        self.places = places
        self.stepDuration = stepDuration
    }

    /// How many there are, once `step` has returned false.
    public var count: Int { found.count }

    public subscript(_ index: Int) -> NoteID? { try? NoteID(found[index].id.bytes) }

    /// Does a little more; false when all are found.
    public func step() throws(VaultError) -> Bool {
        guard !isSorted else { return false }
        if try nextParts() { return true }
        found.sort { $0.order < $1.order }
        isSorted = true
        return false
    }

    /// Reads the next notes in the order of their identifiers; false at the end.
    private func nextParts() throws(VaultError) -> Bool {
        let end = ContinuousClock.now + stepDuration
        return try vault.read { index in
            let plan = try FilterPlan(self.query, places: self.places, index)
            let texts = try FoldedTexts(index.database)
            let unlocked = try index.unlockedByRow()
            let rows = try RowReader(
                index.database,
                "SELECT \(NoteFields.columns(withTitle: false, withNames: true)) FROM note WHERE id > ? ORDER BY id LIMIT \(Self.partCount)"
            )
            repeat {
                var count = 0
                try rows.begin([.blob(self.last?.bytes ?? [])])
                while try rows.next() {
                    let note = try NoteFields(rows)
                    // An old page put back may lead to where the scan has been: it would never end.
                    if let last = self.last, (last.high, last.low) >= (note.id.high, note.id.low) {
                        throw VaultError(.integrity)
                    }
                    if try self.fits(note, unlocked[note.row], plan, texts, index) {
                        self.found.append(Found(created: note.created, id: note.id))
                    }
                    self.last = note.id
                    count += 1
                }
                if count < Self.partCount { return false }
            } while ContinuousClock.now < end
            return true
        }
    }

    private func fits(
        _ note: NoteFields, _ unlocked: UnlockedNote?, _ plan: FilterPlan, _ texts: FoldedTexts, _ index: ReadAccess
    ) throws -> Bool {
        let bits = plan.fits(unlocked.map { NoteFields($0) } ?? note)
        guard bits != 0 else { return false }
        guard plan.looksAtTexts else { return true }
        return try index.withFolded(note, unlocked, texts) { plan.score($0, $1, bits) } ?? nil != nil
    }
}

/// An `ExportableNote` is a note with all that an export writes of it but the contents of its attachments and its past.
public struct ExportableNote: Sendable {
    public var note: Note
    /// In the order they were added.
    public var attachments: [Attachment]
    /// The number of attachments that the note names but of which nothing else is known any longer.
    public var lostAttachmentCount = 0
    /// Where an import found it.
    public var source: String?
    /// Its book details; nil for a note.
    public var book: BookDetails?
    /// Its place in a book, with the titles of the book and the chapter.
    public var place: (book: BookPlace, title: String, chapter: String?)?
}

extension Notes {
    /// Returns a note for an export, as it is at one time. A title that was set is returned whole, however long.
    ///
    /// - Throws: `VaultError.notFound` when it is gone, `.noteLocked`, `.integrity`.
    public func exportable(_ id: NoteID) throws(VaultError) -> ExportableNote {
        var made = try vault.read { index in
            let (revision, record) = try index.head(of: id)
            let note = Note(
                id: id, revision: revision, title: record.title ?? NoteTitle.display(title: nil, body: record.body),
                titleIsSet: record.title != nil,
                body: record.body, tags: record.tags,
                notebook: record.notebook, created: record.created, modified: record.modified,
                place: NotePlace(record.flags),
                flags: record.flags, protection: try index.isPrivate(id) ? .unlocked : .none,
                upload: try index.uploadState(of: id), attachments: record.attachments)
            var made = ExportableNote(note: note, attachments: [], source: record.source, book: record.book)
            if let place = record.bookPlace, try index.isListedBook(place.book) {
                let (book, details) = try index.bookRecord(place.book)
                let chapter = details.chapters.first { $0.id == place.chapter }
                made.place = (place, NoteText.title(book), chapter?.title)
            }
            return made
        }
        // One that is lost, as in a vault that was restored without it, does not cost the note's text.
        for attachment in made.note.attachments {
            do throws(VaultError) {
                made.attachments.append(try vault.read { try $0.attachment(attachment, of: id) })
            } catch {
                guard [.noAttachment, .integrity].contains(error.code) else { throw error }
                made.lostAttachmentCount += 1
            }
        }
        return made
    }
}

extension PrivateNotes {
    /// Keeps a private note from locking itself while it is written out.
    public func markUsed(_ note: NoteID) { vault.records.keyring.markUsed(note) }
}
