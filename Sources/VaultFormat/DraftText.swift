// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// `DraftText` holds what an editor saved last, as the journal of a running edit keeps it.
///
/// ```
/// UInt16 version (1) | UInt64 sequence | Int64 saved | byte string body
/// ```
/// `sequence` counts the saves of one draft from 1; `saved` is in milliseconds since 1970, UTC. The body need not be
/// UTF-8: what an editor saved in another encoding is kept as well. Spec: docs/format.md §17.
public struct DraftText: Sendable, Equatable {
    public static let version: UInt16 = 1

    public var sequence: UInt64
    public var saved: Int64
    public var body: [UInt8]

    public init(sequence: UInt64, saved: Int64, body: [UInt8]) {
        self.sequence = sequence
        self.saved = saved
        self.body = body
    }

    /// Reads the text of a draft.
    ///
    /// - Throws: `FormatError`.
    public init(parsing bytes: [UInt8]) throws(FormatError) {
        var reader = ByteReader(bytes)
        guard try reader.u16() == Self.version else { throw FormatError(.unknownVersion, offset: 0) }
        sequence = try reader.u64()
        saved = try reader.i64()
        body = try reader.lengthPrefixed(max: NoteRecord.bodyByteCountMax)
        try reader.end()
    }

    public var encoded: [UInt8] {
        var writer = ByteWriter(reserving: 32 + body.count)
        writer.u16(Self.version)
        writer.u64(sequence)
        writer.i64(saved)
        writer.lengthPrefixed(body)
        return writer.bytes
    }
}
