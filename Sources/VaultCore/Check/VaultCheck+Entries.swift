// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import GRDB
internal import VaultCrypto
internal import VaultFormat

/// This extension checks entries: the vault's own chain has no gap, and those of other devices follow one another as
/// far as they are known.
extension VaultCheck {
    /// Ends the check of entries, which cannot be followed any further: what they would say of the rest is not known.
    private func breakChain() {
        found(.chain)
        seen.ledgerIsWhole = false
        phase = .revisions(after: 0)
    }

    func checkEntries() throws(VaultError) {
        let rows: [EntryWalk.Found]
        var walk = seen.walk
        do throws(VaultError) { rows = try read { try walk.next($0.database, limit: 1000) } } catch {
            guard error.isDamageOfPages else { throw error }
            return breakChain()
        }
        seen.walk = walk
        for row in rows {
            guard let entry = try? row.entry(), entry.device != vault.device || seen.chains.isNext(entry) else {
                return breakChain()
            }
            let follows = try VaultError.translating { try seen.chains.take(entry, row.bytes) }
            guard follows else { return breakChain() }
            seen.ledger.add(entry)
            report.entries += 1
        }
        guard rows.isEmpty else { return }
        let state = try? read { try IndexState.fetch($0.database) }
        let end = seen.chains.end(of: vault.device)
        if let state, state.chain != end.digest || state.sequence != end.sequence { found(.chain) }
        if state == nil { found(.counters) }
        seen.ledger.waiting = Set((try? read { try $0.waitingRevisions() }) ?? [])
        // A page that does not open was found with the pages.
        if let rows = try? read({ try $0.statementRows() }), !rows.allSatisfy({ $0.isRight(seen.ledger.statements) }) {
            found(.chain)
        }
        phase = .revisions(after: 0)
    }
}

/// `EntryChains` says how far the entries of each device were followed. Those of other devices may have gaps: what a
/// device has thinned out it tells nobody. Spec: docs/format.md §10.
struct EntryChains {
    private var ends: [[UInt8]: (sequence: UInt64, digest: [UInt8])] = [:]

    /// Returns the number and digest of the last entry of a device; 0 and zeros without one.
    func end(of device: [UInt8]) -> (sequence: UInt64, digest: [UInt8]) { ends[device] ?? (0, Entry.firstPrevious) }

    /// Tells whether no entry is missing before this one.
    func isNext(_ entry: Entry) -> Bool { entry.sequence == end(of: entry.device).sequence &+ 1 }

    /// Takes a device's next entry that is known.
    ///
    /// - Parameter bytes: its own.
    /// - Returns: false for one that does not come behind the last, or right behind it and names another.
    mutating func take(_ entry: Entry, _ bytes: [UInt8]) throws(CryptoError) -> Bool {
        let last = end(of: entry.device)
        guard entry.sequence > last.sequence, !isNext(entry) || entry.previous == last.digest else { return false }
        ends[entry.device] = (entry.sequence, try Digest.sha256(bytes))
        return true
    }
}

extension IndexAccess {
    /// Returns the revisions whose records are kept aside.
    func waitingRevisions() throws -> [RevisionID] {
        guard try IndexState.fetch(database).schema >= Schema.firstWithDevices else { return [] }
        return try Row.fetchAll(database, sql: "SELECT revision FROM waiting")
            .map { try RevisionID($0.bytes("revision")) }
    }
}
