// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import VaultFormat

/// Note records in the clear. Spec: docs/format.md §9.
enum RecordRunner {
    static func record(_ test: VectorTest) throws -> Verdict {
        let bytes = try test.bytes("record")
        let record = try NoteRecord(parsing: bytes)
        guard test.has("noteID") else { return .accepted }
        let tags = try test.list("tags").map { tag in
            guard let text = tag.text else { throw VectorFault("a tag is no text") }
            return text
        }
        return try .comparing([
            ("noteID", record.noteID.bytes == test.bytes("noteID")),
            ("created", record.created == test.number("created")),
            ("modified", record.modified == test.number("modified")),
            ("recordFlags", record.flags.rawValue == test.number("recordFlags")),
            ("title", isSame(record.title, test.textOrNull("title"))),
            ("notebook", isSame(record.notebook, test.text("notebook"))),
            ("tags", record.tags.count == tags.count && zip(record.tags, tags).allSatisfy { isSame($0, $1) }),
            ("source", isSame(record.source, test.textOrNull("source"))),
            ("body", isSame(record.body, test.text("body"))),
            ("record, written again", record.encoded == bytes),
        ])
    }

    /// Byte for byte: Swift's own comparison takes composed and decomposed letters for the same.
    private static func isSame(_ one: String?, _ other: String?) -> Bool {
        one.map { Array($0.utf8) } == other.map { Array($0.utf8) }
    }
}
