// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import ForeignRecords

/// An attachment as a document describes it. The description comes before the content.
///
/// Spec: docs/export-json.md §5.
struct VaultJSONAttachment {
    static let byteCountMax: UInt64 = 1 << 40
    private static let kinds: [String: AttachmentTraits.Kind] = [
        "file": .file, "photo": .photo, "video": .video, "audio": .audio, "sketch": .sketch,
    ]

    /// What became of the content.
    enum State {
        case whole
        case damaged
        /// It is not in the export, or cannot be told apart from another one.
        case missing
    }

    private(set) var id = ""
    private(set) var name = ""
    private(set) var byteCount: UInt64?
    /// In milliseconds since 1970; nil if it cannot be one.
    private(set) var created: Int64?
    private var mediaType: String?
    private var caption: String?
    private var kind: String?
    private var hasDate = false
    private var isRepeated = false
    var state = State.missing
    /// Whether a content was named, be it one that can be had or not.
    var hasContent = false

    /// Reads the value of a member; one that is not known is passed over.
    mutating func read(_ key: String, _ json: JSONStream) throws(ImportFailure) {
        switch key {
        case "id": Self.set(&id, try json.text(max: 64)?.string, unless: id.isEmpty, &isRepeated)
        case "name": Self.set(&name, try json.text(max: 4096)?.string, unless: name.isEmpty, &isRepeated)
        case "mediaType":
            Self.set(
                &mediaType, try json.text(max: AttachmentTraits.mediaTypeByteCountMax)?.string,
                unless: mediaType == nil, &isRepeated)
        case "kind": Self.set(&kind, try json.text(max: 64)?.string, unless: kind == nil, &isRepeated)
        case "caption":
            Self.set(
                &caption, try json.text(max: AttachmentTraits.captionByteCountMax)?.string, unless: caption == nil,
                &isRepeated)
        case "byteCount": Self.set(&byteCount, try json.number(), unless: byteCount == nil, &isRepeated)
        case "created":
            if hasDate { isRepeated = true }
            guard let text = try json.text(max: 64) else { return }
            hasDate = true
            created = MarkdownDate.milliseconds(text.string)
        default: try json.skipValue()
        }
    }

    /// The first of two counts, and the second makes the whole doubtful.
    private static func set<Value>(
        _ place: inout Value, _ value: Value?, unless isFirst: Bool, _ isRepeated: inout Bool
    ) {
        guard isFirst else { return isRepeated = true }
        if let value { place = value }
    }

    /// Whether everything is said that schema 1 wants said.
    var isDescribed: Bool {
        guard let byteCount, byteCount <= Self.byteCountMax, !isRepeated else { return false }
        return VaultJSONForm.isAttachmentID(id) && !name.isEmpty && mediaType != nil && kind != nil && caption != nil
            && hasDate
    }

    var byteCountInMemory: Int {
        id.utf8.count + name.utf8.count + (mediaType?.utf8.count ?? 0) + (caption?.utf8.count ?? 0)
            + (kind?.utf8.count ?? 0)
    }

    var isKindKnown: Bool { kind.map { Self.kinds[$0] != nil } ?? false }

    var traits: AttachmentTraits? {
        let kind = Self.kinds[kind ?? ""] ?? .file
        return (try? AttachmentTraits(kind: kind, mediaType: mediaType ?? "", caption: caption ?? ""))
            ?? (try? AttachmentTraits(kind: kind, mediaType: "", caption: caption ?? ""))
    }
}
