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

    init(_ pin: Pin, _ database: SealedDatabase, _ state: IndexState) {
        guard pin.sequence > 0 else {
            self = .goesOn
            return
        }
        // The counters have the last one's digest: most unlocks need no other page.
        if pin.sequence == state.sequence, pin.chain == state.chain {
            self = .goesOn
            return
        }
        do {
            if try Self.has(pin, database) {
                self = .goesOn
            } else {
                self = pin.sequence > state.sequence ? .isShorter : .isOther
            }
        } catch { self = .isUnread }
    }

    /// Returns whether a device has the entry that the pin knows. The vault may be another device since, as after it
    /// was open on another account; an entry's digest covers whose it is.
    private static func has(_ pin: Pin, _ database: SealedDatabase) throws -> Bool {
        try database.queue.inDatabase { connection in
            var device: [UInt8] = []
            while let next = try EntryWalk.device(connection, after: device) {
                // Of a sound table they rise; where an old page leads back this would never end.
                guard device.lexicographicallyPrecedes(next) else { throw VaultError(.integrity) }
                device = next
                let row = try Row.fetchOne(
                    connection, sql: "SELECT bytes FROM entry WHERE device = ? AND sequence = ?",
                    arguments: [device.blob, Int64(clamping: pin.sequence)])
                if try row.map({ try Digest.sha256($0.bytes("bytes")) }) == pin.chain { return true }
            }
            return false
        }
    }
}
