// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import VaultCrypto
internal import VaultFormat

/// `RecordRunner` tests note records in the clear. Spec: docs/format.md §9.
enum RecordRunner {
    static func record(_ test: VectorTest) throws -> Verdict {
        let bytes = try test.bytes("record")
        let record = try NoteRecord(parsing: bytes)
        guard test.has("noteID") else { return .accepted }
        // Only records from version 2 on have attachments.
        let attachments = test.has("attachments") ? try test.list("attachments").map(\.bytes) : []
        return try .comparing(
            [
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
            ] + BookRecordRunner.comparisons(record, test))
    }

    /// Compares byte for byte: Swift's own comparison takes composed and decomposed letters for the same.
    static func isSame(_ one: String?, _ other: String?) -> Bool {
        one.map { Array($0.utf8) } == other.map { Array($0.utf8) }
    }

    /// Compares a list of texts, byte for byte.
    static func areSame(_ texts: [String], _ list: [JSONValue]) throws -> Bool {
        let known = try list.map { value in
            guard let text = value.text else { throw VectorFault("an item of a list is not text") }
            return text
        }
        return texts.count == known.count && zip(texts, known).allSatisfy { isSame($0, $1) }
    }
}

/// `AttachmentRunners` tests attachment records and thumbnails, in the clear and sealed. Spec: docs/format.md §19.
enum AttachmentRunners {
    static func details(_ test: VectorTest) throws -> Verdict {
        let bytes = try test.bytes("details")
        let details = try AttachmentDetails(parsing: bytes)
        guard test.has("kind") else { return .accepted }
        return try .comparing([
            ("kind", details.kind.rawValue == test.number("kind")),
            ("name", RecordRunner.isSame(details.name, test.text("name"))),
            ("caption", RecordRunner.isSame(details.caption, test.text("caption"))),
            ("mediaType", RecordRunner.isSame(details.mediaType, test.text("mediaType"))),
            ("size", details.byteCount == test.number("size")),
            ("created", details.created == test.number("created")),
            ("width", details.width == test.number("width")),
            ("height", details.height == test.number("height")),
            ("isStripped", details.isStripped == test.flag("isStripped")),
            ("details, written again", details.encoded == bytes),
        ])
    }

    static func record(_ test: VectorTest) throws -> Verdict {
        let bytes = try test.bytes("record")
        let record = try AttachmentRecord(parsing: bytes)
        guard test.has("attachmentID") else { return .accepted }
        return try .comparing([
            ("attachmentID", record.id.bytes == test.bytes("attachmentID")),
            ("noteID", record.noteID.bytes == test.bytes("noteID")),
            ("objectName", record.object.bytes == test.bytes("objectName")),
            ("fileSize", record.fileByteCount == test.number("fileSize")),
            ("commitment", record.commitment == test.bytes("commitment")),
            ("isPrivate", record.isPrivate == test.flag("isPrivate")),
            ("details", record.details == test.bytes("details")),
            ("record, written again", record.encoded == bytes),
        ])
    }

    static func sealedRecord(_ test: VectorTest) throws -> Verdict {
        let layers = try TwoLayers(test)
        let id = try AttachmentID(test.bytes("attachmentID"))
        let object = try ObjectName(test.bytes("objectName"))
        let outer = try layers.outer(.attachmentRecord, .attachmentRecord, id.bytes, role: layers.noteID.bytes)
        let padded = try outer.open(test.bytes("sealed"), or: "open")
        let bytes = try TwoLayers.unpad(padded, or: "padding")
        let record = try AttachmentRecord(parsing: bytes)
        guard record.id == id, record.noteID == layers.noteID, record.object == object,
            record.isPrivate == layers.isPrivate
        else { throw Refusal("place") }
        let content = try details(record, layers, or: ("innerOpen", "innerPadding"))
        let details = try AttachmentDetails(parsing: content)
        guard test.has("salt") else { return .accepted }
        let inner =
            record.isPrivate ? try innerSeal(layers, id).seal(Padme.pad(content), test, salt: "innerSalt") : content
        return try .comparing([
            ("details", content == test.bytes("details") && details.encoded == content),
            ("record", bytes == test.bytes("record") && record.encoded == bytes),
            ("the padding", Padme.pad(bytes) == padded),
            ("the inner layer", inner == record.details),
            ("sealed", outer.seal(padded, test) == test.bytes("sealed")),
        ])
    }

    static func thumbnail(_ test: VectorTest) throws -> Verdict {
        let layers = try TwoLayers(test)
        let id = try AttachmentID(test.bytes("attachmentID"))
        let outer = try layers.outer(.thumbnail, .thumbnail, id.bytes, role: layers.noteID.bytes)
        let padded = try outer.open(test.bytes("sealed"), or: "open")
        let layer = try TwoLayers.unpad(padded, or: "padding")
        var (content, again) = (layer, layer)
        if layers.isPrivate {
            let inner = try layers.inner(.innerThumbnail, .innerThumbnail, id.bytes)
            content = try TwoLayers.unpad(inner.open(layer, or: "innerOpen"), or: "innerPadding")
            if test.has("salt") { again = try inner.seal(Padme.pad(content), test, salt: "innerSalt") }
        }
        guard test.has("salt") else { return .accepted }
        return try .comparing([
            ("thumbnail", content == test.bytes("thumbnail")), ("the inner layer", again == layer),
            ("the padding", Padme.pad(layer) == padded), ("sealed", outer.seal(padded, test) == test.bytes("sealed")),
        ])
    }

    /// Takes details as they are, or out of the inner layer.
    private static func details(
        _ record: AttachmentRecord, _ layers: TwoLayers, or stages: (open: String, padding: String)
    ) throws -> [UInt8] {
        guard record.isPrivate else { return record.details }
        return try TwoLayers.unpad(
            innerSeal(layers, record.id).open(record.details, or: stages.open), or: stages.padding)
    }

    private static func innerSeal(_ layers: TwoLayers, _ id: AttachmentID) throws -> TwoLayers.Seal {
        try layers.inner(.innerAttachmentRecord, .innerAttachmentRecord, id.bytes)
    }
}
