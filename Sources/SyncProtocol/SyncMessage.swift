// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

public import VaultFormat

/// A `Ticket` is a request's number, which its answer repeats.
public typealias Ticket = UInt32

/// `SyncRequest` is what the agent says to `vault-sync`, one packet each. Contents travel as descriptors, never in a
/// packet.
///
/// Numbers are big-endian; texts and byte strings have their length as UInt32 before them. Spec: docs/sync-protocol.md
/// §3.
public enum SyncRequest: Sendable, Equatable {
    /// First, with a folder's descriptor.
    case start(StartOrder)
    /// Read a file into the descriptor, at most this many bytes.
    case get(Ticket, StoreName, max: Int)
    /// Store what the descriptor gives: this many bytes with this SHA-256.
    case put(Ticket, StoreName, byteCount: Int, digest: [UInt8])
    /// Write the names in a folder into the descriptor (`StoreListing`).
    case list(Ticket, StoreFolder)
    case delete(Ticket, StoreName)
    /// Say `changed` when something is new, from now on.
    case watch(Ticket)

    public static let version: UInt16 = 1

    /// The packet.
    public var encoded: [UInt8] {
        var writer = ByteWriter()
        switch self {
        case .start(let order):
            writer.u8(1)
            writer.u16(Self.version)
            order.encode(&writer)
        case .get(let ticket, let name, let max):
            writer.head(3, ticket, name)
            writer.u64(UInt64(max))
        case .put(let ticket, let name, let byteCount, let digest):
            writer.head(4, ticket, name)
            writer.u64(UInt64(byteCount))
            writer.raw(digest)
        case .list(let ticket, let folder):
            writer.u8(5)
            writer.u32(ticket)
            writer.u8(folder.area.rawValue)
            writer.u8(folder.shard ?? 0)
        case .delete(let ticket, let name): writer.head(6, ticket, name)
        case .watch(let ticket):
            writer.u8(7)
            writer.u32(ticket)
        }
        return writer.bytes
    }

    /// Reads a request.
    ///
    /// - Throws: `FormatError` for anything that `encoded` does not give.
    public init(parsing bytes: [UInt8]) throws(FormatError) {
        var reader = ByteReader(bytes)
        switch try reader.u8() {
        case 1:
            guard try reader.u16() == Self.version else { throw FormatError(.unknownVersion, offset: 1) }
            self = .start(try StartOrder(parsing: &reader))
        case 3:
            let (ticket, name) = try reader.ticketAndName()
            self = .get(ticket, name, max: try reader.count(max: name.area.byteCountMax))
        case 4:
            let (ticket, name) = try reader.ticketAndName()
            let count = try reader.count(max: name.area.byteCountMax)
            self = .put(ticket, name, byteCount: count, digest: try reader.bytes(32))
        case 5: self = .list(try reader.u32(), try reader.folder())
        case 6:
            let (ticket, name) = try reader.ticketAndName()
            self = .delete(ticket, name)
        case 7: self = .watch(try reader.u32())
        default: throw FormatError(.unknownKind, offset: 0)
        }
        try reader.end()
    }

    /// Whether a descriptor must come with it; it must not with others.
    public var takesDescriptor: Bool {
        switch self {
        case .start(let order): order.settings == .folder
        case .get, .put, .list: true
        case .delete, .watch: false
        }
    }
}

/// `SyncAnswer` is what `vault-sync` says to the agent. No descriptor ever comes with it.
public enum SyncAnswer: Sendable, Equatable {
    /// It is confined and has its settings.
    case ready
    /// A request is done; bytes that were written into its descriptor, 0 for the others.
    case done(Ticket, byteCount: Int)
    case failed(Ticket, StoreFailure)
    /// Something may be new. Said once until the next request.
    case changed
    /// The remote's credential has changed: it follows in a packet of its own, as a start has it.
    case credential

    /// The packet.
    public var encoded: [UInt8] {
        var writer = ByteWriter()
        switch self {
        case .ready:
            writer.u8(33)
            writer.u16(SyncRequest.version)
        case .done(let ticket, let byteCount):
            writer.u8(34)
            writer.u32(ticket)
            writer.u64(UInt64(byteCount))
        case .failed(let ticket, let failure):
            writer.u8(35)
            writer.u32(ticket)
            writer.u8(failure.code.rawValue)
            writer.u32(UInt32(bitPattern: failure.detail))
            writer.u32(failure.retryAfter)
        case .changed: writer.u8(36)
        case .credential: writer.u8(37)
        }
        return writer.bytes
    }

    /// Reads an answer.
    ///
    /// - Throws: `FormatError` for anything that `encoded` does not give.
    public init(parsing bytes: [UInt8]) throws(FormatError) {
        var reader = ByteReader(bytes)
        switch try reader.u8() {
        case 33:
            guard try reader.u16() == SyncRequest.version else { throw FormatError(.unknownVersion, offset: 1) }
            self = .ready
        case 34: self = .done(try reader.u32(), byteCount: try reader.count(max: StoreArea.byteCountMax))
        case 35:
            let ticket = try reader.u32()
            guard let code = StoreFailure.Code(rawValue: try reader.u8()) else {
                throw FormatError(.unknownKind, offset: 5)
            }
            let detail = Int32(bitPattern: try reader.u32())
            self = .failed(ticket, StoreFailure(code, detail: detail, retryAfter: try reader.u32()))
        case 36: self = .changed
        case 37: self = .credential
        default: throw FormatError(.unknownKind, offset: 0)
        }
        try reader.end()
    }
}

extension ByteWriter {
    fileprivate mutating func head(_ kind: UInt8, _ ticket: Ticket, _ name: StoreName) {
        u8(kind)
        u32(ticket)
        u8(name.area.rawValue)
        text(name.text)
    }
}

extension ByteReader {
    fileprivate mutating func ticketAndName() throws(FormatError) -> (Ticket, StoreName) {
        let ticket = try u32()
        let area = try area()
        guard let name = StoreName(area, try lengthPrefixed(max: 64)) else {
            throw FormatError(.notCanonical, offset: 6)
        }
        return (ticket, name)
    }

    fileprivate mutating func folder() throws(FormatError) -> StoreFolder {
        let area = try area()
        let shard = try u8()
        guard area.isSharded || shard == 0, let folder = StoreFolder(area, shard: area.isSharded ? shard : nil) else {
            throw FormatError(.notCanonical, offset: 6)
        }
        return folder
    }

    fileprivate mutating func count(max: Int) throws(FormatError) -> Int {
        let at = offset
        guard let count = Int(exactly: try u64()), count <= max else { throw FormatError(.tooLarge, offset: at) }
        return count
    }

    private mutating func area() throws(FormatError) -> StoreArea {
        let at = offset
        guard let area = StoreArea(rawValue: try u8()) else { throw FormatError(.unknownKind, offset: at) }
        return area
    }
}
