// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import GRDB
public import VaultFormat

/// An entry that is to be told over a remote.
public struct EntryToTell: Sendable, Equatable {
    /// Its number over this remote: without gaps, from 1.
    public let position: UInt64
    public let entry: Entry
}

extension Remotes {
    /// Gives positions to own entries that have none yet, after what changed of notes' passwords became entries.
    ///
    /// - Returns: the last position.
    /// - Throws: `VaultError.readOnly`, `.saveFailed`.
    public func tellNew(over id: Int64) throws(VaultError) -> UInt64 {
        let isNew = try vault.read { index in
            let own = try index.database.cachedStatement("SELECT own FROM remote WHERE id = ?").row([id])
            return try own?.integer("own") != Int64(clamping: IndexState.fetch(index.database).sequence)
        }
        return try vault.write { transaction in
            try transaction.tellNoteKeys()
            if isNew { try transaction.tellOwn(over: id) }
            return try transaction.remote(id).position
        }
    }

    /// Whether this device has made entries that have no position yet.
    ///
    /// - Throws: `VaultError.integrity`.
    public func hasNew(over id: Int64) throws(VaultError) -> Bool {
        try vault.read { index in
            let row = try index.database.cachedStatement(
                "SELECT remote.own <> state.sequence AS isNew FROM remote, state WHERE remote.id = ?"
            ).row([id])
            return try row?.flag("isNew") ?? false
        }
    }

    /// Gives everything that the vault holds new positions: it is said again.
    ///
    /// - Returns: the last position before.
    /// - Throws: `VaultError.readOnly`, `.saveFailed`.
    public func tellEverything(over id: Int64) throws(VaultError) -> UInt64 {
        try vault.write { transaction in
            try transaction.tellNoteKeys()
            let before = try transaction.remote(id).position
            try transaction.tellEverything(over: id)
            return before
        }
    }

    /// What has a position after another one, in their order.
    ///
    /// - Throws: `VaultError.integrity`.
    public func toTell(over id: Int64, after position: UInt64) throws(VaultError) -> [EntryToTell] {
        try vault.read { index in
            let statement = try index.database.cachedStatement(
                """
                SELECT telling.position AS position, entry.bytes AS bytes FROM telling
                JOIN entry ON entry.device = telling.device AND entry.sequence = telling.sequence
                WHERE telling.remote = ? AND telling.position > ? ORDER BY telling.position
                """)
            return try Row.fetchAll(statement, arguments: [id, Int64(clamping: position)]).map { row in
                EntryToTell(
                    position: UInt64(clamping: try row.integer("position")),
                    entry: try Entry(parsing: row.bytes("bytes")))
            }
        }
    }

    /// Entries as segments hold them (docs/format.md §21.1), position after position, as long as they fit.
    ///
    /// - Parameter byteCountMax: bodies end before this, in bytes, unless those of the first position alone are larger.
    /// - Returns: the bodies, and of how many positions they are.
    /// - Throws: `VaultError.integrity` for a record that does not open.
    public func bodies(
        over id: Int64, _ positions: [UInt64], byteCountMax: Int = 7 << 20
    ) throws(VaultError) -> (bodies: [[UInt8]], positionCount: Int) {
        try vault.read { index in
            let statement = try index.database.cachedStatement(
                """
                SELECT entry.bytes AS bytes FROM telling
                JOIN entry ON entry.device = telling.device AND entry.sequence = telling.sequence
                WHERE telling.remote = ? AND telling.position = ?
                """)
            var (bodies, byteCount): ([[UInt8]], Int) = ([], 0)
            for (count, position) in positions.enumerated() {
                guard let row = try statement.row([id, Int64(clamping: position)]) else { continue }
                let next = try index.told(Entry(parsing: row.bytes("bytes")))
                byteCount += next.reduce(0) { $0 + $1.count + 4 }
                guard count == 0 || byteCount <= byteCountMax else { return (bodies, count) }
                bodies += next
            }
            return (bodies, positions.count)
        }
    }
}

extension Transaction {
    /// That a device has thinned out is its own business.
    private static let isTold = "substr(entry.bytes, 27, 1) <> x'06'"

    func tellOwn(over id: Int64) throws {
        let own = try database.cachedStatement("SELECT own FROM remote WHERE id = ?").row([id])?.integer("own") ?? 0
        try database.cachedStatement(
            """
            INSERT INTO telling(remote, position, device, sequence)
            SELECT remote.id, remote.position + row_number() OVER (ORDER BY entry.sequence), entry.device, entry.sequence
            FROM remote, entry
            WHERE remote.id = ? AND entry.device = ? AND entry.sequence > ? AND \(Self.isTold)
            """
        ).execute(arguments: [id, device.blob, own])
        try settlePositions(over: id)
    }

    func tellEverything(over id: Int64) throws {
        try database.cachedStatement(
            """
            INSERT INTO telling(remote, position, device, sequence)
            SELECT remote.id, remote.position + row_number() OVER (ORDER BY entry.device, entry.sequence),
              entry.device, entry.sequence
            FROM remote, entry WHERE remote.id = ? AND \(Self.isTold)
            """
        ).execute(arguments: [id])
        try settlePositions(over: id)
    }

    private func settlePositions(over id: Int64) throws {
        try database.cachedStatement(
            """
            UPDATE remote SET own = (SELECT sequence FROM state),
              position = max(position, (SELECT ifnull(max(position), 0) FROM telling WHERE telling.remote = remote.id))
            WHERE id = ?
            """
        ).execute(arguments: [id])
    }
}
