// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import GRDB
internal import VaultFormat

/// `EntryWalk` reads the entries of all devices, one device after the other, a part at a time; then what was written
/// since.
struct EntryWalk {
    /// `Found` is a row of `entry`, as it lies.
    struct Found {
        let device: [UInt8]
        let sequence: Int64
        let bytes: [UInt8]

        /// Reads the entry of the row.
        ///
        /// - Throws: `VaultError.integrity` for a row that is not its entry's; `FormatError`.
        func entry() throws -> Entry {
            let entry = try Entry(parsing: bytes)
            guard entry.device == device, Int64(clamping: entry.sequence) == sequence else {
                throw VaultError(.integrity)
            }
            return entry
        }
    }

    private var read: [[UInt8]: Int64] = [:]
    private var device: [UInt8] = []
    /// Whether there was more when some were read last. Waiting for an empty part would never end while notes are
    /// written.
    private(set) var hasMore = true

    /// Reads the next entries, of one device and in their order; none when all were read.
    mutating func next(_ database: Database, limit: Int) throws -> [Found] {
        while true {
            let rows = device.isEmpty ? [] : try Self.rows(database, device, after: read[device] ?? 0, limit: limit)
            if let last = rows.last {
                read[device] = last.sequence
                hasMore = try rows.count == limit || Self.device(database, after: device) != nil
                return rows
            }
            let next = try Self.device(database, after: device)
            device = next ?? []
            if next == nil {
                hasMore = false
                return []
            }
        }
    }

    /// Begins with the first device again: what was read is not read again.
    mutating func rewind() {
        device = []
        hasMore = true
    }

    private static func rows(
        _ database: Database, _ device: [UInt8], after sequence: Int64, limit: Int
    ) throws -> [Found] {
        let statement = try database.cachedStatement(
            "SELECT sequence, bytes FROM entry WHERE device = ? AND sequence > ? ORDER BY sequence LIMIT ?")
        return try Row.fetchAll(statement, arguments: [device.blob, sequence, limit]).map {
            Found(device: device, sequence: try $0.integer("sequence"), bytes: try $0.bytes("bytes"))
        }
    }

    /// Returns the first device behind one, by bytes; nil when there is none.
    static func device(_ database: Database, after device: [UInt8]) throws -> [UInt8]? {
        try database.cachedStatement("SELECT device FROM entry WHERE device > ? ORDER BY device LIMIT 1")
            .row([device.blob])?.bytes("device")
    }
}

extension IndexAccess {
    /// Returns the entries of a note as a graph, whichever devices made them.
    func graph(of note: NoteID) throws -> NoteGraph {
        var graph = NoteGraph()
        var devices: [[UInt8]: Int] = [:]
        for entry in try entries(of: note) {
            let device = devices[entry.device] ?? devices.count
            devices[entry.device] = device
            graph.add(entry, device: device)
        }
        return graph
    }

    /// Returns all entries that speak of a note, each device's in their order.
    func entries(of note: NoteID) throws -> [Entry] {
        let statement = try database.cachedStatement(
            "SELECT bytes FROM entry WHERE substr(bytes, 28, 10) = ? ORDER BY device, sequence")
        return try Row.fetchAll(statement, arguments: [note.bytes.blob]).map { try Entry(parsing: $0.bytes("bytes")) }
    }

    /// Returns the heads of a note that have their records, the one that is shown last.
    func heads(of note: NoteID) throws -> [RevisionID] { try heads(of: note, graph(of: note)) }

    /// Returns them by what is known of the note's entries.
    func heads(of note: NoteID, _ graph: NoteGraph) throws -> [RevisionID] {
        let statement = try database.cachedStatement("SELECT id FROM revision WHERE note = ?")
        let there = Set(
            try Row.fetchAll(statement, arguments: [note.bytes.blob]).map { try RevisionID($0.bytes("id")) })
        let heads = graph.heads
        guard !heads.allSatisfy(there.contains) else { return heads }
        return graph.heads(missing: Set(graph.revisions).subtracting(there))
    }
}
