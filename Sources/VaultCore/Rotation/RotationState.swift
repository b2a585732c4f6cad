// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import GRDB
internal import SealedSQLite
internal import VaultCrypto
internal import VaultFormat

/// A `RotationState` is the index's row about a rotation: there is one from the commit until everything has been read
/// back.
///
/// It holds the key of the epoch before, under this epoch's key, never the other way: who has the old key learns
/// nothing of the new one, and who has neither cannot make one (LUKS2's CVE-2021-4122). Spec: docs/format.md §20.
struct RotationState {
    /// A `Stage` says what is sealed anew, in this order, then read back.
    enum Stage: Int, CaseIterable {
        case rows = 1, objects
        case pagesBack, rowsBack, objectsBack
        case done
    }

    var stage: Stage
    /// Where the stage goes on: its table's number, then a row's number or key.
    var place: [UInt8]
    /// Bytes of attachments' files that the stage has behind it.
    var done: UInt64
    /// Bytes of all of them, as the plan found them.
    var total: UInt64

    static func fetch(_ database: Database) throws -> RotationState? {
        guard let row = try database.cachedStatement("SELECT stage, place, done, total FROM rotation").row() else {
            return nil
        }
        guard let stage = Stage(rawValue: try row.count("stage")) else { throw VaultError(.integrity) }
        return RotationState(
            stage: stage, place: try row.bytes("place"), done: UInt64(clamping: try row.integer("done")),
            total: UInt64(clamping: try row.integer("total")))
    }

    func save(_ database: Database) throws {
        try database.cachedStatement("UPDATE rotation SET stage = ?, place = ?, done = ?, total = ?").execute(
            arguments: [
                stage.rawValue, place.blob, Int64(clamping: done), Int64(clamping: total),
            ])
    }

    static func insert(_ database: Database, wrapped: [UInt8], counter: UInt64, total: UInt64) throws {
        try database.execute(
            sql: "INSERT INTO rotation VALUES(1, ?, ?, ?, x'', 0, ?)",
            arguments: [wrapped.blob, Int64(clamping: counter), Stage.rows.rawValue, Int64(clamping: total)])
    }

    /// Returns what the wrapped key is bound to: the vault, the epoch that it is the key of, the counter of the header
    /// that it goes with.
    static func place(previousEpoch: UInt32, counter: UInt64) -> VaultLayer.Place {
        var role = ByteWriter(reserving: 12)
        role.u32(previousEpoch)
        role.u64(counter)
        return VaultLayer.Place(kind: .rotation, objectID: [], role: role.bytes)
    }

    mutating func advance() {
        stage = Stage(rawValue: stage.rawValue + 1) ?? .done
        place = []
        done = 0
    }
}

extension RotationState {
    /// Returns the key of the epoch before, while a rotation runs.
    ///
    /// A row that is bound to an older header than the one that is there belongs to a rotation that has ended: an old
    /// page of the index put back does not bring the old key back (ThreatModel D01).
    ///
    /// - Throws: `VaultError.integrity` for a row that this epoch's key does not open.
    static func previousKeys(_ database: SealedDatabase, _ keys: VaultKeys, _ header: Header) throws(VaultError)
        -> VaultKeys?
    {
        try VaultError.translating {
            let found = try database.queue.inDatabase { connection -> (wrapped: [UInt8], counter: UInt64)? in
                guard try IndexState.fetch(connection).schema >= 4 else { return nil }
                let stored = try SpareTable.rotation.read(connection) {
                    try connection.cachedStatement("SELECT wrapped, counter FROM \($0)").row()
                }
                guard let row = stored else { return nil }
                return (try row.bytes("wrapped"), UInt64(clamping: try row.integer("counter")))
            }
            guard let found, found.counter >= header.counter else { return nil }
            let layer = try VaultLayer(keys, vaultID: header.vaultID, epoch: header.epoch)
            guard header.epoch > 1,
                let root = layer.openCurrentKey(
                    found.wrapped, RotationState.place(previousEpoch: header.epoch - 1, counter: found.counter))
            else { throw VaultError(.integrity) }
            return try VaultKeys(root)
        }
    }
}

extension Transaction {
    /// Binds the row to a header that is about to be written.
    func bindRotation(to counter: UInt64) throws {
        guard let previous = layer.previous else { return }
        let wrapped = try layer.seal(
            previous.root, RotationState.place(previousEpoch: layer.epoch - 1, counter: counter))
        try database.execute(
            sql: "UPDATE rotation SET wrapped = ?, counter = ?", arguments: [wrapped.blob, Int64(clamping: counter)])
    }
}
