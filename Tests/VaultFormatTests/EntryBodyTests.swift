// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Testing
import VaultFormat
import VaultTesting

/// Entries as segments hold them: each has one encoding, and everything else is refused whole.
struct EntryBodyTests {
    private let note: NoteID
    private let revision: RevisionID
    private let parent: RevisionID

    init() throws {
        note = try NoteID((1...10).map { UInt8($0) })
        parent = try RevisionID((0x11...0x20).map { UInt8($0) })
        revision = try RevisionID((0x21...0x30).map { UInt8($0) })
    }

    private func body(_ operation: Entry.Operation = .edit, parents: [RevisionID]? = nil) -> EntryBody {
        EntryBody(
            entry: Entry(
                device: (0x31...0x40).map { UInt8($0) }, sequence: 2, operation: operation, noteID: note,
                revisionID: revision, parents: parents ?? [parent], previous: [UInt8](repeating: 3, count: 32)))
    }

    private func full() throws -> EntryBody {
        var body = body()
        let record = NoteRecord(noteID: note, created: 1, modified: 2, body: "text")
        body.revision = ArchivedRevision(id: revision, noteID: note, made: 3, isPrivate: false, record: record.encoded)
        body.attachments = [
            AttachmentRecord(
                id: try AttachmentID([UInt8](repeating: 4, count: 16)), noteID: note,
                object: try ObjectName([UInt8](repeating: 5, count: 32)), fileByteCount: 100,
                commitment: [UInt8](repeating: 6, count: 32), isPrivate: false, details: [])
        ]
        return body
    }

    @Test func whatIsWrittenIsReadAgain() throws {
        for body in [try full(), body(), body(.purge), body(.create, parents: [])] {
            #expect(
                try EntryBody(parsing: body.encoded) == body && EntryBody(parsing: body.encoded).encoded == body.encoded
            )
        }
        var statement = body(.statement)
        statement.statement = .noteKey(NoteKeyStatement(keyID: [UInt8](repeating: 9, count: 16), slot: nil))
        #expect(try EntryBody(parsing: statement.encoded) == statement)
    }

    @Test func everyCutIsRefused() throws {
        let bytes = try full().encoded
        let items = [107, bytes.count - 5 - 118]
        for count in 0..<bytes.count where count != items[0] {
            // What ends with a whole item may be another entry; it is never this one.
            if let cut = try? EntryBody(parsing: Array(bytes.prefix(count))) { #expect(cut.attachments.isEmpty) }
        }
        #expect(throws: FormatError.self) { try EntryBody(parsing: bytes + [0]) }
        #expect(throws: FormatError.self) { try EntryBody(parsing: []) }
    }

    @Test func whatBelongsToAnotherEntryIsRefused() throws {
        let other = try RevisionID([UInt8](repeating: 8, count: 16))
        var bodies = [body(.create), body(.join), body(parents: [revision]), body(parents: [parent, parent])]
        var wrong = try full()
        wrong.revision?.id = other
        bodies.append(wrong)
        wrong = try full()
        wrong.revision?.noteID = try NoteID([UInt8](repeating: 8, count: 10))
        bodies.append(wrong)
        wrong = try full()
        wrong.entry.operation = .purge
        bodies.append(wrong)
        wrong = try full()
        wrong.keyID = [UInt8](repeating: 9, count: 16)
        bodies.append(wrong)
        wrong = try full()
        wrong.revision?.isPrivate = true
        bodies.append(wrong)
        wrong = try full()
        wrong.attachments[0].isPrivate = true
        bodies.append(wrong)
        wrong = try full()
        wrong.entry.sequence = 0
        bodies.append(wrong)
        wrong = try full()
        wrong.statement = .noteKey(NoteKeyStatement(keyID: [UInt8](repeating: 9, count: 16), slot: nil))
        bodies.append(wrong)
        bodies.append(body(.statement))
        for body in bodies { #expect(throws: FormatError.self) { try EntryBody(parsing: body.encoded) } }
    }

    @Test func noChangedByteTraps() throws {
        let bytes = try full().encoded
        var random = SeededGenerator(7)
        for at in bytes.indices {
            var changed = bytes
            changed[at] = UInt8.random(in: 0...255, using: &random)
            if let body = try? EntryBody(parsing: changed) { #expect(body.encoded == changed) }
        }
    }
}
