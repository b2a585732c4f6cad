// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// `EntryStatement` is what an entry of operation 9 says besides revisions. It is named by its entry's revision ID, and
/// replaces the statements that its entry has as parents.
///
/// ```
/// UInt16 version (1) | UInt8 kind | fields
/// ```
/// Spec: docs/format.md §10.
public enum EntryStatement: Sendable, Equatable {
    /// A device's name.
    case device(DeviceStatement)
    /// A keyslot was added to the header.
    case keyslotAdded(KeyslotStatement)
    /// A keyslot was removed from the header, and stays removed.
    case keyslotRemoved(epoch: UInt32, slotID: [UInt8])
    /// What opens a note.
    case noteKey(NoteKeyStatement)
    /// The record of an attachment was written anew.
    case attachment(AttachmentRecord)

    public static let version: UInt16 = 1

    /// `Kind` is the number of a statement's kind. Number 5 is not used.
    public enum Kind: UInt8, Sendable, CaseIterable {
        case device = 1
        case keyslotAdded = 2
        case keyslotRemoved = 3
        case noteKey = 4
        case attachment = 6
    }

    /// Bytes of a slot's identifier.
    private static let slotIDByteCount = 16
    private static let recordByteCountMax = 128 << 10

    public var kind: Kind {
        switch self {
        case .device: .device
        case .keyslotAdded: .keyslotAdded
        case .keyslotRemoved: .keyslotRemoved
        case .noteKey: .noteKey
        case .attachment: .attachment
        }
    }

    /// Reads a statement.
    ///
    /// - Throws: `FormatError`; `.unknownVersion` and `.unknownKind` for what a newer program has written.
    public init(parsing bytes: [UInt8]) throws(FormatError) {
        var reader = ByteReader(bytes)
        guard try reader.u16() == Self.version else { throw FormatError(.unknownVersion, offset: 0) }
        guard let kind = Kind(rawValue: try reader.u8()) else { throw FormatError(.unknownKind, offset: 2) }
        switch kind {
        case .device: self = .device(try DeviceStatement(from: &reader))
        case .keyslotAdded: self = .keyslotAdded(try KeyslotStatement(from: &reader))
        case .keyslotRemoved:
            let epoch = try reader.u32()
            let slotID = try identifier(reader.bytes(Self.slotIDByteCount), byteCount: Self.slotIDByteCount)
            self = .keyslotRemoved(epoch: epoch, slotID: slotID)
        case .noteKey: self = .noteKey(try NoteKeyStatement(from: &reader))
        case .attachment:
            self = .attachment(try AttachmentRecord(parsing: reader.lengthPrefixed(max: Self.recordByteCountMax)))
        }
        try reader.end()
    }

    public var encoded: [UInt8] {
        var writer = ByteWriter(reserving: 512)
        writer.u16(Self.version)
        writer.u8(kind.rawValue)
        switch self {
        case .device(let device): device.encode(to: &writer)
        case .keyslotAdded(let slot): slot.encode(to: &writer)
        case .keyslotRemoved(let epoch, let slotID):
            writer.u32(epoch)
            writer.raw(slotID)
        case .noteKey(let key): key.encode(to: &writer)
        case .attachment(let record): writer.lengthPrefixed(record.encoded)
        }
        return writer.bytes
    }

    /// Returns whether it can be said of a note, or of none where that is `NoteID.none`.
    func fits(_ note: NoteID) -> Bool {
        switch self {
        case .device, .keyslotAdded, .keyslotRemoved: note == .none
        case .noteKey(let key): note != .none && key.slot.map { $0.noteID == note } ?? true
        case .attachment(let record): note != .none && record.noteID == note
        }
    }

    /// Returns what its name is the hash of: the first 16 bytes of the SHA-256 of these bytes. A statement of kind 4
    /// has another label before them.
    ///
    /// - Parameter parents: the statements that it replaces.
    public func named(replacing parents: [RevisionID]) -> [UInt8] {
        let label = kind == .noteKey ? "vault/v1 note password" : "vault/v1 statement"
        return Array(label.utf8) + parents.sorted().flatMap(\.bytes) + encoded
    }
}

/// `DeviceStatement` says what a device is called, and under which other names it speaks in remotes.
///
/// ```
/// device 16 | text name | text system | UInt32 count, device 16…, ascending | flag, then device 16 | UInt64 sequence
/// | chain 32 if 1
/// ```
/// Spec: docs/format.md §10.
public struct DeviceStatement: Sendable, Equatable {
    /// `Origin` is the device that another one continues, and the last entry of it that it has.
    public struct Origin: Sendable, Equatable {
        public var device: DeviceID
        public var sequence: UInt64
        /// SHA-256 of that entry.
        public var chain: [UInt8]

        public init(device: DeviceID, sequence: UInt64, chain: [UInt8]) {
            (self.device, self.sequence, self.chain) = (device, sequence, chain)
        }
    }

    /// Bytes of a name and of a system.
    public static let textByteCountMax = 256
    public static let chainCountMax = 64

    /// Whose name it is, which need not be the device that says so.
    public var device: DeviceID
    public var name: String
    /// What it runs on.
    public var system: String
    /// Names under which it writes segments (docs/format.md §25): all that any statement of it has count.
    public var chains: [DeviceID]
    public var origin: Origin?

    /// Makes a statement.
    ///
    /// - Parameter chains: at most 64, in any order.
    public init(device: DeviceID, name: String, system: String, chains: [DeviceID], origin: Origin? = nil) {
        (self.device, self.name, self.system, self.origin) = (device, name, system, origin)
        self.chains = chains.sorted()
    }

    init(from reader: inout ByteReader) throws(FormatError) {
        device = try DeviceID(reader.bytes(DeviceID.byteCount))
        name = try reader.text(max: Self.textByteCountMax)
        system = try reader.text(max: Self.textByteCountMax)
        let at = reader.offset
        let count = try reader.u32()
        guard count <= Self.chainCountMax else {
            throw FormatError(.tooLarge, offset: at, length: (Int(count), Self.chainCountMax))
        }
        chains = []
        for _ in 0..<count {
            let chain = try DeviceID(reader.bytes(DeviceID.byteCount))
            guard chains.last.map({ $0 < chain }) ?? true else { throw FormatError(.notCanonical, offset: at) }
            chains.append(chain)
        }
        guard try reader.flag() else { return }
        let origin = try DeviceID(reader.bytes(DeviceID.byteCount))
        self.origin = Origin(device: origin, sequence: try reader.u64(), chain: try reader.bytes(Entry.digestByteCount))
    }

    func encode(to writer: inout ByteWriter) {
        writer.raw(device.bytes)
        writer.text(name)
        writer.text(system)
        writer.u32(UInt32(chains.count))
        for chain in chains { writer.raw(chain.bytes) }
        writer.flag(origin != nil)
        guard let origin else { return }
        writer.raw(origin.device.bytes)
        writer.u64(origin.sequence)
        writer.raw(origin.chain)
    }
}

/// `KeyslotStatement` says that a keyslot was added to the header of an epoch.
///
/// ```
/// UInt32 epoch | slot 165 | text name | UInt32 target
/// ```
/// Spec: docs/format.md §10.
public struct KeyslotStatement: Sendable, Equatable {
    /// Bytes of a slot's name.
    public static let nameByteCountMax = 256

    public var epoch: UInt32
    public var slot: Keyslot
    /// What its owner calls it.
    public var name: String
    /// How long a try was to take when it was made, in milliseconds.
    public var target: UInt32

    public init(epoch: UInt32, slot: Keyslot, name: String, target: UInt32) {
        (self.epoch, self.slot, self.name, self.target) = (epoch, slot, name, target)
    }

    init(from reader: inout ByteReader) throws(FormatError) {
        epoch = try reader.u32()
        slot = try Keyslot(from: &reader)
        name = try reader.text(max: Self.nameByteCountMax)
        target = try reader.u32()
    }

    func encode(to writer: inout ByteWriter) {
        writer.u32(epoch)
        writer.raw(slot.encoded)
        writer.text(name)
        writer.u32(target)
    }
}
