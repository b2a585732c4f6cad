// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// A note that another one names: what stands in its text as `[[target]]` or `[[target|label]]`, and which note that
/// means.
///
/// The target is the other note's title where that is clear. Where it is not (two notes have the title, or it holds
/// signs that end a link), it is the other note's source key, and whoever stores the notes puts the identifier there.
public struct NoteReference: Sendable, Hashable {
    public static let targetByteCountMax = 480
    public static let sourceKeyByteCountMax = 1024

    public let target: String
    public let sourceKey: String

    /// - Throws: `RecordError`: `tooLarge`; `notCanonical` for an empty text or a target that would end the link.
    public init(target: String, sourceKey: String) throws(RecordError) {
        guard target.utf8.count <= Self.targetByteCountMax, sourceKey.utf8.count <= Self.sourceKeyByteCountMax else {
            throw RecordError(.tooLarge)
        }
        guard Self.isTarget(target), !sourceKey.isEmpty else { throw RecordError(.notCanonical) }
        self.target = target
        self.sourceKey = sourceKey
    }

    /// Whether a text may stand between "[[" and "|".
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
