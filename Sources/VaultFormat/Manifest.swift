// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// `Manifest` says what the vault's other files must at least hold. Sealed, replaced whole; written at lock and every
/// few seconds.
///
/// ```
/// offset  size  field
///      0     2  version           UInt16, big-endian; 2
///      2     8  generation        UInt64; committed transactions
///     10     4  pageCount         UInt32; pages of the index when it was closed
///     14    32  logSalt           random; the index's log is sealed under it, renewed while the log is empty
///     46     8  syncedByteCount   UInt64; size of the log that was durable when this was written
///     54     1  isOpen            0 or 1; 1 while an agent has the index open
///     55     8  headerCounter     UInt64; of the header when this was written, which may be newer by now
///     63    32  headerDigest      SHA-256 of that header's bytes
///     95     1  hasMap            0 or 1; 0 until the pages of the index have a map
///     96     1  mapSlot           0 or 1; where the map's root lies
///     97    32  mapHash           SHA-256 of the map's root; zeros without a map
///    129        end
/// ```
/// Version 1 ends at 55. Spec: docs/format.md §7.
public struct Manifest: Sendable, Equatable {
    public static let version: UInt16 = 2
    public static let logSaltByteCount = 32
    public static let digestByteCount = 32

    public var generation: UInt64
    public var pageCount: UInt32
    public var logSalt: [UInt8]
    public var syncedByteCount: UInt64
    public var isOpen: Bool
    /// Of the newest header that the vault had when this was written: an older one, or another with the same counter,
    /// is refused. 0 where none is known, as in version 1.
    public var headerCounter: UInt64 = 0
    /// 32 bytes; zeros where none is known.
    public var headerDigest = [UInt8](repeating: 0, count: digestByteCount)
    /// What vouches for the pages of the index; nil until they have a map.
    public var map: MapRoot?

    public init(generation: UInt64, pageCount: UInt32, logSalt: [UInt8], syncedByteCount: UInt64, isOpen: Bool) {
        self.generation = generation
        self.pageCount = pageCount
        self.logSalt = logSalt
        self.syncedByteCount = syncedByteCount
        self.isOpen = isOpen
    }

    /// Reads a manifest; one of the first version names neither header nor map.
    ///
    /// - Throws: `FormatError`.
    public init(parsing bytes: [UInt8]) throws(FormatError) {
        var reader = ByteReader(bytes)
        let version = try reader.u16()
        guard version == 1 || version == Self.version else { throw FormatError(.unknownVersion, offset: 0) }
        generation = try reader.u64()
        pageCount = try reader.u32()
        logSalt = try reader.bytes(Self.logSaltByteCount)
        syncedByteCount = try reader.u64()
        isOpen = try reader.flag()
        if version > 1 {
            headerCounter = try reader.u64()
            headerDigest = try reader.bytes(Self.digestByteCount)
            let hasMap = try reader.flag()
            let at = reader.offset
            let root = MapRoot(slot: try reader.flag() ? 1 : 0, hash: try reader.bytes(Self.digestByteCount))
            // One encoding for each value.
            guard hasMap || root.slot == 0 && root.hash.allSatisfy({ $0 == 0 }) else {
                throw FormatError(.notCanonical, offset: at)
            }
            if hasMap { map = root }
        }
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
        writer.u64(headerCounter)
        writer.raw(headerDigest)
        writer.flag(map != nil)
        writer.flag(map?.slot == 1)
        writer.raw(map?.hash ?? [UInt8](repeating: 0, count: Self.digestByteCount))
        return writer.bytes
    }
}

/// `MapRoot` is the root of the map of an index's pages: which of its two places holds it, and what it must hash to.
/// Spec: docs/format.md §11.1.
public struct MapRoot: Sendable, Equatable {
    /// 0 or 1.
    public var slot: Int
    /// SHA-256 of the root's 1,024 bytes.
    public var hash: [UInt8]

    public init(slot: Int, hash: [UInt8]) {
        self.slot = slot
        self.hash = hash
    }
}
