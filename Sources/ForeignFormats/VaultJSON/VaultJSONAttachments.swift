// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import ForeignRecords

/// Goes through the attachments of one note. Contents are passed on while they come in.
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

    /// Notes where the content lies, or learns what has become of it.
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
