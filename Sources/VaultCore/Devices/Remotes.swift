// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import GRDB
public import SecretMemory
internal import VaultFormat

/// A remote as the vault keeps it, without its credential.
public struct StoredRemote: Sendable, Equatable {
    public let id: Int64
    /// As its owner calls it.
    public let name: String
    /// When it was added, in milliseconds since 1970, UTC.
    public let made: Int64
    /// Where it is, as whoever reaches it has written it.
    public let settings: [UInt8]
    /// What the sync engine must not forget.
    public let engine: [UInt8]
    /// The last position that was given to an entry that is to be told.
    public let position: UInt64
    /// When all was sent and read last, in milliseconds since 1970, UTC; 0 before the first time.
    public let synced: Int64
    /// The vault was restored or set back since: the engine must go on as another device.
    public let isRestored: Bool
}

/// What is written down of a remote in one step.
public struct RemoteProgress: Sendable {
    let id: Int64
    let engine: [UInt8]
    /// What is told up to this position needs not be told again.
    let sentThrough: UInt64

    /// - Parameters:
    ///   - engine: what the engine must not forget.
    ///   - sentThrough: the last position that a store has acknowledged.
    public init(_ id: Int64, engine: [UInt8], sentThrough: UInt64) {
        (self.id, self.engine, self.sentThrough) = (id, engine, sentThrough)
    }
}

/// The places over which this vault meets its other devices. All that is known of them lies in the sealed index, also
/// what they ask for as a password.
public struct Remotes {
    let vault: OpenVault
    /// Names in bytes.
    public static let nameByteCountMax = 64

    /// All of them, in the order in which they were added.
    ///
    /// - Throws: `VaultError.integrity`.
    public func all() throws(VaultError) -> [StoredRemote] {
        try vault.read { index in
            try Row.fetchAll(index.database, sql: "SELECT * FROM remote ORDER BY id").map(StoredRemote.init)
        }
    }

    /// Adds a remote, over which all that the vault holds is still to be said.
    ///
    /// - Parameter credential: empty where none is asked for.
    /// - Throws: `VaultError.exists` for a name that another one has, `.readOnly`, `.saveFailed`.
    public func add(
        _ name: String, settings: [UInt8], credential: borrowing SecretBytes, engine: [UInt8]
    ) throws(VaultError) -> StoredRemote {
        let credential = unsafe credential.withUnsafeBytes { raw in unsafe Array(raw) }
        return try vault.write { transaction in
            let known = try Row.fetchOne(
                transaction.database, sql: "SELECT 1 FROM remote WHERE name = ?", arguments: [name])
            guard known == nil else { throw VaultError(.exists) }
            try transaction.database.execute(
                sql: """
                    INSERT INTO remote(name, made, settings, credential, engine, position, own, synced, restored)
                    VALUES(?, ?, ?, ?, ?, 0, 0, 0, 0)
                    """,
                arguments: [name, Machine.now, settings.blob, credential.blob, engine.blob])
            let id = transaction.database.lastInsertedRowID
            try transaction.tellNoteKeys()
            try transaction.tellEverything(over: id)
            return try transaction.remote(id)
        }
    }

    /// Forgets a remote. What lies there stays.
    ///
    /// - Throws: `VaultError.readOnly`, `.saveFailed`.
    public func remove(_ id: Int64) throws(VaultError) {
        try vault.write { transaction in
            try transaction.database.execute(sql: "DELETE FROM telling WHERE remote = ?", arguments: [id])
            try transaction.database.execute(sql: "DELETE FROM remote WHERE id = ?", arguments: [id])
        }
    }

    /// What the remote asks for, as it was given; empty where it asks for nothing.
    ///
    /// - Throws: `VaultError.integrity`.
    public func credential(of id: Int64) throws(VaultError) -> SecretBytes {
        let bytes = try vault.read { index in
            let row = try index.database.cachedStatement("SELECT credential FROM remote WHERE id = ?").row([id])
            guard let row else { throw VaultError(.integrity) }
            return try row.bytes("credential")
        }
        var secret = SecretBytes(zeroes: bytes.count)
        unsafe secret.withUnsafeMutableBytes { target in unsafe target.copyBytes(from: bytes) }
        return secret
    }

    /// Writes down what the engine must not forget.
    ///
    /// - Throws: `VaultError.readOnly`, `.saveFailed`.
    public func record(_ progress: RemoteProgress) throws(VaultError) {
        try vault.write { transaction in try transaction.record(progress) }
    }

    /// The vault goes on from an older state: the engines of all remotes hear so before they say anything.
    func markRestored() {
        guard !vault.isReadOnly else { return }
        _ = try? vault.write { transaction in
            try transaction.database.execute(sql: "UPDATE remote SET restored = 1")
        }
    }

    /// All was sent and read.
    ///
    /// - Throws: `VaultError.readOnly`, `.saveFailed`.
    public func noteSynced(_ id: Int64) throws(VaultError) {
        try vault.write { transaction in
            try transaction.database.execute(
                sql: "UPDATE remote SET synced = ? WHERE id = ?", arguments: [Machine.now, id])
        }
    }
}

extension OpenVault {
    /// The places over which this vault meets its other devices.
    public var remotes: Remotes { Remotes(vault: self) }
}

extension StoredRemote {
    fileprivate init(_ row: Row) throws {
        (id, name, made) = (try row.integer("id"), try row.text("name"), try row.integer("made"))
        (settings, engine) = (try row.bytes("settings"), try row.bytes("engine"))
        position = UInt64(clamping: try row.integer("position"))
        (synced, isRestored) = (try row.integer("synced"), try row.flag("restored"))
    }
}

extension Transaction {
    func remote(_ id: Int64) throws -> StoredRemote {
        guard let row = try database.cachedStatement("SELECT * FROM remote WHERE id = ?").row([id]) else {
            throw VaultError(.integrity)
        }
        return try StoredRemote(row)
    }

    /// What was told and acknowledged is not told again.
    func record(_ progress: RemoteProgress) throws {
        try database.cachedStatement("UPDATE remote SET engine = ?, restored = 0 WHERE id = ?")
            .execute(arguments: [progress.engine.blob, progress.id])
        try database.cachedStatement("DELETE FROM telling WHERE remote = ? AND position <= ?")
            .execute(arguments: [progress.id, Int64(clamping: progress.sentThrough)])
    }
}
