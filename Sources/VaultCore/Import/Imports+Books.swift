// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import GRDB
public import VaultFormat

extension Imports {
    /// Returns what of an imported book does not fit beside what the book that is there has: it is left out.
    public func leftOut(of book: ImportedBook, over id: NoteID) throws(VaultError) -> [String] {
        try vault.read { index in
            guard try index.isPresent(id), try index.isBook(id) else { return [] }
            let old = try index.bookRecord(id).details
            var joined = try book.joined(of: id, over: old)
            return ImportedBook.cut(&joined, besides: old)
        }
    }
}

extension IndexAccess {
    /// Puts into the record what the source says of books.
    func describe(_ note: ImportedNote, _ record: inout NoteRecord, _ files: ImportedFiles, isNew: Bool) throws {
        if let book = note.book {
            var cover: AttachmentID?
            if book.cover != "" {
                let named = files.added.first { added in
                    book.cover.map { $0 == added.name } ?? (added.file.details.kind == .photo)
                }
                cover = named?.file.file?.id
            }
            var details = try book.details(of: record.noteID, over: record.book, cover: cover)
            if let cover = details.cover, !record.attachments.contains(cover) { details.cover = nil }
            record.book = details
            // One that the source does not describe keeps what is known of it.
        } else if let place = note.place, record.book == nil, record.bookPlace?.book != place.book {
            // Where a note was moved here it stays, unless the source is a vault that says exactly where it is.
            guard try isNew || (place.position != nil && isListedBook(place.book)) else { return }
            record.bookPlace = BookPlace(
                book: place.book, chapter: try chapter(of: place), position: try position(of: place))
        }
    }

    /// What a source of books does not know is no reason to forget it.
    func keepKnown(of old: NoteRecord, in record: inout NoteRecord) {
        if record.body.isEmpty { record.body = old.body }
        if record.tags.isEmpty { record.tags = old.tags }
        if record.notebook.isEmpty { record.notebook = old.notebook }
        record.title = record.title ?? old.title
    }

    /// Finds the chapter of an imported note: by its title where the book is there, else the one that it will have.
    private func chapter(of place: ImportedPlace) throws -> ChapterID? {
        guard !place.chapter.isEmpty else { return nil }
        if try isListedBook(place.book) {
            let chapters = try bookRecord(place.book).details.chapters
            if let known = chapters.first(where: { $0.title == place.chapter }) { return known.id }
        }
        return try ChapterID.imported(place.chapter, in: place.book)
    }

    private func position(of place: ImportedPlace) throws -> Int64 {
        let positions: ClosedRange<Int64> = -(1 << 60)...(1 << 60)
        if let position = place.position { return min(max(position, positions.lowerBound), positions.upperBound) }
        let sql = "SELECT coalesce(max(position), 0) AS last FROM bookNote WHERE book = ?"
        guard try hasBooks() else { return 0 }
        let last = try database.cachedStatement(sql).row([place.book.bytes.blob])?.integer("last") ?? 0
        return min(last, positions.upperBound) + 1 << 20
    }
}
