// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import SecretMemory
internal import VaultCore
internal import VaultCrypto
internal import VaultFormat

/// `FixtureContent` compares what an open vault holds with what a test says.
struct FixtureContent {
    private let store: OpenVault
    private let notes: [NoteID: NotePlace]

    init(_ store: OpenVault) throws {
        self.store = store
        var notes: [NoteID: NotePlace] = [:]
        for place in NotePlace.allCases {
            var filter = NoteFilter()
            filter.place = place
            for note in try store.notes.list(filter, offset: 0, limit: 10_000) { notes[note.id] = place }
        }
        self.notes = notes
    }

    /// Opens the private notes that the password fits; the others stay locked.
    func unlock(_ password: [UInt8]) throws {
        for note in notes.keys {
            guard let opening = try? store.privateNotes.opening(of: note),
                let key = try? opening.open(SecretBytes(array: password))
            else { continue }
            try store.privateNotes.unlock(note, with: key)
        }
    }

    /// Compares the notes and drafts of the vault with those of a test.
    ///
    /// - Throws: `VaultError` for what cannot be read; `VectorFault`.
    func verdict(_ test: VectorTest) throws -> Verdict {
        let (wantedNotes, wantedDrafts) = (try test.list("notes"), try test.list("drafts"))
        var parts = [("number of notes", notes.count == wantedNotes.count)]
        for wanted in wantedNotes { parts += try compare(note: wanted.object ?? [:]) }
        let drafts = try store.drafts.all()
        parts.append(("number of drafts", drafts.count == wantedDrafts.count))
        for wanted in wantedDrafts {
            let draft = drafts.first { .text($0.id.text) == wanted.object?["id"] }
            let body = try draft.map { try store.drafts.withText($0).text?.body }
            parts.append(("text of a draft", body == wanted.object?["text"]?.text.map { Array($0.utf8) }))
            parts.append(("note of a draft", draft?.start.note?.text == wanted.object?["note"]?.text))
        }
        return .comparing(parts)
    }

    private func compare(note wanted: [String: JSONValue]) throws -> [(String, Bool)] {
        guard let (id, place) = notes.first(where: { .text($0.key.text) == wanted["id"] }) else {
            return [("a note is missing", false)]
        }
        var parts = [
            ("place of \(id.text)", .text("\(place)") == wanted["place"]),
            (
                "private: \(id.text)",
                (try? store.privateNotes.opening(of: id)) != nil
                    ? wanted["private"] == .flag(true) : wanted["private"] == .flag(false)
            ),
        ]
        if wanted["text"] == .null {
            parts.append(("\(id.text) is not locked", try isLocked(id)))
            return parts
        }
        let note = try store.notes.note(id)
        let older = try store.history.revisions(of: id).reversed().filter { $0.id != note.revision }
        let texts = try older.map {
            JSONValue.text(String(decoding: try store.history.text(of: $0.id, id), as: UTF8.self))
        }
        parts += [
            ("title of \(id.text)", .text(note.title) == wanted["title"]),
            ("text of \(id.text)", .text(note.body) == wanted["text"]),
            ("notebook of \(id.text)", .text(note.notebook) == wanted["notebook"]),
            ("tags of \(id.text)", .list(note.tags.map { .text($0) }) == wanted["tags"]),
            ("older texts of \(id.text)", .list(texts) == wanted["olderTexts"]),
            ("attachments of \(id.text)", .list(try attachments(of: id)) == wanted["attachments"]),
        ]
        return parts
    }

    private func isLocked(_ note: NoteID) throws -> Bool {
        do throws(VaultError) {
            _ = try store.notes.note(note)
            return false
        } catch {
            guard error.code == .noteLocked else { throw error }
            return true
        }
    }

    private func attachments(of note: NoteID) throws -> [JSONValue] {
        try store.attachments.all(of: note).sorted { $0.name < $1.name }.map { attachment in
            let bytes = try store.attachments.bytes(of: attachment)
            return .list([
                .text(attachment.name), .text(attachment.details.mediaType), .integer(bytes.count),
                .text(Hexadecimal.encode(try Digest.sha256(bytes))),
            ])
        }
    }
}
