// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import GRDB
internal import VaultFormat

/// This extension remembers, where a vault has several remotes, which entries were said over each of them, by whomever:
/// what came over one is then told over the others, and nothing twice.
///
/// Of each device it is a number up to which all entries were said, and those behind it that were said out of turn. An
/// entry counts only if it is the very one that is here. With one remote there is nothing to remember, and the tables
/// are not there. Spec: docs/format.md §13.
extension Remotes {
    /// Returns up to which entry of each device is known here.
    ///
    /// - Throws: `VaultError.integrity`.
    public func known() throws(VaultError) -> [DeviceID: UInt64] { try vault.read { try $0.lastEntries() } }

    /// Whether there are several remotes, so that what comes over one is told over the others.
    ///
    /// - Throws: `VaultError.integrity`.
    public func areSeveral() throws(VaultError) -> Bool { try vault.read { try $0.remoteNames().count > 1 } }

    /// Gives positions to entries of other devices that nobody has said over a remote, up to these numbers.
    ///
    /// - Returns: the last position, and whether there was anything.
    /// - Throws: `VaultError.readOnly`, `.saveFailed`.
    public func tellOthers(
        over name: String, upTo bound: [DeviceID: UInt64]
    ) throws(VaultError) -> (position: UInt64, hasTold: Bool) {
        guard try vault.read({ try $0.hasUnsaid(over: name, upTo: bound) }) else {
            return (try vault.read { try $0.position(over: name) }, false)
        }
        return try vault.write { transaction in
            try transaction.tellOthers(over: name, upTo: bound)
            return (try transaction.remote(name).position, true)
        }
    }
}

extension IndexAccess {
    /// The table is there from the second remote on.
    var remembersWhatWasSaid: Bool {
        get throws { try database.tableExists(SaidEntries.table) }
    }

    /// Returns the last entry of each device.
    fileprivate func lastEntries() throws -> [DeviceID: UInt64] {
        var entries: [DeviceID: UInt64] = [:]
        var device = try EntryWalk.device(database, after: [])
        while let known = device {
            let last = try database.cachedStatement(
                "SELECT coalesce(max(sequence), 0) AS last FROM entry WHERE device = ?"
            )
            .row([known.blob])?.integer("last")
            entries[try DeviceID(known)] = UInt64(clamping: last ?? 0)
            device = try EntryWalk.device(database, after: known)
        }
        return entries
    }

    /// Returns up to which entry of a device something was said over a remote.
    fileprivate func said(_ device: DeviceID, over name: String) throws -> UInt64 {
        let row = try database.cachedStatement("SELECT sequence FROM saidEntry WHERE remote = ? AND device = ?")
            .row([name, device.bytes.blob])
        return UInt64(clamping: try row?.integer("sequence") ?? 0)
    }

    /// The same of this device's own entries; 0 where nothing is remembered.
    func saidOfOwn(over name: String) throws -> UInt64 {
        guard try remembersWhatWasSaid else { return 0 }
        return try said(DeviceID(device), over: name)
    }

    fileprivate func position(over name: String) throws -> UInt64 {
        let row = try database.cachedStatement("SELECT position FROM remoteProgress WHERE remote = ?").row([name])
        return UInt64(clamping: try row?.integer("position") ?? 0)
    }

    fileprivate func hasUnsaid(over name: String, upTo bound: [DeviceID: UInt64]) throws -> Bool {
        // A vault whose index was made anew has forgotten it: all is said once more.
        guard try remembersWhatWasSaid else { return try remoteNames().count > 1 && !bound.isEmpty }
        return try bound.contains { device, last in
            guard device.bytes != self.device else { return false }
            let row = try database.cachedStatement(
                """
                SELECT 1 FROM entry WHERE device = ?1 AND sequence > ?2 AND sequence <= ?3 AND \(Transaction.isTold)
                  AND \(SaidEntries.isUnsaid("?4")) LIMIT 1
                """
            ).row([
                device.bytes.blob, Int64(clamping: try said(device, over: name)), Int64(clamping: last), name,
            ])
            return row != nil
        }
    }
}

/// `SaidEntries` names the tables.
enum SaidEntries {
    static let table = "saidEntry"

    /// That an entry was not said out of turn over a remote.
    static func isUnsaid(_ remote: String) -> String {
        """
        NOT EXISTS (SELECT 1 FROM saidApart WHERE saidApart.remote = \(remote) AND saidApart.device = entry.device
          AND saidApart.sequence = entry.sequence)
        """
    }
}

extension Transaction {
    /// Begins to remember, when a vault gets a second remote: all that is here was said over the ones that it has, but
    /// for own entries that have no position there yet.
    func beginRemembering() throws {
        guard try !remembersWhatWasSaid else { return }
        let before = try remoteNames()
        guard !before.isEmpty else { return }
        try makeTable()
        for name in before {
            for (device, last) in try lastEntries() where device.bytes != self.device {
                try remember(device.bytes, UInt64(last), over: name)
            }
            let row = try database.cachedStatement("SELECT own, device FROM remoteProgress WHERE remote = ?").row([name]
            )
            if let row, try row.bytes("device") == device {
                try remember(device, UInt64(clamping: try row.integer("own")), over: name)
            }
        }
    }

    private func makeTable() throws {
        try database.execute(
            sql: """
                CREATE TABLE saidEntry(remote TEXT NOT NULL, device BLOB NOT NULL, sequence INTEGER NOT NULL,
                PRIMARY KEY(remote, device)) WITHOUT ROWID
                """)
        try database.execute(
            sql: """
                CREATE TABLE saidApart(remote TEXT NOT NULL, device BLOB NOT NULL, sequence INTEGER NOT NULL,
                PRIMARY KEY(remote, device, sequence)) WITHOUT ROWID
                """)
    }

    /// Ends that, when a vault has one remote again.
    func endRemembering() throws {
        guard try remembersWhatWasSaid, try remoteNames().count < 2 else { return }
        for table in ["saidEntry", "saidApart"] { try database.execute(sql: "DROP TABLE \(table)") }
    }

    /// Remembers that entries were said over a remote, if they are the ones that are here: what somebody says under the
    /// name of a device says nothing of that device's own word.
    func remember(_ entries: some Sequence<Entry>, over name: String) throws {
        guard try remembersWhatWasSaid else { return }
        for entry in entries where entry.operation != .drop {
            let row = try database.cachedStatement("SELECT bytes FROM entry WHERE device = ? AND sequence = ?")
                .row([entry.device.blob, Int64(clamping: entry.sequence)])
            guard try row?.bytes("bytes") == entry.encoded else { continue }
            let device = try DeviceID(entry.device)
            let before = try said(device, over: name)
            guard entry.sequence > before else { continue }
            try database.cachedStatement("INSERT OR IGNORE INTO saidApart(remote, device, sequence) VALUES(?, ?, ?)")
                .execute(arguments: [name, entry.device.blob, Int64(clamping: entry.sequence)])
            try goOn(device, after: before, over: name)
        }
    }

    /// Moves the number on, over all that was said out of turn and stands next now.
    private func goOn(_ device: DeviceID, after before: UInt64, over name: String) throws {
        var last = before
        while true {
            let next = try database.cachedStatement(
                """
                SELECT sequence FROM entry WHERE device = ? AND sequence > ? AND \(Self.isTold) ORDER BY sequence LIMIT 1
                """
            ).row([device.bytes.blob, Int64(clamping: last)])
            guard let number = try next?.integer("sequence") else { break }
            let isSaid = try database.cachedStatement(
                "SELECT 1 FROM saidApart WHERE remote = ? AND device = ? AND sequence = ?"
            ).row([name, device.bytes.blob, number])
            guard isSaid != nil else { break }
            last = UInt64(clamping: number)
        }
        if last > before { try remember(device.bytes, last, over: name) }
    }

    /// Tells what has come late, behind the number of another remote: there it would count as said.
    func tellLate(_ entries: [Entry], but name: String) throws {
        guard try remembersWhatWasSaid else { return }
        for other in try remoteNames() where other != name {
            for entry in entries where try entry.sequence <= said(DeviceID(entry.device), over: other) {
                try database.cachedStatement(
                    """
                    INSERT INTO telling(remote, position, device, sequence)
                    SELECT remote, position + 1, ?2, ?3 FROM remoteProgress WHERE remote = ?1
                    """
                ).execute(arguments: [other, entry.device.blob, Int64(clamping: entry.sequence)])
                try settlePosition(over: other)
            }
        }
    }

    /// Remembers that own entries were, or have positions.
    func rememberOwn(over name: String) throws {
        guard try remembersWhatWasSaid else { return }
        let last = try database.cachedStatement("SELECT coalesce(max(sequence), 0) AS last FROM entry WHERE device = ?")
            .row([device.blob])?.integer("last")
        try remember(device, UInt64(clamping: last ?? 0), over: name)
    }

    /// Remembers that all that is here was said over a remote, or has a position there.
    func rememberAll(over name: String) throws {
        guard try remembersWhatWasSaid else { return }
        for (device, last) in try lastEntries() { try remember(device.bytes, last, over: name) }
    }

    private func remember(_ device: [UInt8], _ sequence: UInt64, over name: String) throws {
        try database.cachedStatement(
            """
            INSERT INTO saidEntry(remote, device, sequence) VALUES(?, ?, ?)
            ON CONFLICT(remote, device) DO UPDATE SET sequence = max(sequence, excluded.sequence)
            """
        ).execute(arguments: [name, device.blob, Int64(clamping: sequence)])
        try database.cachedStatement("DELETE FROM saidApart WHERE remote = ? AND device = ? AND sequence <= ?")
            .execute(arguments: [name, device.blob, Int64(clamping: sequence)])
    }

    /// Gives positions to what other devices have made and nobody has said over a remote.
    func tellOthers(over name: String, upTo bound: [DeviceID: UInt64]) throws {
        if try !remembersWhatWasSaid { try makeTable() }
        for (device, last) in bound.sorted(by: { $0.key.bytes.lexicographicallyPrecedes($1.key.bytes) })
        where device.bytes != self.device {
            try database.cachedStatement(
                """
                INSERT INTO telling(remote, position, device, sequence)
                SELECT remote, position + row_number() OVER (ORDER BY entry.sequence), entry.device, entry.sequence
                FROM remoteProgress, entry
                WHERE remote = ?1 AND entry.device = ?2 AND entry.sequence > ?3 AND entry.sequence <= ?4 AND \(Self.isTold)
                  AND \(SaidEntries.isUnsaid("?1"))
                """
            ).execute(arguments: [
                name, device.bytes.blob, Int64(clamping: try said(device, over: name)), Int64(clamping: last),
            ])
            try settlePosition(over: name)
            try remember(device.bytes, last, over: name)
        }
    }

    /// Before a remote is forgotten: what came over it alone is told over those that stay.
    func tellOthersOverAll(but name: String) throws {
        guard try remembersWhatWasSaid else { return }
        let all = try lastEntries()
        for other in try remoteNames() where other != name { try tellOthers(over: other, upTo: all) }
    }
}
