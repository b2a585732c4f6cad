// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

public import VaultFormat

/// `EditText` is what an editor is given.
public struct EditText: Sendable, Equatable {
    public var draft: [UInt8]
    /// What the note is called, for the file's name and messages.
    public var title: String
    public var text: [UInt8]
    /// How many attachments the note has: emptying its text would discard them with it.
    public var attachmentCount: UInt32 = 0
    public var origin: EditOrigin

    public init(draft: [UInt8], title: String, text: [UInt8], origin: EditOrigin) {
        self.origin = origin
        self.draft = draft
        self.title = title
        self.text = text
    }

    public var encoded: [UInt8] {
        var writer = ByteWriter(reserving: 64 + text.count)
        writer.raw(draft)
        writer.text(title)
        writer.lengthPrefixed(text)
        writer.u32(attachmentCount)
        writer.u8(origin.rawValue)
        return writer.bytes
    }

    public init(parsing bytes: [UInt8]) throws(FormatError) {
        var reader = ByteReader(bytes)
        draft = try reader.bytes(DraftID.byteCount)
        title = try reader.text(max: 8192)
        text = try reader.lengthPrefixed(max: Frame.noteByteCountMax)
        attachmentCount = try reader.u32()
        guard let origin = EditOrigin(rawValue: try reader.u8()) else { throw FormatError(.unknownKind) }
        self.origin = origin
        try reader.end()
    }
}

/// `EditOrigin` tells where the text that an editor is given comes from.
public enum EditOrigin: UInt8, Sendable {
    /// A note as it is, or both of its versions: as long as that is the text, there is nothing to save.
    case note = 1
    /// What a new note begins with.
    case new
    /// A draft, which no note has yet.
    case draft
}
