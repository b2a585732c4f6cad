// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// `HeaderStamp` names a header by its counter and the SHA-256 of its bytes.
public struct HeaderStamp: Hashable, Sendable {
    public static let digestByteCount = 32

    public var counter: UInt64
    public var digest: [UInt8]

    public init(counter: UInt64, digest: [UInt8]) {
        self.counter = counter
        self.digest = digest
    }

    init(from reader: inout ByteReader) throws(FormatError) {
        counter = try reader.u64()
        digest = try reader.bytes(Self.digestByteCount)
    }

    func encode(to writer: inout ByteWriter) {
        writer.u64(counter)
        writer.raw(digest)
    }
}

/// `ChainMark` is a segment of a device's chain that somebody has read: its number and the SHA-256 of it as it lies.
public struct ChainMark: Hashable, Sendable {
    public var device: DeviceID
    /// From 1 to 2^62.
    public var number: UInt64
    public var digest: [UInt8]

    public init(device: DeviceID, number: UInt64, digest: [UInt8]) {
        self.device = device
        self.number = number
        self.digest = digest
    }

    init(from reader: inout ByteReader) throws(FormatError) {
        device = try DeviceID(reader.bytes(DeviceID.byteCount))
        let at = reader.offset
        number = try reader.u64()
        guard (1...RemotePlace.numberMax).contains(number) else { throw FormatError(.notCanonical, offset: at) }
        digest = try reader.bytes(HeaderStamp.digestByteCount)
    }

    func encode(to writer: inout ByteWriter) {
        writer.raw(device.bytes)
        writer.u64(number)
        writer.raw(digest)
    }
}

/// `ElsewhereMark` is how far the writer of a segment has spoken over another remote, whose store has said that it has
/// that.
public struct ElsewhereMark: Hashable, Sendable {
    public static let placeByteCount = 16

    /// The first 16 bytes of a SHA-256 of where that remote is.
    public var place: [UInt8]
    /// The writer's name there.
    public var device: DeviceID
    /// Of its last segment there, from 1 to 2^62.
    public var number: UInt64
    /// SHA-256 of that, as it lies.
    public var digest: [UInt8]

    public init(place: [UInt8], device: DeviceID, number: UInt64, digest: [UInt8]) {
        (self.place, self.device, self.number, self.digest) = (place, device, number, digest)
    }

    init(from reader: inout ByteReader) throws(FormatError) {
        place = try reader.bytes(Self.placeByteCount)
        let mark = try ChainMark(from: &reader)
        (device, number, digest) = (mark.device, mark.number, mark.digest)
    }

    func encode(to writer: inout ByteWriter) {
        writer.raw(place)
        ChainMark(device: device, number: number, digest: digest).encode(to: &writer)
    }
}

/// `RemoteSegment` holds what one device says at once: what its writer had read, then what happened.
///
/// ```
/// offset  size  field
///      0     2  version        1
///      2     4  flags          1 a part, 2 the whole state, 4 ends the epoch, 8 elsewhere; any other is a newer
///                              program's
///      6    32  previous       SHA-256 of the sealed segment before; zeros in the first
///     38     8  made           Int64; for display only
///     46    40  header         of the writer: UInt64 counter, SHA-256
///     86    40  nextHeader     with flag 4: UInt64 counter, SHA-256
///              vector         UInt32 count, count × (device 16 bytes, UInt64 number, SHA-256), by device
///              forked         UInt32 count, count × device 16 bytes, ascending
///              retired        UInt32 count, count × device 16 bytes, ascending
///              elsewhere      with flag 8: UInt32 count, from 1, count × (place 16 bytes, device 16 bytes, UInt64
///                              number, SHA-256), ascending
///              entries        UInt32 count, count × byte string: what each entry consists of (docs/format.md §21.1)
/// ```
/// Which device's it is, and which number it has, say its name and its context. Spec: docs/format.md §25.5.
public struct RemoteSegment: Sendable, Equatable {
    public static let version: UInt16 = 1
    /// Largest content, in bytes: the largest entry, a long vector, and room. A writer aims at a quarter of it.
    public static let byteCountMax = 36 << 20
    /// Largest entry, in bytes: a revision of the largest size, and what hangs on it.
    public static let entryByteCountMax = 32 << 20
    /// What a writer puts at most into a segment of more than one entry, in bytes.
    public static let aimedByteCountMax = 8 << 20
    /// The smallest padded content, in bytes: an ordinary edit looks like any other.
    public static let paddedByteCountMin = 4096
    /// Most devices in a list.
    public static let deviceCountMax = 4096
    public static let firstPrevious = [UInt8](repeating: 0, count: HeaderStamp.digestByteCount)

    public var previous: [UInt8]
    /// In milliseconds since 1970, UTC.
    public var made: Int64
    /// The newest header that the writer had.
    public var header: HeaderStamp
    /// With it the epoch ends: the cut is the vector and the segment itself. The header is the next epoch's.
    public var nextHeader: HeaderStamp?
    /// Whether more of what the writer had to say when it had read the vector follows.
    public var isPart = false
    /// Whether the writer's chain has now said all that the chains in the vector say up to their marks.
    public var isWholeState = false
    /// Of the chains of the epoch, without the writer's own.
    public var vector: [ChainMark] = []
    /// Devices whose chains say two things.
    public var forked: [DeviceID] = []
    /// Devices that no longer hold anything up.
    public var retired: [DeviceID] = []
    /// How far the writer has spoken over other remotes, in the order of their places.
    public var elsewhere: [ElsewhereMark] = []
    /// What happened, each with all that belongs to it; what it consists of is its reader's to judge. Never empty.
    public var entries: [[UInt8]] = []

    public init(previous: [UInt8], made: Int64, header: HeaderStamp) {
        self.previous = previous
        self.made = made
        self.header = header
    }

    private enum Flag {
        static let part: UInt32 = 1
        static let wholeState: UInt32 = 2
        static let ending: UInt32 = 4
        static let elsewhere: UInt32 = 8
        static let all = part | wholeState | ending | elsewhere
    }

    /// Reads the content of a segment.
    ///
    /// - Throws: `FormatError`, `.unknownVersion`, `.unknownFeature` and `.unknownKind` for what a newer program made.
    public init(parsing bytes: [UInt8]) throws(FormatError) {
        guard bytes.count <= Self.byteCountMax else { throw FormatError(.tooLarge, offset: 0) }
        var reader = ByteReader(bytes)
        guard try reader.u16() == Self.version else { throw FormatError(.unknownVersion, offset: 0) }
        let flags = try reader.u32()
        guard flags & ~Flag.all == 0 else { throw FormatError(.unknownFeature, offset: 2) }
        isPart = flags & Flag.part != 0
        isWholeState = flags & Flag.wholeState != 0
        previous = try reader.bytes(HeaderStamp.digestByteCount)
        made = try reader.i64()
        header = try HeaderStamp(from: &reader)
        if flags & Flag.ending != 0 { nextHeader = try HeaderStamp(from: &reader) }
        vector = try Self.list(&reader, by: \.device) { reader throws(FormatError) in try ChainMark(from: &reader) }
        forked = try Self.devices(&reader)
        retired = try Self.devices(&reader)
        if flags & Flag.elsewhere != 0 { elsewhere = try Self.elsewhere(&reader) }
        let count = try reader.u32()
        for _ in 0..<count {
            let at = reader.offset
            let entry = try reader.lengthPrefixed(max: Self.entryByteCountMax)
            guard !entry.isEmpty else { throw FormatError(.notCanonical, offset: at) }
            entries.append(entry)
        }
        try reader.end()
    }

    public var encoded: [UInt8] {
        var writer = ByteWriter(reserving: 4096)
        writer.u16(Self.version)
        writer.u32(
            (isPart ? Flag.part : 0) | (isWholeState ? Flag.wholeState : 0) | (nextHeader != nil ? Flag.ending : 0)
                | (elsewhere.isEmpty ? 0 : Flag.elsewhere))
        writer.raw(previous)
        writer.i64(made)
        header.encode(to: &writer)
        nextHeader?.encode(to: &writer)
        writer.u32(UInt32(clamping: vector.count))
        for mark in vector { mark.encode(to: &writer) }
        for devices in [forked, retired] {
            writer.u32(UInt32(clamping: devices.count))
            for device in devices { writer.raw(device.bytes) }
        }
        if !elsewhere.isEmpty {
            writer.u32(UInt32(clamping: elsewhere.count))
            for mark in elsewhere { mark.encode(to: &writer) }
        }
        writer.u32(UInt32(clamping: entries.count))
        for entry in entries { writer.lengthPrefixed(entry) }
        return writer.bytes
    }

    /// Reads what stands there in one form: in order, none twice, and not without any.
    private static func elsewhere(_ reader: inout ByteReader) throws(FormatError) -> [ElsewhereMark] {
        let at = reader.offset
        let count = try reader.u32()
        guard (1...UInt32(deviceCountMax)).contains(count) else { throw FormatError(.notCanonical, offset: at) }
        var marks: [ElsewhereMark] = []
        for _ in 0..<count {
            let mark = try ElsewhereMark(from: &reader)
            if let last = marks.last, !last.place.lexicographicallyPrecedes(mark.place) {
                throw FormatError(.notCanonical, offset: at)
            }
            marks.append(mark)
        }
        return marks
    }

    private static func devices(_ reader: inout ByteReader) throws(FormatError) -> [DeviceID] {
        try list(&reader, by: \.self) { reader throws(FormatError) in
            try DeviceID(reader.bytes(DeviceID.byteCount))
        }
    }

    /// Reads a list in the order of its devices, none of them twice.
    private static func list<Value>(
        _ reader: inout ByteReader, by device: (Value) -> DeviceID,
        _ parse: (inout ByteReader) throws(FormatError) -> Value
    ) throws(FormatError) -> [Value] {
        let at = reader.offset
        let count = try reader.u32()
        guard count <= deviceCountMax else { throw FormatError(.tooLarge, offset: at) }
        var values: [Value] = []
        for _ in 0..<count {
            let value = try parse(&reader)
            if let last = values.last, device(last) >= device(value) { throw FormatError(.notCanonical, offset: at) }
            values.append(value)
        }
        return values
    }
}
