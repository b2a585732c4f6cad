// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// What the vault's other files must at least hold. Sealed, replaced whole; written at lock and every few seconds.
///
/// ```
/// offset  size  field
///      0     2  version           UInt16, big-endian; 1
///      2     8  generation        UInt64; committed transactions
///     10     4  pageCount         UInt32; pages of the index when it was closed
///     14    32  logSalt           random; the index's log is sealed under it, renewed while the log is empty
///     46     8  syncedByteCount   UInt64; size of the log that was durable when this was written
///     54     1  isOpen            0 or 1; 1 while an agent has the index open
///     55        end
/// ```
/// Spec: docs/format.md §7.
public struct Manifest: Sendable, Equatable {
    public static let version: UInt16 = 1
    public static let logSaltByteCount = 32

    public var generation: UInt64
    public var pageCount: UInt32
    public var logSalt: [UInt8]
    public var syncedByteCount: UInt64
    public var isOpen: Bool

    public init(generation: UInt64, pageCount: UInt32, logSalt: [UInt8], syncedByteCount: UInt64, isOpen: Bool) {
        self.generation = generation
        self.pageCount = pageCount
        self.logSalt = logSalt
        self.syncedByteCount = syncedByteCount
        self.isOpen = isOpen
    }

    /// - Throws: `FormatError`.
    public init(parsing bytes: [UInt8]) throws(FormatError) {
        var reader = ByteReader(bytes)
        guard try reader.u16() == Self.version else { throw FormatError(.unknownVersion, offset: 0) }
        generation = try reader.u64()
        pageCount = try reader.u32()
        logSalt = try reader.bytes(Self.logSaltByteCount)
        syncedByteCount = try reader.u64()
        isOpen = try reader.flag()
        try reader.end()
    }

    public var encoded: [UInt8] {
        var writer = ByteWriter()
        writer.u16(Self.version)
        writer.u64(generation)
        writer.u32(pageCount)
        writer.raw(logSalt)
        writer.u64(syncedByteCount)
        writer.flag(isOpen)
        return writer.bytes
    }
}
