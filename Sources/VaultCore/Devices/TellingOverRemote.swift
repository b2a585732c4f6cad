// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import GRDB
public import VaultFormat

/// `EntryToTell` is an entry that is to be told over a remote.
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
    public func tellNew(over name: String) throws(VaultError) -> UInt64 {
        try vault.write { transaction in
            try transaction.tellNoteKeys()
            if try transaction.hasOwnToTell(over: name) { try transaction.tellOwn(over: name) }
            return try transaction.remote(name).position
        }
    }

    /// Returns whether this device has made entries that have no position yet.
    ///
    /// - Throws: `VaultError.integrity`.
    public func hasNew(over name: String) throws(VaultError) -> Bool {
        try vault.read { index in
            try index.hasOwnToTell(over: name)
        }
    }

    /// Returns how many entries that are to be told have no position yet.
    ///
    /// - Throws: `VaultError.integrity`.
    public func newCount(over name: String) throws(VaultError) -> Int {
        try vault.read { index in
            let row = try index.database.cachedStatement(
                """
                SELECT count(*) AS count FROM state CROSS JOIN remoteProgress AS told CROSS JOIN entry
                WHERE told.remote = ? AND entry.device = state.device
                  AND entry.sequence > max(iif(told.device = state.device, own, 0), ?) AND \(Transaction.isTold)
                """
            ).row([name, Int64(clamping: try index.saidOfOwn(over: name))])
            return try row?.count("count") ?? 0
        }
    }

    /// Returns whether there is anything that has no position yet: entries of this device, or what was changed of
    /// notes' passwords.
    ///
    /// - Throws: `VaultError.integrity`.
    public func hasUntold(over name: String) throws(VaultError) -> Bool {
        try vault.read { try $0.hasOwnToTell(over: name) || !$0.untoldNoteKeys().isEmpty }
    }

    /// Gives everything that the vault holds new positions: it is said again.
    ///
    /// - Returns: the last position before.
    /// - Throws: `VaultError.readOnly`, `.saveFailed`.
    public func tellEverything(over name: String) throws(VaultError) -> UInt64 {
        try vault.write { transaction in
            try transaction.tellNoteKeys()
            let before = try transaction.remote(name).position
            try transaction.tellEverything(over: name)
            return before
        }
    }

    /// Returns the entries that have a position after another one, in the order of the positions.
    ///
    /// - Throws: `VaultError.integrity`.
    public func toTell(over name: String, after position: UInt64) throws(VaultError) -> [EntryToTell] {
        try vault.read { index in
            let statement = try index.database.cachedStatement(
                """
                SELECT telling.position AS position, entry.bytes AS bytes FROM telling
                JOIN entry ON entry.device = telling.device AND entry.sequence = telling.sequence
                WHERE telling.remote = ? AND telling.position > ? ORDER BY telling.position
                """)
            return try Row.fetchAll(statement, arguments: [name, Int64(clamping: position)]).map { row in
                EntryToTell(
                    position: UInt64(clamping: try row.integer("position")),
                    entry: try Entry(parsing: row.bytes("bytes")))
            }
        }
    }

    /// Returns entries as segments hold them (docs/format.md §21.1), position after position, as long as they fit.
    ///
    /// - Parameter byteCountMax: bodies end before this, in bytes, unless those of the first position alone are larger.
    /// - Returns: the bodies, and of how many positions they are.
    /// - Throws: `VaultError.integrity` for a record that does not open.
    public func bodies(
        over name: String, _ positions: [UInt64], byteCountMax: Int = 8 << 20
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
                guard let row = try statement.row([name, Int64(clamping: position)]) else { continue }
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
    static let isTold = "substr(entry.bytes, 27, 1) <> x'06'"

    /// Another device may have said them over this remote already.
    func tellOwn(over name: String) throws {
        try database.cachedStatement(
            """
            INSERT INTO telling(remote, position, device, sequence)
            SELECT remote, position + row_number() OVER (ORDER BY entry.sequence), entry.device, entry.sequence
            FROM remoteProgress AS told, entry
            WHERE remote = ?1 AND entry.device = ?2 AND \(Self.isTold)
              AND entry.sequence > max(iif(told.device = ?2, own, 0), ?3)
              \(try remembersWhatWasSaid ? "AND " + SaidEntries.isUnsaid("?1") : "")
            """
        ).execute(arguments: [name, device.blob, Int64(clamping: try saidOfOwn(over: name))])
        try settlePositions(over: name)
    }

    func tellEverything(over name: String) throws {
        try database.cachedStatement(
            """
            INSERT INTO telling(remote, position, device, sequence)
            SELECT remote, position + row_number() OVER (ORDER BY entry.device, entry.sequence),
              entry.device, entry.sequence
            FROM remoteProgress, entry WHERE remote = ? AND \(Self.isTold)
            """
        ).execute(arguments: [name])
        try settlePositions(over: name)
        try rememberAll(over: name)
    }

    /// Counts on the positions that were given out.
    func settlePosition(over name: String) throws {
        try database.cachedStatement(
            """
            UPDATE remoteProgress SET
              position = max(position, (SELECT ifnull(max(position), 0) FROM telling WHERE remote = ?1)) WHERE remote = ?1
            """
        ).execute(arguments: [name])
    }

    private func settlePositions(over name: String) throws {
        try database.cachedStatement(
            """
            UPDATE remoteProgress SET own = (SELECT sequence FROM state), device = ?2,
              position = max(position, (SELECT ifnull(max(position), 0) FROM telling WHERE remote = ?1))
            WHERE remote = ?1
            """
        ).execute(arguments: [name, device.blob])
        try rememberOwn(over: name)
    }
}

extension IndexAccess {
    /// Returns whether this device has made entries that have no position yet.
    fileprivate func hasOwnToTell(over name: String) throws -> Bool {
        let row = try database.cachedStatement(
            """
            SELECT own <> sequence OR remoteProgress.device <> state.device AS isNew FROM remoteProgress, state
            WHERE remote = ?
            """
        ).row([name])
        return try row?.flag("isNew") ?? false
    }
}
