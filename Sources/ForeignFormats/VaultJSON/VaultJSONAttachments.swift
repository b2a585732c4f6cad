// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import ParserProtocol

/// `VaultJSONAttachments` goes through the attachments of one note. Contents are passed on while they come in.
struct VaultJSONAttachments {
    let isSurvey: Bool
    private let index: VaultJSONIndex
    private let output: ImportOutput
    private(set) var list: [VaultJSONAttachment] = []
    /// Whether there are more than a note can carry; their contents were passed over.
    private(set) var isCut = false
    private var byteCount = 0

    init(isSurvey: Bool, _ index: VaultJSONIndex, _ output: ImportOutput) {
        self.isSurvey = isSurvey
        self.index = index
        self.output = output
    }

    /// Reads the list, which is open.
    mutating func readAll(_ json: JSONStream) throws(ImportFailure) {
        while try json.element() {
            if isSurvey { output.found.attachments += 1 }
            guard !isCut else {
                try json.skipValue()
                continue
            }
            var attachment = VaultJSONAttachment()
            if try json.isNext("{") { try read(&attachment, json) } else { try json.skipValue() }
            if isSurvey, !attachment.hasContent { output.refuse(.damaged, "attachment \(attachment.id)".utf8) }
            // As `ParsedNote.extrasByteCountMax` counts it, links left aside.
            byteCount +=
                8 + VaultJSONForm.attachmentIDByteCount
                + min(attachment.name.utf8.count, AttachmentReference.nameByteCountMax)
            if byteCount > ParsedNote.extrasByteCountMax { isCut = true } else { list.append(attachment) }
        }
    }

    private func read(_ attachment: inout VaultJSONAttachment, _ json: JSONStream) throws(ImportFailure) {
        try json.open("{")
        while let key = try json.key() {
            switch key {
            // Only the first content counts, and only of what has a name of its own by then.
            case "base64":
                if try take(&attachment) { try readContent(&attachment, json) } else { try json.skipValue() }
            case "file":
                if try !take(&attachment) {
                    try json.skipValue()
                } else if let path = try json.text(max: 256) {
                    try find(path.string, &attachment)
                }
            default: try attachment.read(key, json)
            }
        }
    }

    private func take(_ attachment: inout VaultJSONAttachment) throws(ImportFailure) -> Bool {
        guard !attachment.hasContent, attachment.isDescribed else { return false }
        guard index.claim(attachment: attachment.id) else {
            if isSurvey { output.refuse(.duplicate, "attachment \(attachment.id)".utf8) }
            attachment.hasContent = true
            return false
        }
        return true
    }

    /// Finds where the content of an attachment lies, or what has become of it.
    private func find(_ path: String, _ attachment: inout VaultJSONAttachment) throws(ImportFailure) {
        attachment.hasContent = true
        guard VaultJSONForm.isFile(path, of: attachment.id) else {
            if isSurvey { output.refuse(.unsafePath, path.utf8) }
            return
        }
        if isSurvey { return try index.addFile(path, attachment) }
        attachment.state = index.files[Array(path.utf8)]?.state ?? .missing
    }

    private func readContent(_ attachment: inout VaultJSONAttachment, _ json: JSONStream) throws(ImportFailure) {
        guard try json.openString() else { return }
        attachment.hasContent = true
        var buffer: [UInt8] = []
        guard !isSurvey,
            output.start(
                key: attachment.id, name: attachment.name, modified: attachment.created, traits: attachment.traits)
        else {
            while try json.stringPiece(&buffer) {}
            return
        }
        var content = VaultJSONContent(byteCount: attachment.byteCount ?? 0)
        var text = Base64Stream()
        do throws(ImportFailure) {
            while try json.stringPiece(&buffer) { output.append(content.take(text.decode(buffer))) }
        } catch {
            output.end(isWhole: false)
            throw error
        }
        attachment.state = text.isCanonical && content.isWhole ? .whole : .damaged
        output.end(isWhole: attachment.state == .whole)
    }
}

/// `VaultJSONAttachment` is an attachment as a document describes it. The description comes before the content.
///
/// Spec: docs/export-json.md §5.
struct VaultJSONAttachment {
    static let byteCountMax: UInt64 = 1 << 40
    private static let kinds: [String: AttachmentTraits.Kind] = [
        "file": .file, "photo": .photo, "video": .video, "audio": .audio, "sketch": .sketch,
    ]

    /// `State` says what became of the content.
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

    /// Sets the first of two values, and the second makes the whole doubtful.
    private static func set<Value>(
        _ place: inout Value, _ value: Value?, unless isFirst: Bool, _ isRepeated: inout Bool
    ) {
        guard isFirst else { return isRepeated = true }
        if let value { place = value }
    }

    /// Whether everything is said that schema 1 wants said.
    fileprivate var isDescribed: Bool {
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

/// `VaultJSONContent` counts the bytes of a content against what was said of it. Nothing is passed on beyond that.
struct VaultJSONContent {
    private var byteCountLeft: UInt64
    private var isTooLong = false

    init(byteCount: UInt64) { byteCountLeft = byteCount }

    /// Counts a piece of the content.
    ///
    /// - Returns: as much of the piece as belongs to the content.
    mutating func take(_ piece: [UInt8]) -> [UInt8] {
        guard UInt64(piece.count) > byteCountLeft else {
            byteCountLeft -= UInt64(piece.count)
            return piece
        }
        let rest = Array(piece.prefix(Int(byteCountLeft)))
        (byteCountLeft, isTooLong) = (0, true)
        return rest
    }

    /// Whether it had the size that was said.
    var isWhole: Bool { byteCountLeft == 0 && !isTooLong }
}
