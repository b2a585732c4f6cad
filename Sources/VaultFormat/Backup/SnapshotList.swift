// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// `SnapshotList` says what one snapshot of a backup consists of. Spec: docs/format.md §22.
///
/// ```
/// UInt16 version (1, or 2 with damage) | Int64 made | UInt64 generation | UInt64 x 6 | byte string manifest
/// | UInt64 indexByteCount | UInt32 count, count x 32 bytes
/// | UInt32 count, count x (object name 32 bytes | UInt64 byteCount)
/// | UInt32 count, count x (draft ID 16 bytes | 32 bytes)
/// | of version 2: SnapshotDamage
/// ```
public struct SnapshotList: Sendable, Equatable {
    public static let version: UInt16 = 1
    /// Of the copy of a damaged vault: it says what it lacks, and older programs refuse it.
    public static let versionWithDamage: UInt16 = 2
    /// Size of a piece of the index file, in bytes; the last one may be shorter.
    public static let pieceByteCount = 65_536
    /// Largest list, in bytes: an index of 64 GiB and two million attachments.
    public static let byteCountMax = 128 << 20
    private static let digestByteCount = 32
    private static let manifestByteCountMax = 65_536

    /// Milliseconds since 1970, UTC.
    public var made: Int64
    public var generation: UInt64
    public var counts: ArchiveCounts
    /// The manifest file of the index as it lies in the pieces.
    public var manifest: [UInt8]
    public var indexByteCount: UInt64
    /// SHA-256 of the pieces, in their order.
    public var pieces: [[UInt8]] = []
    public var objects: [Object] = []
    public var drafts: [Draft] = []
    /// What did not open in the vault when it was made; empty for the copy of a whole one.
    public var damage = SnapshotDamage()

    public struct Object: Sendable, Equatable {
        public var name: ObjectName
        public var byteCount: UInt64

        public init(name: ObjectName, byteCount: UInt64) {
            self.name = name
            self.byteCount = byteCount
        }
    }

    public struct Draft: Sendable, Equatable {
        public var id: DraftID
        /// SHA-256 of its file.
        public var digest: [UInt8]

        public init(id: DraftID, digest: [UInt8]) {
            self.id = id
            self.digest = digest
        }
    }

    public init(made: Int64, generation: UInt64, counts: ArchiveCounts, manifest: [UInt8], indexByteCount: UInt64) {
        self.made = made
        self.generation = generation
        self.counts = counts
        self.manifest = manifest
        self.indexByteCount = indexByteCount
    }

    /// Reads the list of a snapshot.
    ///
    /// - Throws: `FormatError`; `.notCanonical` when the pieces are not as many as the index's size needs.
    public init(parsing bytes: [UInt8]) throws(FormatError) {
        var reader = ByteReader(bytes)
        let version = try reader.u16()
        guard version == Self.version || version == Self.versionWithDamage else {
            throw FormatError(.unknownVersion, offset: 0)
        }
        made = try reader.i64()
        generation = try reader.u64()
        counts = try ArchiveCounts(from: &reader)
        manifest = try reader.lengthPrefixed(max: Self.manifestByteCountMax)
        indexByteCount = try reader.u64()
        let at = reader.offset
        // No loop runs further than the bytes that are there.
        for _ in 0..<(try reader.u32()) { pieces.append(try reader.bytes(Self.digestByteCount)) }
        let size = UInt64(Self.pieceByteCount)
        guard UInt64(pieces.count) == indexByteCount / size + (indexByteCount % size == 0 ? 0 : 1) else {
            throw FormatError(.notCanonical, offset: at)
        }
        for _ in 0..<(try reader.u32()) {
            objects.append(
                Object(name: try ObjectName(reader.bytes(ObjectName.byteCount)), byteCount: try reader.u64()))
        }
        for _ in 0..<(try reader.u32()) {
            drafts.append(
                Draft(id: try DraftID(reader.bytes(DraftID.byteCount)), digest: try reader.bytes(Self.digestByteCount)))
        }
        if version == Self.versionWithDamage { damage = try SnapshotDamage(from: &reader) }
        try reader.end()
    }

    public var encoded: [UInt8] {
        var writer = ByteWriter(reserving: 256 + 32 * pieces.count + 40 * objects.count + 48 * drafts.count)
        writer.u16(damage.isEmpty ? Self.version : Self.versionWithDamage)
        writer.i64(made)
        writer.u64(generation)
        counts.encode(to: &writer)
        writer.lengthPrefixed(manifest)
        writer.u64(indexByteCount)
        writer.u32(UInt32(pieces.count))
        for digest in pieces { writer.raw(digest) }
        writer.u32(UInt32(objects.count))
        for object in objects {
            writer.raw(object.name.bytes)
            writer.u64(object.byteCount)
        }
        writer.u32(UInt32(drafts.count))
        for draft in drafts {
            writer.raw(draft.id.bytes)
            writer.raw(draft.digest)
        }
        if !damage.isEmpty { damage.encode(to: &writer) }
        return writer.bytes
    }
}
