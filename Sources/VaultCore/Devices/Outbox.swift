// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import GRDB
internal import VaultCrypto
public import VaultFormat

/// `Outbox` holds sealed objects that this device has said and that a remote may ask for again: sealed once, kept byte
/// for byte, until everybody has read them. Spec: docs/format.md §25.5.
public struct Outbox {
    let vault: OpenVault
    /// The folder in the vault's.
    static let folderName = "outbox"

    /// Keeps an object. The file is on disk before the row that names it, so a row without a file is damage, and a file
    /// without a row is what a crash has left.
    ///
    /// - Parameters:
    ///   - through: the last own entry that is in it.
    ///   - remote: over which it goes.
    /// - Throws: `VaultError.integrity` for other bytes under a name that is kept already: what has a number has one
    ///   content for ever; `.readOnly`, `.saveFailed`.
    public func keep(_ object: SealedRemoteObject, through: UInt64 = 0, for remote: String = "") throws(VaultError) {
        if let known = try digest(of: object.name) {
            guard known == object.digest else { throw VaultError(.integrity) }
            return
        }
        try vault.directory.folder(Self.folderName).replace(object.name.hex, with: object.bytes)
        try vault.write { transaction in
            try transaction.database.execute(
                sql: "INSERT INTO outbox(name, folder, digest, through, sent) VALUES(?, ?, ?, ?, 0)",
                arguments: [
                    object.name.bytes.blob, object.name.folder.rawValue, object.digest.blob, Int64(clamping: through),
                ])
            try transaction.note(object.name, isFor: remote)
        }
    }

    /// Returns the bytes of an object that is kept; nil for one that is not.
    ///
    /// - Throws: `VaultError.integrity` when the file is gone, or is another one.
    public func bytes(of name: RemoteName) throws(VaultError) -> [UInt8]? {
        guard let digest = try digest(of: name) else { return nil }
        let folder = try vault.directory.folderIfThere(Self.folderName)
        guard let bytes = try folder?.read(name.hex, byteCountMax: SegmentSealer.byteCountMax),
            (try? Digest.sha256(bytes)) == digest
        else { throw VaultError(.integrity) }
        return bytes
    }

    /// Returns the names of what a store has not acknowledged yet, in the order in which it was kept.
    public func unsent() throws(VaultError) -> [RemoteName] {
        try vault.read { index in
            try Row.fetchAll(index.database, sql: "SELECT name, folder FROM outbox WHERE sent = 0 ORDER BY rowid").map {
                guard let folder = RemoteName.Folder(rawValue: try $0.text("folder")) else {
                    throw VaultError(.integrity)
                }
                return try RemoteName($0.bytes("name"), in: folder)
            }
        }
    }

    /// Records that a store has an object. The object is kept anyway.
    public func acknowledge(_ name: RemoteName) throws(VaultError) {
        try vault.write {
            try $0.database.execute(sql: "UPDATE outbox SET sent = 1 WHERE name = ?", arguments: [name.bytes.blob])
        }
    }

    /// Drops an object that everybody has read. The row is removed first, so a crash leaves a file without a row.
    public func remove(_ name: RemoteName) throws(VaultError) {
        try vault.write {
            try $0.database.execute(sql: "DELETE FROM outbox WHERE name = ?", arguments: [name.bytes.blob])
            try $0.forgetRemotesOfOutbox("name = ?", [name.bytes.blob])
        }
        try vault.directory.folderIfThere(Self.folderName)?.remove(name.hex)
    }

    /// Drops everything kept for a remote: none of it is asked for again.
    ///
    /// - Throws: `VaultError.readOnly`, `.saveFailed`.
    public func removeAll(for remote: String) throws(VaultError) {
        try vault.write { try $0.removeOutbox(of: remote) }
        try sweep()
    }

    /// Removes files that no row names, as a crash leaves them.
    public func sweep() throws(VaultError) {
        guard let folder = try vault.directory.folderIfThere(Self.folderName) else { return }
        let named = try vault.read { index in
            Set(
                try Row.fetchAll(index.database, sql: "SELECT name FROM outbox").map {
                    try ObjectName($0.bytes("name")).hex
                })
        }
        for file in try folder.names() where !named.contains(file) { folder.remove(file) }
    }

    /// Returns the SHA-256 of an object that is kept; nil for one that is not.
    ///
    /// - Throws: `VaultError.integrity`.
    public func digest(of name: RemoteName) throws(VaultError) -> [UInt8]? {
        try vault.read { index in
            try index.database.cachedStatement("SELECT digest FROM outbox WHERE name = ?").row([name.bytes.blob])?
                .bytes("digest")
        }
    }
}

extension Transaction {
    private static let remotesTable = "outboxRemote"

    /// Begins to keep apart what goes over each remote, when a vault gets a second one.
    func beginOutboxes() throws {
        let before = try remoteNames()
        guard before.count == 1, try !database.tableExists(Self.remotesTable) else { return }
        try database.execute(
            sql: "CREATE TABLE outboxRemote(name BLOB PRIMARY KEY, remote TEXT NOT NULL) WITHOUT ROWID")
        try database.execute(
            sql: "INSERT INTO outboxRemote(name, remote) SELECT name, ? FROM outbox", arguments: [before[0]])
    }

    /// Forgets over which remotes objects go that are kept no more.
    func forgetRemotesOfOutbox(_ condition: String, _ arguments: StatementArguments = []) throws {
        guard try database.tableExists(Self.remotesTable) else { return }
        try database.execute(sql: "DELETE FROM outboxRemote WHERE \(condition)", arguments: arguments)
    }

    fileprivate func note(_ name: RemoteName, isFor remote: String) throws {
        guard !remote.isEmpty, try database.tableExists(Self.remotesTable) else { return }
        try database.cachedStatement("INSERT OR REPLACE INTO outboxRemote(name, remote) VALUES(?, ?)")
            .execute(arguments: [name.bytes.blob, remote])
    }

    /// Removes rows of what goes over a remote; of all where there is one.
    func removeOutbox(of remote: String) throws {
        guard try database.tableExists(Self.remotesTable), try remoteNames().count > 1 else {
            return try database.execute(sql: "DELETE FROM outbox")
        }
        try database.execute(
            sql: "DELETE FROM outbox WHERE name IN (SELECT name FROM outboxRemote WHERE remote = ?)",
            arguments: [remote])
        try database.execute(sql: "DELETE FROM outboxRemote WHERE name NOT IN (SELECT name FROM outbox)")
    }
}

extension OpenVault {
    /// What this device has said to remotes.
    public var outbox: Outbox { Outbox(vault: self) }
}
