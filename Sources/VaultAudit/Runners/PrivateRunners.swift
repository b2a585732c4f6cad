// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import SecretMemory
internal import VaultCrypto
internal import VaultFormat

/// Revisions of private notes and the keys of their drafts. Spec: docs/format.md §18.
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
