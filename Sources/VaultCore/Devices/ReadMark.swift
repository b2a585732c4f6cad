// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import GRDB
public import VaultFormat

/// A `ReadMark` says how far the chains of a remote had come when all that this vault held was sent and read. Once all
/// devices say that they have read so far, they know what this vault knew then, and what they write is made from that
/// or from what came after it. Spec: docs/format.md §13.
public struct ReadMark: Sendable, Equatable {
    public let epoch: UInt32
    /// The last segment of each device, this one's among them.
    public let vector: [DeviceID: UInt64]

    public init(epoch: UInt32, vector: [DeviceID: UInt64]) { (self.epoch, self.vector) = (epoch, vector) }
}

/// A `StoredReadMark` is a mark as it was written down, with what this vault knew then.
public struct StoredReadMark: Sendable, Equatable {
    /// `Moment` is what a vault knew at some time.
    struct Moment: Equatable {
        /// Of each device the last entry, by its number.
        var entries: [DeviceID: UInt64] = [:]
        var generation: UInt64 = 0
    }

    public let mark: ReadMark
    let marked: Moment
    /// What all devices are known to know.
    let read: Moment
    /// Whether all devices are known to have read up to the mark.
    public var isRead: Bool { marked == read }
}

extension Remotes {
    /// Returns the mark that was written down last; nil before the first one.
    ///
    /// - Throws: `VaultError.integrity`.
    public func readMark(over name: String) throws(VaultError) -> StoredReadMark? {
        try vault.read { try $0.readMark(over: name) }
    }

    /// Writes down a mark in place of the one before, at a moment when all is sent and read.
    ///
    /// - Parameters:
    ///   - wasRead: whether all devices have read up to the mark before.
    ///   - isRead: whether they have read up to this one.
    /// - Throws: `VaultError.readOnly`, `.saveFailed`.
    public func note(_ mark: ReadMark, over name: String, wasRead: Bool, isRead: Bool) throws(VaultError) {
        try vault.write { transaction in
            let before = try transaction.readMark(over: name)
            let now = try transaction.moment()
            let read = isRead ? now : (wasRead ? before?.marked : before?.read) ?? StoredReadMark.Moment()
            try transaction.save(StoredReadMark(mark: mark, marked: now, read: read), over: name)
        }
    }
}

extension IndexAccess {
    func readMark(over name: String) throws -> StoredReadMark? {
        guard try database.tableExists("readMark") else { return nil }
        return try Row.fetchOne(database, sql: "SELECT * FROM readMark WHERE remote = ?", arguments: [name]).map {
            try StoredReadMark($0)
        }
    }

    /// Returns which entries the devices of all remotes are known to have read; nil without a remote, where nobody is
    /// to be asked.
    func entriesReadByAll() throws -> [DeviceID: UInt64]? {
        let read = try remoteNames().map { try readMark(over: $0)?.read.entries ?? [:] }
        guard let first = read.first else { return nil }
        return read.dropFirst().reduce(first) { all, other in
            all.reduce(into: [:]) { $0[$1.key] = min($1.value, other[$1.key] ?? 0) }
        }
    }

    /// Returns what the vault knows now.
    fileprivate func moment() throws -> StoredReadMark.Moment {
        var moment = StoredReadMark.Moment(generation: try IndexState.fetch(database).generation)
        var device = try EntryWalk.device(database, after: [])
        while let known = device {
            let last = try database.cachedStatement("SELECT max(sequence) AS last FROM entry WHERE device = ?")
                .row([known.blob])?.integer("last")
            moment.entries[try DeviceID(known)] = UInt64(clamping: last ?? 0)
            device = try EntryWalk.device(database, after: known)
        }
        return moment
    }
}

extension Transaction {
    fileprivate func save(_ stored: StoredReadMark, over name: String) throws {
        // It is there from the first mark on. Spec: docs/format.md §13.
        try database.execute(
            sql: """
                CREATE TABLE IF NOT EXISTS readMark(remote TEXT PRIMARY KEY, epoch INTEGER NOT NULL, vector BLOB NOT NULL,
                entries BLOB NOT NULL, generation INTEGER NOT NULL, readEntries BLOB NOT NULL,
                readGeneration INTEGER NOT NULL) WITHOUT ROWID
                """)
        try database.execute(
            sql: "INSERT OR REPLACE INTO readMark VALUES(?, ?, ?, ?, ?, ?, ?)",
            arguments: [
                name, Int64(stored.mark.epoch), StoredReadMark.encoded(stored.mark.vector).blob,
                StoredReadMark.encoded(stored.marked.entries).blob, Int64(clamping: stored.marked.generation),
                StoredReadMark.encoded(stored.read.entries).blob, Int64(clamping: stored.read.generation),
            ])
    }
}

extension StoredReadMark {
    fileprivate init(_ row: Row) throws {
        mark = ReadMark(
            epoch: UInt32(clamping: try row.integer("epoch")), vector: try Self.decoded(row.bytes("vector")))
        marked = Moment(
            entries: try Self.decoded(row.bytes("entries")), generation: UInt64(clamping: try row.integer("generation"))
        )
        read = Moment(
            entries: try Self.decoded(row.bytes("readEntries")),
            generation: UInt64(clamping: try row.integer("readGeneration")))
    }

    private static let itemByteCount = DeviceID.byteCount + 8

    /// Encodes numbers of devices, in the order of the devices.
    fileprivate static func encoded(_ numbers: [DeviceID: UInt64]) -> [UInt8] {
        var writer = ByteWriter(reserving: numbers.count * itemByteCount)
        for (device, number) in numbers.sorted(by: { $0.key.bytes.lexicographicallyPrecedes($1.key.bytes) }) {
            writer.raw(device.bytes)
            writer.u64(number)
        }
        return writer.bytes
    }

    private static func decoded(_ bytes: [UInt8]) throws -> [DeviceID: UInt64] {
        guard bytes.count.isMultiple(of: itemByteCount) else { throw VaultError(.integrity) }
        var (reader, numbers) = (ByteReader(bytes), [DeviceID: UInt64]())
        for _ in 0..<bytes.count / itemByteCount {
            numbers[try DeviceID(reader.bytes(DeviceID.byteCount))] = try reader.u64()
        }
        return numbers
    }
}
