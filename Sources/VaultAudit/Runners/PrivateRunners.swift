// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import SecretMemory
internal import VaultCrypto
internal import VaultFormat

/// `PrivateRunners` tests revisions of private notes and the keys of their drafts. Spec: docs/format.md §18.
enum PrivateRunners {
    static func record(_ test: VectorTest) throws -> Verdict {
        let bytes = try test.bytes("record")
        let record = try PrivateRecord(parsing: bytes)
        guard test.has("noteID") else { return .accepted }
        return try .comparing([
            ("noteID", record.noteID.bytes == test.bytes("noteID")),
            ("created", record.created == test.number("created")),
            ("modified", record.modified == test.number("modified")),
            ("recordFlags", record.flags.rawValue == test.number("recordFlags")),
            ("title", RecordRunner.isSame(record.title, test.textOrNull("title"))),
            ("keyEpoch", record.keyEpoch == test.number("keyEpoch")),
            ("contentRevision", record.contentRevision.bytes == test.bytes("contentRevision")),
            ("inner", record.inner == test.bytes("inner")),
            ("record, written again", record.encoded == bytes),
        ])
    }

    @_optimize(none)  // The optimiser of Swift 6.3.1 ends with an error of its own on this function.
    static func sealedRecord(_ test: VectorTest) throws -> Verdict {
        let layers = try TwoLayers(test)
        let revision = try RevisionID(test.bytes("revisionID"))
        let outer = try layers.outer(.privateRecord, .privateRecord, revision.bytes, role: layers.noteID.bytes)
        let padded = try outer.open(test.bytes("sealed"), or: "open")
        let bytes = try TwoLayers.unpad(padded, or: "padding")
        let record = try PrivateRecord(parsing: bytes)
        guard record.noteID == layers.noteID, record.keyEpoch == layers.keyEpoch else { throw Refusal("place") }
        let inner = try layers.inner(.innerRecord, .innerRecord, record.contentRevision.bytes)
        let innerPadded = try inner.open(record.inner, or: "innerOpen")
        let content = try TwoLayers.unpad(innerPadded, or: "innerPadding")
        let note = try NoteRecord(parsing: content)
        guard note.noteID == layers.noteID else { throw Refusal("place") }
        guard test.has("salt") else { return .accepted }
        let expectedContent = try test.bytes("content")
        let expectedRecord = try test.bytes("record")
        let innerAgain = try inner.seal(innerPadded, test, salt: "innerSalt")
        let outerAgain = try outer.seal(padded, test)
        let expectedSealed = try test.bytes("sealed")
        var results = [("content", content == expectedContent), ("the note encoded", note.encoded == content)]
        results += [("record", bytes == expectedRecord), ("the record encoded", record.encoded == bytes)]
        results += [
            ("the padding", Padme.pad(bytes) == padded), ("the inner padding", Padme.pad(content) == innerPadded),
        ]
        results += [("inner", innerAgain == record.inner), ("sealed", outerAgain == expectedSealed)]
        return .comparing(results)
    }

    static func draftKey(_ test: VectorTest) throws -> Verdict {
        let layers = try TwoLayers(test)
        let id = try DraftID(test.bytes("draftID")).bytes
        let outer = try layers.outer(.draftKey, .draftKey, id)
        let (wrapped, sealedFields) = try DraftParts.split(outer.open(test.bytes("wrapped"), or: "unwrap"))
        let inner = try layers.inner(.innerDraftKey, .innerDraftKey, id)
        guard let secret = try? Cobblestone().openSecret(wrapped, key: inner.key, context: inner.context),
            secret.byteCount == SymmetricKey.byteCount
        else { throw Refusal("innerUnwrap") }
        let fieldsSeal = try layers.inner(.innerDraftFields, .innerDraftFields, id)
        let padded = try fieldsSeal.open(sealedFields, or: "innerOpen")
        let content = try TwoLayers.unpad(padded, or: "innerPadding")
        let fields = try DraftParts(parsing: content)
        guard test.has("salt") else { return .accepted }
        let key = secret.array
        return try .comparing([
            ("draftKey", key == test.bytes("draftKey")),
            ("title", RecordRunner.isSame(fields.title, test.textOrNull("title"))),
            ("notebook", RecordRunner.isSame(fields.notebook, test.text("notebook"))),
            ("tags", RecordRunner.areSame(fields.tags, test.list("tags"))),
            ("the padding", Padme.pad(content) == padded),
            ("the inner key", inner.seal(key, test, salt: "innerSalt") == wrapped),
            ("the fields", fieldsSeal.seal(padded, test, salt: "fieldsSalt") == sealedFields),
            ("wrapped", outer.seal(DraftParts.join(wrapped, sealedFields), test) == test.bytes("wrapped")),
        ])
    }
}

/// `DraftParts` holds what a private draft's wrapped key holds besides the key, written down a second time: no other
/// part of the format has it.
///
/// ```
/// byte string wrapped key | byte string sealed fields
/// fields = flag + text title | text notebook | UInt32 count, text tag…
/// ```
/// Spec: docs/format.md §18.
private struct DraftParts {
    private static let wrappedByteCountMax = 256
    private static let fieldsByteCountMax = 2 << 20
    private static let textByteCountMax = 4096
    private static let tagCountMax = 256

    let title: String?
    let notebook: String
    private(set) var tags: [String] = []

    init(parsing bytes: [UInt8]) throws(FormatError) {
        var reader = ByteReader(bytes)
        title = try reader.flag() ? try reader.text(max: Self.textByteCountMax) : nil
        notebook = try reader.text(max: Self.textByteCountMax)
        let count = try reader.u32()
        guard count <= Self.tagCountMax else { throw FormatError(.tooLarge, offset: reader.offset - 4) }
        for _ in 0..<count { tags.append(try reader.text(max: Self.textByteCountMax)) }
        try reader.end()
    }

    static func split(_ bytes: [UInt8]) throws(FormatError) -> (wrapped: [UInt8], fields: [UInt8]) {
        var reader = ByteReader(bytes)
        let wrapped = try reader.lengthPrefixed(max: wrappedByteCountMax)
        let fields = try reader.lengthPrefixed(max: fieldsByteCountMax)
        try reader.end()
        return (wrapped, fields)
    }

    static func join(_ wrapped: [UInt8], _ fields: [UInt8]) -> [UInt8] {
        var writer = ByteWriter()
        writer.lengthPrefixed(wrapped)
        writer.lengthPrefixed(fields)
        return writer.bytes
    }
}
