// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// `NoteReference` is a note that another one names: what stands in its text as `[[target]]` or `[[target|label]]`, and
/// which note that means.
///
/// The target is the other note's title where that is clear. Where it is not (two notes have the title, or it holds
/// signs that end a link), it is the other note's source key, and the one who stores the notes puts the identifier
/// there.
public struct NoteReference: Sendable, Hashable {
    public static let targetByteCountMax = 480
    public static let sourceKeyByteCountMax = 1024

    public let target: String
    public let sourceKey: String

    /// Makes a reference, and checks that its target can stand in a link.
    ///
    /// - Throws: `RecordError`: `tooLarge`; `notCanonical` for an empty text or a target that would end the link.
    public init(target: String, sourceKey: String) throws(RecordError) {
        guard target.utf8.count <= Self.targetByteCountMax, sourceKey.utf8.count <= Self.sourceKeyByteCountMax else {
            throw RecordError(.tooLarge)
        }
        guard Self.isTarget(target), !sourceKey.isEmpty else { throw RecordError(.notCanonical) }
        self.target = target
        self.sourceKey = sourceKey
    }

    /// Returns whether a text may stand between "[[" and "|".
    public static func isTarget(_ text: String) -> Bool {
        guard !text.isEmpty, text.utf8.count <= targetByteCountMax, text.first?.isWhitespace == false,
            text.last?.isWhitespace == false
        else {
            return false
        }
        return !text.utf8.contains {
            $0 < 0x20 || $0 == 0x7F || $0 == UInt8(ascii: "[") || $0 == UInt8(ascii: "]") || $0 == UInt8(ascii: "|")
        }
    }

    /// Whether the target is a stand-in for an identifier.
    public var isPlaceholder: Bool { target == sourceKey }

    /// Bytes in a record.
    public var encodedByteCount: Int { 8 + target.utf8.count + sourceKey.utf8.count }
}

/// `AttachmentReference` is a file of a note: the name that the text says in `att:NAME`, and which attachment of the
/// stream holds the bytes.
public struct AttachmentReference: Sendable, Hashable {
    public static let nameByteCountMax = 255
    public static let keyByteCountMax = 1024

    /// One part of a path, safe on every system; no two of a note are the same, whatever their case.
    public let name: String
    /// `AttachmentStart.key` of the bytes. Several notes may name one.
    public let key: String

    /// Makes a reference to a file, and checks that its name is not a path.
    ///
    /// - Throws: `RecordError`: `tooLarge`; `notCanonical` for an empty name or key, `badPath` for a name that is more
    ///   than a name.
    public init(name: String, key: String) throws(RecordError) {
        guard name.utf8.count <= Self.nameByteCountMax, key.utf8.count <= Self.keyByteCountMax else {
            throw RecordError(.tooLarge)
        }
        guard !name.isEmpty, !key.isEmpty else { throw RecordError(.notCanonical) }
        guard name != ".", name != "..",
            !name.utf8.contains(where: { $0 < 0x20 || $0 == 0x2F || $0 == 0x5C || $0 == 0x7F })
        else {
            throw RecordError(.badPath)
        }
        self.name = name
        self.key = key
    }

    /// Bytes in a record.
    public var encodedByteCount: Int { 8 + name.utf8.count + key.utf8.count }
}
