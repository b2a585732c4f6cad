// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// Names something that a device says of a note or of the whole vault, so that it is one thing however many devices
/// tell it, and says which of two counts. No clock has a say.
///
/// ```
/// id 16 bytes, random | UInt64 order
/// ```
/// Spec: docs/format.md §25.6.
public struct StatementID: Hashable, Comparable, Sendable {
    public static let idByteCount = 16

    /// Never all zero.
    public let id: [UInt8]
    /// One more than the highest that the writer knows of the same subject, from 1.
    public let order: UInt64

    /// - Throws: `FormatError.truncated` for another size, `.allZero`.
    public init(_ id: [UInt8], order: UInt64) throws(FormatError) {
        self.id = try identifier(id, byteCount: Self.idByteCount)
        guard order > 0 else { throw FormatError(.notCanonical) }
        self.order = order
    }

    init(from reader: inout ByteReader) throws(FormatError) {
        try self.init(reader.bytes(Self.idByteCount), order: reader.u64())
    }

    func encode(to writer: inout ByteWriter) {
        writer.raw(id)
        writer.u64(order)
    }

    /// By the order, then by the bytes: the last one counts.
    public static func < (left: Self, right: Self) -> Bool {
        left.order == right.order ? left.id.lexicographicallyPrecedes(right.id) : left.order < right.order
    }
}

/// Says what a device is called. Which devices are retired says the head of each segment.
///
/// ```
/// statement 24 bytes | device 16 bytes | text name | text system | Int64 made | byte string publicKey
/// ```
public struct DeviceStatement: Sendable, Equatable {
    public static let nameByteCountMax = 255
    public static let publicKeyByteCountMax = 1024

    public var statement: StatementID
    public var device: DeviceID
    public var name: String
    public var system: String
    /// When the device began, in milliseconds since 1970, UTC; for display only.
    public var made: Int64
    /// Empty; what a later version puts here is kept, and nothing depends on it.
    public var publicKey: [UInt8] = []

    public init(statement: StatementID, device: DeviceID, name: String, system: String, made: Int64) {
        self.statement = statement
        self.device = device
        self.name = name
        self.system = system
        self.made = made
    }

    init(from reader: inout ByteReader) throws(FormatError) {
        statement = try StatementID(from: &reader)
        device = try DeviceID(reader.bytes(DeviceID.byteCount))
        name = try reader.text(max: Self.nameByteCountMax)
        system = try reader.text(max: Self.nameByteCountMax)
        made = try reader.i64()
        publicKey = try reader.lengthPrefixed(max: Self.publicKeyByteCountMax)
    }

    func encode(to writer: inout ByteWriter) {
        statement.encode(to: &writer)
        writer.raw(device.bytes)
        writer.text(name)
        writer.text(system)
        writer.i64(made)
        writer.lengthPrefixed(publicKey)
    }
}

/// Adds a keyslot to the header of an epoch, or says what one is called.
///
/// ```
/// statement 24 bytes | UInt32 epoch | keyslot 165 bytes | text name | Int64 made | UInt32 target
/// ```
public struct KeyslotStatement: Sendable, Equatable {
    public static let nameByteCountMax = 4096

    public var statement: StatementID
    /// Whose vault key it wraps; in any other epoch it means nothing.
    public var epoch: UInt32
    public var keyslot: Keyslot
    public var name: String
    /// In milliseconds since 1970, UTC.
    public var made: Int64
    /// How long a try was to take when it was made, in milliseconds.
    public var targetMilliseconds: UInt32

    public init(
        statement: StatementID, epoch: UInt32, keyslot: Keyslot, name: String, made: Int64, targetMilliseconds: UInt32
    ) {
        self.statement = statement
        self.epoch = epoch
        self.keyslot = keyslot
        self.name = name
        self.made = made
        self.targetMilliseconds = targetMilliseconds
    }

    init(from reader: inout ByteReader) throws(FormatError) {
        statement = try StatementID(from: &reader)
        epoch = try reader.u32()
        keyslot = try Keyslot(from: &reader)
        name = try reader.text(max: Self.nameByteCountMax)
        made = try reader.i64()
        targetMilliseconds = try reader.u32()
    }

    func encode(to writer: inout ByteWriter) {
        statement.encode(to: &writer)
        writer.u32(epoch)
        writer.raw(keyslot.encoded)
        writer.text(name)
        writer.i64(made)
        writer.u32(targetMilliseconds)
    }
}

/// Removes a keyslot for good: whatever its order, one that was removed opens nothing, also where it is added later.
///
/// ```
/// statement 24 bytes | UInt32 epoch | slotID 16 bytes
/// ```
public struct KeyslotRemoval: Sendable, Equatable {
    public var statement: StatementID
    public var epoch: UInt32
    /// Never all zero.
    public var slotID: [UInt8]

    public init(statement: StatementID, epoch: UInt32, slotID: [UInt8]) {
        self.statement = statement
        self.epoch = epoch
        self.slotID = slotID
    }

    init(from reader: inout ByteReader) throws(FormatError) {
        statement = try StatementID(from: &reader)
        epoch = try reader.u32()
        slotID = try identifier(reader.bytes(16), byteCount: 16)
    }

    func encode(to writer: inout ByteWriter) {
        statement.encode(to: &writer)
        writer.u32(epoch)
        writer.raw(slotID)
    }
}

/// A setting of the vault that all devices share.
///
/// ```
/// statement 24 bytes | text name | flag, then byte string value if 1
/// ```
public struct SettingStatement: Sendable, Equatable {
    public static let nameByteCountMax = 255
    public static let valueByteCountMax = 64 << 10

    public var statement: StatementID
    /// Not empty.
    public var name: String
    /// Nil where it has its default again.
    public var value: [UInt8]?

    public init(statement: StatementID, name: String, value: [UInt8]?) {
        self.statement = statement
        self.name = name
        self.value = value
    }

    init(from reader: inout ByteReader) throws(FormatError) {
        statement = try StatementID(from: &reader)
        let at = reader.offset
        name = try reader.text(max: Self.nameByteCountMax)
        guard !name.isEmpty else { throw FormatError(.notCanonical, offset: at) }
        value = try reader.flag() ? try reader.lengthPrefixed(max: Self.valueByteCountMax) : nil
    }

    func encode(to writer: inout ByteWriter) {
        statement.encode(to: &writer)
        writer.text(name)
        writer.flag(value != nil)
        if let value { writer.lengthPrefixed(value) }
    }
}
