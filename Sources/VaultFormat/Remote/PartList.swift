// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// `PartList` is an attachment's object as a remote has it: the file as it lies, cut between chunks, so that nothing is
/// sealed anew and each part is authentic for itself.
///
/// ```
/// part i    chunks 1,024 i … 1,024 i + 1,023 of the object; the first has salt and commitment before them
/// the last  the chunk that is shorter, perhaps empty, besides
/// ```
/// How many there are and how large each is follows from the object's size, so no list of them is kept. Spec:
/// docs/format.md §25.7.
public struct PartList: Sendable, Equatable {
    /// Full chunks in a part: 16 MiB of content.
    public static let chunkCount: UInt64 = 1024
    /// Size of the largest part, in bytes.
    public static let byteCountMax = 56 + chunkCount * chunkByteCount + chunkByteCount - 1
    /// Salt and commitment before the first chunk.
    private static let prefixByteCount: UInt64 = 56
    /// A full chunk of 16 KiB with its tag.
    private static let chunkByteCount: UInt64 = 16 * 1024 + 16
    /// The smallest chunk: a tag alone.
    private static let tagByteCount: UInt64 = 16
    /// Above this no object is: as an archive has it.
    private static let fileByteCountMax: UInt64 = 1 << 42

    /// Exact size of the object's file, in bytes.
    public let fileByteCount: UInt64
    private let fullChunkCount: UInt64

    /// Cuts an object of this size into parts; nil for a size that no sealed object has.
    public init?(fileByteCount: UInt64) {
        guard fileByteCount <= Self.fileByteCountMax, fileByteCount >= Self.prefixByteCount + Self.tagByteCount,
            (fileByteCount - Self.prefixByteCount) % Self.chunkByteCount >= Self.tagByteCount
        else { return nil }
        self.fileByteCount = fileByteCount
        fullChunkCount = (fileByteCount - Self.prefixByteCount) / Self.chunkByteCount
    }

    /// How many parts there are: at least one.
    public var count: UInt32 { UInt32(max(1, (fullChunkCount + Self.chunkCount - 1) / Self.chunkCount)) }

    /// Finds where a part lies in the file.
    public func range(of part: UInt32) -> Range<UInt64> {
        precondition(part < count, "a part that the object has")
        return begin(of: UInt64(part))..<(part + 1 == count ? fileByteCount : begin(of: UInt64(part) + 1))
    }

    /// Returns the number of a part's first chunk.
    public func firstChunk(of part: UInt32) -> UInt64 { UInt64(part) * Self.chunkCount }

    private func begin(of part: UInt64) -> UInt64 {
        part == 0 ? 0 : Self.prefixByteCount + part * Self.chunkCount * Self.chunkByteCount
    }
}
