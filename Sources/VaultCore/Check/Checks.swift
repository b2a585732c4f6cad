// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import GRDB
internal import VaultFormat

/// A `LastCheck` says when the vault was checked last, and how that ended: so that nobody keeps writing into a
/// damaged vault unawares.
public struct LastCheck: Sendable, Equatable {
    /// Milliseconds since 1970, UTC.
    public let made: Int64
    public let problems: Int

    public init(made: Int64, problems: Int) {
        self.made = made
        self.problems = problems
    }
}

/// `Checks` holds what is known of the checks of an open vault, and rebuilds its index.
public struct Checks {
    let vault: OpenVault

    /// The last check as the index records it; nil if there was none.
    public var last: LastCheck? {
        if let known = vault.knownLastCheck { return known }
        do throws(VaultError) {
            let found = try vault.read { index -> LastCheck? in
                guard
                    try Int.fetchOne(index.database, sql: "SELECT 1 FROM sqlite_master WHERE name = 'lastCheck'")
                        != nil,
                    let row = try Row.fetchOne(index.database, sql: "SELECT made, problems FROM lastCheck WHERE id = 1")
                else { return nil }
                return LastCheck(made: try row.integer("made"), problems: Int(clamping: try row.integer("problems")))
            }
            vault.knownLastCheck = .some(found)
            return found
        } catch {
            // What could not be read is asked for again.
            return nil
        }
    }

    /// Remembers how a check has ended, for this session where it cannot be written.
    public func remember(_ check: LastCheck) {
        vault.knownLastCheck = .some(check)
        try? vault.write { transaction in
            // It is there from the first check on: an index without it is as good. Spec: docs/format.md §13.
            try transaction.database.execute(
                sql:
                    "CREATE TABLE IF NOT EXISTS lastCheck(id INTEGER PRIMARY KEY CHECK(id = 1), made INTEGER NOT NULL, problems INTEGER NOT NULL)"
            )
            try transaction.database.execute(
                sql: "INSERT OR REPLACE INTO lastCheck VALUES(1, ?, ?)", arguments: [check.made, check.problems])
        }
    }

    /// Transactions of this session and before; one more after each.
    public var transactionCount: UInt64 { vault.recordedGeneration }

    /// Returns names in the vault's folder that nothing of the vault has, the drafts' among them: what somebody put
    /// there goes with no backup and no lock.
    func foreignNames() throws(VaultError) -> [String] {
        let ours: Set<String> = Set(HeaderFile.names + ManifestFile.names + ManifestFile.nextNames)
            .union(["lock", "drafts", "objects", Outbox.folderName, OpenVault.reserveName, Lease.name, Lease.probeName])
        var foreign = try vault.directory.names().filter { name in
            let plain = name.hasSuffix(".new") ? String(name.dropLast(4)) : name
            return !ours.contains(plain) && !IndexFile.isOurs(plain) && !RescuedName.isOne(plain)
                && !AsideName.isOne(plain)
        }
        foreign +=
            try vault.directory.folderIfThere("drafts")?.names().filter { name in
                let plain = name.hasSuffix(".new") ? name.dropLast(4) : name[...]
                return plain.utf8.count != 32
                    || !plain.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
            }.map { "drafts/" + $0 } ?? []
        return foreign.sorted()
    }
}
