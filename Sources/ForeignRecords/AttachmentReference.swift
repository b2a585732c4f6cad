// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// A file of a note: the name that the text says in `att:NAME`, and which attachment of the stream holds the bytes.
public struct AttachmentReference: Sendable, Hashable {
    public static let nameByteCountMax = 255
    public static let keyByteCountMax = 1024

    /// One part of a path, safe on every system; no two of a note are the same, whatever their case.
    public let name: String
    /// `AttachmentStart.key` of the bytes. Several notes may name one.
    public let key: String

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
