// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import GRDB
public import SecretMemory
internal import VaultFormat

/// `StoredRemote` is a remote as it is synced over, without what it asks for.
public struct StoredRemote: Sendable, Equatable {
    /// As its owner calls it.
    public let name: String
    /// When it was added, in milliseconds since 1970, UTC.
    public let made: Int64
    /// Its location, as written by the program that reaches it.
    public let settings: [UInt8]
    /// What the sync engine must not forget.
    public let state: [UInt8]
    /// The last position that was given to an entry that is to be told.
    public let position: UInt64
    /// When all was sent and read last, in milliseconds since 1970, UTC; 0 before the first time.
    public let synced: Int64
    /// The vault was restored or set back since: the engine must go on as another device.
    public let isRestored: Bool
}

extension Remotes {
    /// Returns all remotes, in the order in which they were added.
    ///
    /// - Throws: `VaultError.integrity`.
    public func stored() throws(VaultError) -> [StoredRemote] {
        try vault.read { index in
            try Row.fetchAll(index.database, sql: "\(StoredRemote.query) ORDER BY made, name").map(StoredRemote.init)
        }
    }

    /// Adds a remote, over which all that the vault holds is still to be said.
    ///
    /// - Parameter readsFirst: others have spoken there: what they have said is read before, and not said again.
    /// - Throws: `VaultError.exists` for a name that another one has, `.empty` without a name, `.tooLarge` above 64
    ///   KiB, `.readOnly`, `.saveFailed`.
    public func add(_ remote: RemoteEntry, readsFirst: Bool = false) throws(VaultError) -> StoredRemote {
        guard try !names().contains(remote.name) else { throw VaultError(.exists) }
        try remote.checkSizes()
        try vault.devices.settleBeforeTelling()
        return try vault.write { transaction in
            try transaction.beginRemembering()
            try transaction.beginOutboxes()
            try transaction.save(remote)
            try transaction.database.execute(
                sql: "INSERT OR REPLACE INTO remoteProgress VALUES(?, ?, 0, ?, 0, 0, 0)",
                arguments: [remote.name, Machine.now, transaction.device.blob])
            try transaction.tellNoteKeys()
            if try !readsFirst || !transaction.remembersWhatWasSaid {
                try transaction.tellEverything(over: remote.name)
            }
            return try transaction.remote(remote.name)
        }
    }

    /// Gives a remote another name, or changes where it is or what it asks for.
    ///
    /// - Parameters:
    ///   - newName: nil to keep the name.
    ///   - settings: nil to keep them.
    ///   - credentials: nil to keep them.
    /// - Throws: `VaultError.notFound`, `.exists` for a name that another one has, `.empty` without a name, `.tooLarge`
    ///   above 64 KiB, `.readOnly`, `.saveFailed`.
    public func change(
        _ name: String, name newName: String? = nil, settings: [UInt8]? = nil, credentials: [UInt8]? = nil
    ) throws(VaultError) {
        let known = try names()
        guard known.contains(name) else { throw VaultError(.notFound) }
        if let newName, newName != name, known.contains(newName) { throw VaultError(.exists) }
        try RemoteEntry(name: newName ?? name, settings: settings ?? [], credentials: credentials ?? []).checkSizes()
        try vault.write { transaction in
            if let settings {
                try transaction.database.execute(
                    sql: "UPDATE remote SET settings = ? WHERE name = ?", arguments: [settings.blob, name])
            }
            if let credentials {
                try transaction.database.execute(
                    sql: "UPDATE remote SET credentials = ? WHERE name = ?", arguments: [credentials.blob, name])
            }
            guard let newName, newName != name else { return }
            try transaction.database.execute(
                sql: "UPDATE remote SET name = ? WHERE name = ?", arguments: [newName, name])
            for table in try transaction.tablesOfRemotes() {
                try transaction.database.execute(
                    sql: "UPDATE \(table) SET remote = ? WHERE remote = ?", arguments: [newName, name])
            }
        }
    }

    /// Forgets a remote with all that was to be told over it. The remote's content stays.
    ///
    /// - Throws: `VaultError.readOnly`, `.saveFailed`.
    public func forget(_ name: String) throws(VaultError) {
        try vault.write { transaction in
            try transaction.tellOthersOverAll(but: name)
            try transaction.removeOutbox(of: name)
            try transaction.database.execute(sql: "DELETE FROM remote WHERE name = ?", arguments: [name])
            for table in try transaction.tablesOfRemotes() {
                try transaction.database.execute(sql: "DELETE FROM \(table) WHERE remote = ?", arguments: [name])
            }
            try transaction.forgetLeftObjects()
            try transaction.endRemembering()
        }
        try vault.outbox.sweep()
    }

    /// Returns what the remote asks for, as it was given; empty where it asks for nothing.
    ///
    /// - Throws: `VaultError.integrity`.
    public func credential(of name: String) throws(VaultError) -> SecretBytes {
        let bytes = try vault.read { index in
            let row = try index.database.cachedStatement("SELECT credentials FROM remote WHERE name = ?").row([name])
            guard let row else { throw VaultError(.integrity) }
            return try row.bytes("credentials")
        }
        var secret = SecretBytes(zeroes: bytes.count)
        unsafe secret.withUnsafeMutableBytes { target in unsafe target.copyBytes(from: bytes) }
        return secret
    }

    /// Writes down what the engine must not forget.
    ///
    /// - Throws: `VaultError.readOnly`, `.saveFailed`.
    public func record(_ state: RemoteState) throws(VaultError) {
        try vault.write { transaction in
            try transaction.save(state)
            try transaction.database.cachedStatement("UPDATE remoteProgress SET restored = 0 WHERE remote = ?")
                .execute(arguments: [state.remote])
        }
    }

    /// Changes what the engine must not forget while no step of it is written down.
    ///
    /// - Throws: `VaultError.readOnly`, `.saveFailed`.
    public func amend(_ name: String, state: [UInt8]) throws(VaultError) {
        try vault.write { transaction in
            try transaction.database.execute(
                sql: "UPDATE remote SET state = ? WHERE name = ?", arguments: [state.blob, name])
        }
    }

    /// Records that all was sent and read.
    ///
    /// - Throws: `VaultError.readOnly`, `.saveFailed`.
    public func noteSynced(_ name: String) throws(VaultError) {
        try vault.write { transaction in
            try transaction.database.execute(
                sql: "UPDATE remoteProgress SET synced = ? WHERE remote = ?", arguments: [Machine.now, name])
        }
    }
}

extension StoredRemote {
    fileprivate static let query =
        "SELECT remote.name, settings, state, made, position, synced, restored FROM remote JOIN remoteProgress ON remoteProgress.remote = remote.name"

    fileprivate init(_ row: Row) throws {
        (name, made) = (try row.text("name"), try row.integer("made"))
        (settings, state) = (try row.bytes("settings"), try row.bytes("state"))
        position = UInt64(clamping: try row.integer("position"))
        (synced, isRestored) = (try row.integer("synced"), try row.flag("restored"))
    }
}

extension Transaction {
    func remote(_ name: String) throws -> StoredRemote {
        guard let row = try database.cachedStatement("\(StoredRemote.query) WHERE remote.name = ?").row([name]) else {
            throw VaultError(.integrity)
        }
        return try StoredRemote(row)
    }
}

extension IndexAccess {
    /// The tables that name a remote.
    fileprivate func tablesOfRemotes() throws -> [String] {
        try ["telling", "remoteProgress", "readMark", "saidEntry", "saidApart", "goneObject", "outboxRemote"]
            .filter { try database.tableExists($0) }
    }
}
