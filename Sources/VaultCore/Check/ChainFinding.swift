// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import GRDB
internal import SealedSQLite
internal import VaultCrypto
internal import VaultFormat

/// A `ChainFinding` says what an opening has found out about the vault's own entries, and what was found since.
public struct ChainFinding: Sendable, Equatable {
    /// Something in the chain, or in the counters that speak of it, does not fit or does not open: `vault check` names
    /// it.
    public internal(set) var isDamaged = false
    /// The entry that the pin knows does not open, so the pin stays as it is until it was compared.
    var pinIsUnread = false

    init() {}

    /// Compares the end of the chain with the counters: a fraction of a millisecond, whatever the vault's size.
    init(_ database: SealedDatabase, _ state: IndexState) {
        isDamaged = (try? Self.fits(database, state)) != true
    }

    private static func fits(_ database: SealedDatabase, _ state: IndexState) throws -> Bool {
        guard NotePlace.allCases.allSatisfy({ state.counts[$0] >= 0 }) else { return false }
        // Each note has an entry that made it, perhaps another device's.
        if UInt64(clamping: state.counts.total) > state.sequence {
            guard try database.queue.inDatabase({ try hasOthers($0, than: state.device) }) else { return false }
        }
        let last = try database.queue.inDatabase { connection in
            try Row.fetchOne(
                connection,
                sql: "SELECT sequence, bytes FROM entry WHERE device = ? ORDER BY sequence DESC LIMIT 1",
                arguments: [state.device.blob])
        }
        guard let last else { return state.sequence == 0 && state.chain == Entry.firstPrevious }
        return try UInt64(clamping: last.integer("sequence")) == state.sequence
            && Digest.sha256(last.bytes("bytes")) == state.chain
    }

    private static func hasOthers(_ connection: Database, than device: [UInt8]) throws -> Bool {
        let first = try EntryWalk.device(connection, after: [])
        return try (first != nil && first != device) || EntryWalk.device(connection, after: device) != nil
    }
}

/// A `PinnedChain` says whether an index goes on from where this account saw the vault last.
enum PinnedChain {
    case goesOn
    /// It has another entry with that number, or none.
    case isOther
    /// It has fewer entries.
    case isShorter
    /// The entry's page does not open.
    case isUnread

    /// - Parameter known: the device that the vault was on this account; nil where it has never been another one.
    init(_ pin: Pin, of known: DeviceID?, _ database: SealedDatabase, _ state: IndexState) {
        guard pin.sequence > 0 else {
            self = .goesOn
            return
        }
        // Where it was open elsewhere since, it went on as another device: that one's numbers say nothing here.
        if let known, known.bytes != state.device {
            self = Self.compare(pin, known.bytes, database)
            return
        }
        guard pin.sequence <= state.sequence else {
            self = .isShorter
            return
        }
        // The counters have the last one's digest: most unlocks need no other page.
        guard pin.sequence < state.sequence else {
            self = pin.chain == state.chain ? .goesOn : .isOther
            return
        }
        self = Self.compare(pin, state.device, database)
    }

    /// Compares the entry that the pin knows with the device's entry of that number.
    private static func compare(_ pin: Pin, _ device: [UInt8], _ database: SealedDatabase) -> PinnedChain {
        do {
            let found = try database.queue.inDatabase { connection in
                try Row.fetchOne(
                    connection, sql: "SELECT bytes FROM entry WHERE device = ? AND sequence = ?",
                    arguments: [device.blob, Int64(clamping: pin.sequence)])
            }
            return try found.map { try Digest.sha256($0.bytes("bytes")) } == pin.chain ? .goesOn : .isOther
        } catch { return .isUnread }
    }
}
