// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Foundation
import VaultCore
import VaultFormat

/// This extension does what a person does with notes.
extension Device {
    /// `Edit` is a change that was acknowledged: it must not be lost.
    struct Edit {
        /// On which device it was made.
        let device: Int
        let note: NoteID
        let revision: RevisionID
        /// A line of the text, or nil where something else was changed.
        var line: String?
        var attachment: AttachmentID?
    }

    private var chance: Chance { world.chance }

    private func notes(_ place: NotePlace) throws -> [NoteSummary] {
        var filter = NoteFilter()
        filter.place = place
        return try store.notes.list(filter, offset: 0, limit: 200).filter { $0.protection != .locked }
    }

    private func note(_ place: NotePlace = .live) throws -> NoteSummary? { try chance.pick(notes(place)) }

    private func acknowledge(_ note: NoteSummary, line: String? = nil) {
        world.edits.append(Edit(device: index, note: note.id, revision: note.revision, line: line))
    }

    func create() throws {
        let line = world.newLine()
        let begin = (0..<4).map { "\(Marker.text) paragraph \($0)" }
        var draft = NoteDraft(body: ([line] + begin).joined(separator: "\n\n"))
        if chance.isNow(300) { draft.title = "\(Marker.text) title \(line)" }
        if chance.isNow(300) { draft.tags = [tag] }
        if chance.isNow(300) { draft.notebook = notebook }
        acknowledge(try store.notes.create(draft), line: line)
    }

    private var tag: String { "\(Marker.text)-tag-\(chance.below(4))" }
    private var notebook: String { "\(Marker.text)/\(chance.below(3))" }

    /// Writes a line between two others: no line is ever taken away.
    func edit() throws {
        guard let note = try note() else { return try create() }
        let (line, place) = (world.newLine(), chance.next())
        let edited = try store.notes.edit(note.id) { record in
            var lines = record.body.components(separatedBy: "\n\n")
            lines.insert(line, at: Int(place % UInt64(lines.count + 1)))
            record.body = lines.joined(separator: "\n\n")
        }
        acknowledge(edited, line: line)
    }

    /// Changes what is no text.
    func describe() throws {
        if chance.isNow(200) { return try read() }
        guard let note = try note() else { return }
        let change: NoteChange =
            switch chance.below(6) {
            case 0: .title(chance.isNow(200) ? nil : "\(Marker.text) title \(chance.below(100))")
            case 1: .tag([tag])
            case 2: .untag([tag])
            case 3: .notebook(notebook)
            case 4: .flag(.pinned, chance.isNow(500))
            default: .flag(.archived, chance.isNow(100))
            }
        for changed in try store.notes.modify([note.id], change, ChangeGroup(.title)) { acknowledge(changed) }
    }

    /// Adds a book, or does something with one.
    private func read() throws {
        let books = try store.books.list(BookQuery()).books
        guard books.count > 1, let book = chance.pick(books) else {
            let details = BookDetails(shelf: .reading, added: 1_700_000_000_000)
            let title = "\(Marker.text) book \(chance.below(100))"
            return acknowledge(try store.books.add(BookDraft(title: title, details)).note)
        }
        let (id, day) = (book.note.id, UInt32(20_000 + chance.below(100)))
        let chapter = "\(Marker.text) chapter \(chance.below(3))"
        switch chance.below(6) {
        case 0: acknowledge(try store.books.log(id, day: day, .minutes, UInt32(chance.below(90)), Marker.text).note)
        case 1: acknowledge(try store.books.putChapter(chapter, in: id, before: nil).note)
        case 2: acknowledge(try store.books.change(id, .bookEdit) { $1.rating = UInt8(chance.below(20)) }.note)
        case 3: acknowledge(try store.books.move(id, chance.isNow(500) ? .start : .finish, day: day).note)
        default:
            guard let note = try note() else { return }
            let place = NewPlace(book: id, chapter: chance.isNow(300) ? nil : chapter)
            for put in try store.books.put([note.id], chance.isNow(200) ? nil : place) { acknowledge(put) }
        }
    }

    func throwAway() throws {
        guard let note = try note() else { return }
        acknowledge(try store.notes.setTrashed(note.id, true))
    }

    func takeBack() throws {
        guard let note = try note(.trash) else { return }
        acknowledge(try store.notes.setTrashed(note.id, false))
    }

    func purge() throws { _ = try store.notes.purgeTrash(limit: 1 + chance.below(2)) }

    func attach() throws {
        guard let note = try note() else { return }
        let text = Array("\(Marker.text) file \(chance.next()) ".utf8)
        let count = chance.isNow(100) ? 0 : chance.below(90_000)
        let bytes = (0..<count).map { text[$0 % text.count] }
        let added = try store.attachments.add(
            [AddedContent(kind: .file, name: Marker.text, mediaType: "application/octet-stream", bytes: bytes)],
            to: note.id)
        let now = try store.notes.listed(note.id)
        for one in added {
            world.edits.append(
                Edit(device: index, note: note.id, revision: now.revision, attachment: one.id))
        }
    }

    /// Ends a conflict, and keeps what each version has.
    func settle() throws {
        guard let id = try chance.pick(store.conflicts.notes()),
            try store.privateNotes.isPrivate(id) == false
        else { return }
        let conflict = try store.conflicts.conflict(of: id)
        guard conflict.versions.count > 1, let kept = chance.pick(conflict.versions) else { return }
        let texts = try conflict.versions.map { version in
            String(decoding: try store.history.text(of: version.revision, id), as: UTF8.self)
        }
        acknowledge(try store.conflicts.keep(kept.revision, of: id))
        // Files that only other versions have are given up.
        let files = try store.notes.note(id).attachments
        for index in world.edits.indices where world.edits[index].note == id {
            if let file = world.edits[index].attachment, !files.contains(file) { world.edits[index].attachment = nil }
        }
        let edited = try store.notes.edit(id) { record in
            var lines = record.body.components(separatedBy: "\n\n")
            for line in texts.flatMap({ $0.components(separatedBy: "\n\n") }) where !lines.contains(line) {
                lines.append(line)
            }
            record.body = lines.joined(separator: "\n\n")
        }
        acknowledge(edited)
    }
}
