// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import GRDB
internal import VaultFormat

/// `RemoteEntry` is a place where devices of the vault meet.
public struct RemoteEntry: Sendable, Equatable {
    /// What its owner calls it; no two have the same name.
    public var name: String
    /// Kind and address, as the program that speaks to it wrote them: nothing here looks inside.
    public var settings: [UInt8]
    /// Its credentials: passwords and tokens.
    public var credentials: [UInt8]
    /// The last stored state of the work with it.
    public var state: [UInt8]

    public init(name: String, settings: [UInt8], credentials: [UInt8], state: [UInt8] = []) {
        (self.name, self.settings, self.credentials, self.state) = (name, settings, credentials, state)
    }
}

/// `RemoteState` is the state of the work with a remote, as it is to be stored.
public struct RemoteState: Sendable, Equatable {
    public let remote: String
    /// As the engine encodes it: nothing here looks inside.
    public let bytes: [UInt8]
    /// The last position that a store has acknowledged: what was told up to it need not be told again.
    public let sentThrough: UInt64

    public init(_ remote: String, _ bytes: [UInt8], sentThrough: UInt64) {
        (self.remote, self.bytes, self.sentThrough) = (remote, bytes, sentThrough)
    }
}

/// `Remotes` gives the vault's remotes. Their rows are in the sealed index, so they are sealed under a new key by a
/// rotation and are in a backup; an archive has none. Spec: docs/format.md §13.
public struct Remotes {
    let vault: OpenVault

    /// Returns the names of the remotes, in the order of the names.
    func names() throws(VaultError) -> [String] {
        try vault.read { try $0.remoteNames() }
    }
}

extension RemoteEntry {
    /// Bytes of settings, of credentials and of a name.
    private static let byteCountMax = 64 << 10

    /// Checks that there is a name and that no part is too large.
    ///
    /// - Throws: `VaultError.empty` without a name, `.tooLarge` above 64 KiB.
    func checkSizes() throws(VaultError) {
        guard !name.isEmpty else { throw VaultError(.empty) }
        guard [settings.count, credentials.count, name.utf8.count].allSatisfy({ $0 <= Self.byteCountMax }) else {
            throw VaultError(.tooLarge)
        }
    }
}

extension IndexAccess {
    /// Returns the names of all remotes, in the order of the names.
    func remoteNames() throws -> [String] {
        try Row.fetchAll(database, sql: "SELECT name FROM remote ORDER BY name").map { try $0.text("name") }
    }
}

extension OpenVault {
    /// Places where devices of the vault meet.
    public var remotes: Remotes { Remotes(vault: self) }
}

extension Transaction {
    func save(_ remote: RemoteEntry) throws {
        try database.execute(
            sql: "INSERT INTO remote(name, settings, credentials, state) VALUES(?, ?, ?, ?)",
            arguments: [remote.name, remote.settings.blob, remote.credentials.blob, remote.state.blob])
    }

    /// Writes down how far the work with a remote has come, in the transaction that did it. What a store has
    /// acknowledged is not to be told any more.
    func save(_ state: RemoteState) throws {
        try database.cachedStatement("UPDATE remote SET state = ? WHERE name = ?").execute(arguments: [
            state.bytes.blob, state.remote,
        ])
        try database.cachedStatement("DELETE FROM telling WHERE remote = ? AND position <= ?")
            .execute(arguments: [state.remote, Int64(clamping: state.sentThrough)])
    }
}
