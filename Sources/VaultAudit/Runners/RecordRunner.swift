// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import VaultFormat

/// Note records in the clear. Spec: docs/format.md §9.
enum RecordRunner {
    static func record(_ test: VectorTest) throws -> Verdict {
        let bytes = try test.bytes("record")
        let record = try NoteRecord(parsing: bytes)
        guard test.has("noteID") else { return .accepted }
        // Only records of version 2 have attachments.
        let attachments = test.has("attachments") ? try test.list("attachments").map(\.bytes) : []
        return try .comparing([
            ("noteID", record.noteID.bytes == test.bytes("noteID")),
            ("created", record.created == test.number("created")),
            ("modified", record.modified == test.number("modified")),
            ("recordFlags", record.flags.rawValue == test.number("recordFlags")),
            ("title", isSame(record.title, test.textOrNull("title"))),
            ("notebook", isSame(record.notebook, test.text("notebook"))),
            ("tags", areSame(record.tags, test.list("tags"))),
            ("source", isSame(record.source, test.textOrNull("source"))),
            ("attachments", record.attachments.map(\.bytes) == attachments),
            ("body", isSame(record.body, test.text("body"))),
            ("record, written again", record.encoded == bytes),
        ])
    }

    /// Byte for byte: Swift's own comparison takes composed and decomposed letters for the same.
    static func isSame(_ one: String?, _ other: String?) -> Bool {
        one.map { Array($0.utf8) } == other.map { Array($0.utf8) }
    }

    /// A list of texts, byte for byte.
    static func areSame(_ texts: [String], _ list: [JSONValue]) throws -> Bool {
        let known = try list.map { value in
            guard let text = value.text else { throw VectorFault("an item of a list is not text") }
            return text
        }
        return texts.count == known.count && zip(texts, known).allSatisfy { isSame($0, $1) }
    }
}
