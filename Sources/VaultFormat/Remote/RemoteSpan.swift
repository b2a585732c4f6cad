// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// `RemoteSpan` holds many segments of one device in one object, without their padding. A reader seals each again with
/// its salt and has the bytes that lay there, and their hash: a span says nothing of its own.
///
/// ```
/// UInt16 version (1) | UInt32 flags (0) | UInt32 count, count × (flag, then salt 24 bytes, byte string content if 1)
/// ```
/// A segment whose flag is 0 stays where it is, or in the spans of the level below. Spec: docs/format.md §25.5.
public struct RemoteSpan: Sendable, Equatable {
    /// `Packed` is a segment as a span has it.
    public struct Packed: Sendable, Equatable {
        /// The salt that it was sealed with.
        public var salt: [UInt8]
        /// The bytes that `RemoteSegment` parses.
        public var content: [UInt8]

        public init(salt: [UInt8], content: [UInt8]) {
            self.salt = salt
            self.content = content
        }
    }

    public static let version: UInt16 = 1
    public static let saltByteCount = 24
    /// Largest content, in bytes; what does not fit is left out.
    public static let byteCountMax = RemoteSegment.byteCountMax
    /// Covered by a span of the highest level.
    public static let segmentCountMax = 64 * 64 * 64

    /// In the order of their numbers; nil for one that is left out.
    public var segments: [Packed?]

    public init(segments: [Packed?]) { self.segments = segments }

    /// Reads the content of a span.
    ///
    /// - Throws: `FormatError`.
    public init(parsing bytes: [UInt8]) throws(FormatError) {
        guard bytes.count <= Self.byteCountMax else { throw FormatError(.tooLarge, offset: 0) }
        var reader = ByteReader(bytes)
        guard try reader.u16() == Self.version else { throw FormatError(.unknownVersion, offset: 0) }
        guard try reader.u32() == 0 else { throw FormatError(.unknownFeature, offset: 2) }
        let count = try reader.u32()
        guard count <= Self.segmentCountMax else { throw FormatError(.tooLarge, offset: 6) }
        segments = []
        for _ in 0..<count {
            guard try reader.flag() else {
                segments.append(nil)
                continue
            }
            let salt = try reader.bytes(Self.saltByteCount)
            segments.append(Packed(salt: salt, content: try reader.lengthPrefixed(max: RemoteSegment.byteCountMax)))
        }
        try reader.end()
    }

    public var encoded: [UInt8] {
        var writer = ByteWriter(reserving: 4096)
        writer.u16(Self.version)
        writer.u32(0)
        writer.u32(UInt32(clamping: segments.count))
        for segment in segments {
            writer.flag(segment != nil)
            guard let segment else { continue }
            writer.raw(segment.salt)
            writer.lengthPrefixed(segment.content)
        }
        return writer.bytes
    }
}
