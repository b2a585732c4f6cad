// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import GRDB
internal import SealedSQLite
internal import VaultCrypto
public import VaultFormat

/// A `FormerEpoch` is what a vault with a remote keeps of the epoch before: enough to end it in the remote, and to read
/// there how others have ended it.
///
/// Of its keys, only those two are kept that name and open what is in the remote; an owner of the old key has them
/// anyway. Spec: docs/format.md §20.
public struct FormerEpoch: Sendable, Equatable {
    /// `Beginning` says how the present epoch has begun here.
    public enum Beginning: Int, Sendable {
        /// With a key that this vault has made: it ends the epoch before for the others.
        case own = 0
        /// With the key that another device has made and ended the epoch with.
        case given = 1
    }

    public let epoch: UInt32
    public let beginning: Beginning
    /// The newest header of that epoch.
    public let stamp: HeaderStamp
    /// SHA-256 of the header that the ending of that epoch names.
    public let ending: [UInt8]
    /// The header with which the present epoch began here: its file's bytes.
    public let nextHeader: [UInt8]
    /// Counter and SHA-256 of it.
    public let nextStamp: HeaderStamp
}

extension FormerEpoch {
    /// `Role` says what a key that is kept is for.
    fileprivate enum Role: UInt8 {
        case sync = 1
        case names = 2
    }

    /// Returns what one of the keys is bound to: the vault, the epoch that it is of, and its use.
    fileprivate static func place(_ epoch: UInt32, _ role: Role) -> VaultLayer.Place {
        var bytes = ByteWriter(reserving: 5)
        bytes.u32(epoch)
        bytes.u8(role.rawValue)
        return VaultLayer.Place(kind: .formerRemoteKey, objectID: [], role: bytes.bytes)
    }

    /// Writes down what is kept of an epoch, under the key of the next one; what was kept of another goes.
    static func save(
        _ database: Database, _ keys: VaultKeys, of header: Header, _ next: NextEpoch, _ layer: VaultLayer
    ) throws {
        // It is there from the first rotation of a vault with a remote on. Spec: docs/format.md §13.
        try database.execute(
            sql: """
                CREATE TABLE IF NOT EXISTS formerEpoch(id INTEGER PRIMARY KEY CHECK(id = 1), epoch INTEGER NOT NULL,
                beginning INTEGER NOT NULL, counter INTEGER NOT NULL, digest BLOB NOT NULL, ending BLOB NOT NULL,
                header BLOB NOT NULL, sync BLOB NOT NULL, names BLOB NOT NULL)
                """)
        let sync = try layer.seal(keys.root.subkey(.sync), place(header.epoch, .sync))
        let names = try layer.seal(keys.root.subkey(.remoteNames), place(header.epoch, .names))
        try database.execute(
            sql: "INSERT OR REPLACE INTO formerEpoch VALUES(1, ?, ?, ?, ?, ?, ?, ?, ?)",
            arguments: [
                Int64(header.epoch), next.beginning.rawValue, Int64(clamping: header.counter),
                try HeaderFile.digest(header).blob, next.ending.blob, next.header.encoded.blob, sync.blob, names.blob,
            ])
    }

    static func fetch(_ database: Database) throws -> (FormerEpoch, sync: [UInt8], names: [UInt8])? {
        guard try database.tableExists("formerEpoch"),
            let row = try Row.fetchOne(database, sql: "SELECT * FROM formerEpoch WHERE id = 1")
        else { return nil }
        guard let beginning = Beginning(rawValue: try row.count("beginning")) else { throw VaultError(.integrity) }
        let header = try row.bytes("header")
        let (copy, digest, ending) = (try HeaderFile.copy(header), try row.bytes("digest"), try row.bytes("ending"))
        guard [digest, ending].allSatisfy({ $0.count == HeaderStamp.digestByteCount }) else {
            throw VaultError(.integrity)
        }
        let former = FormerEpoch(
            epoch: UInt32(clamping: try row.integer("epoch")), beginning: beginning,
            stamp: HeaderStamp(counter: UInt64(clamping: try row.integer("counter")), digest: digest),
            ending: ending, nextHeader: header,
            nextStamp: HeaderStamp(counter: copy.header.counter, digest: copy.digest))
        return (former, try row.bytes("sync"), try row.bytes("names"))
    }
}

extension Rotation {
    /// Returns what is kept of the epoch before; nil if nothing is kept: the vault had no remote then, or was never
    /// rotated.
    ///
    /// - Throws: `VaultError.integrity`.
    public func formerEpoch() throws(VaultError) -> FormerEpoch? {
        let found = try vault.read { try FormerEpoch.fetch($0.database)?.0 }
        return found.flatMap { $0.epoch + 1 == vault.header.epoch ? $0 : nil }
    }

    /// Makes the sealer of what lies in the remote of the epoch before.
    ///
    /// - Returns: nil where nothing is kept of it.
    /// - Throws: `VaultError.integrity` for a row that this epoch's key does not open, `.libraryFailed`.
    public func formerSealer() throws(VaultError) -> SegmentSealer? {
        guard let (former, sync, names) = try vault.read({ try FormerEpoch.fetch($0.database) }),
            former.epoch + 1 == vault.header.epoch
        else { return nil }
        guard let syncKey = vault.layer.openCurrentKey(sync, FormerEpoch.place(former.epoch, .sync)),
            let namesKey = vault.layer.openCurrentKey(names, FormerEpoch.place(former.epoch, .names))
        else { throw VaultError(.integrity) }
        return try VaultError.mapping { () throws(CryptoError) in
            let names = RemoteNames(key: namesKey, vault.header.identity, epoch: former.epoch)
            return try SegmentSealer(names, key: syncKey)
        }
    }
}
