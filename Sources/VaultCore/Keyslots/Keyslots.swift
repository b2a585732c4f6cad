// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import GRDB
public import VaultFormat

/// `Keyslots` lists and changes the keys that open the vault. Each change writes a whole new header, so that an old
/// slot is gone from both copies when it returns.
public struct Keyslots {
    let vault: OpenVault

    /// Returns all keyslots, in the header's order.
    public func all() throws(VaultError) -> [KeyslotInfo] {
        let rows = try vault.read { index in
            var rows: [[UInt8]: Row] = [:]
            for row in try Row.fetchAll(index.database, sql: "SELECT * FROM keyslot") {
                rows[try row.bytes("slot")] = row
            }
            return rows
        }
        return vault.header.keyslots.map { slot in
            let row = rows[slot.slotID]
            return KeyslotInfo(
                slotID: slot.slotID, kind: slot.kind, name: row.flatMap { $0["name"] } ?? "",
                made: row.flatMap { $0["made"] },
                memoryKiB: slot.memoryKiB, iterations: slot.iterations, parallelism: slot.parallelism,
                targetMilliseconds: row.flatMap { ($0["target"] as Int64?).map { UInt32(clamping: $0) } })
        }
    }

    /// What a password attempt takes and was meant to take, if it takes a third of that or less: machines have become
    /// faster since, also for people who guess (ThreatModel B04).
    ///
    /// - Returns: what it takes and what it was to take, in milliseconds; nil when all is well.
    public var oldCost: (milliseconds: Int64, target: Int64)? {
        guard let slot = (try? all())?.first(where: { $0.slotID == vault.openedKeyslot.slotID }),
            let target = slot.targetMilliseconds, let duration = vault.openedKeyslot.duration
        else {
            return nil
        }
        let taken = Int64(duration / .milliseconds(1))
        return slot.kind.usesArgon2 && taken * 3 < Int64(target) ? (taken, Int64(target)) : nil
    }

    /// Adds a slot.
    ///
    /// - Throws: `VaultError.tooManyKeyslots`, `.exists` for a name that another one has, `.keysChanged`, `.readOnly`,
    ///   `.saveFailed`.
    public func add(_ new: NewKeyslot, _ proof: KeyslotProof) throws(VaultError) {
        guard vault.header.keyslots.count < UnverifiedHeader.keyslotCountMax else { throw VaultError(.tooManyKeyslots) }
        guard try !all().contains(where: { $0.name == new.name }) else { throw VaultError(.exists) }
        try change(proof, adding: new) { slots in slots.append(new.slot) }
    }

    /// Puts a slot in the place of others, which open nothing from then on. An old copy of the vault still opens with
    /// them.
    public func replace(_ old: [[UInt8]], by new: NewKeyslot, _ proof: KeyslotProof) throws(VaultError) {
        try change(proof, adding: new) { slots in
            let place = slots.firstIndex { old.contains($0.slotID) } ?? slots.endIndex
            slots.insert(new.slot, at: place)
            slots.removeAll { old.contains($0.slotID) }
        }
    }

    /// Takes a slot away.
    ///
    /// - Throws: `VaultError.lastKeyslot` for the only one, and for the last one with a password.
    public func remove(_ slotID: [UInt8], _ proof: KeyslotProof) throws(VaultError) {
        let left = vault.header.keyslots.filter { $0.slotID != slotID }
        guard left.contains(where: \.kind.usesArgon2) else { throw VaultError(.lastKeyslot) }
        try change(proof, adding: nil) { slots in slots.removeAll { $0.slotID == slotID } }
    }

    private func change(_ proof: KeyslotProof, adding new: NewKeyslot?, _ body: (inout [Keyslot]) -> Void)
        throws(VaultError)
    {
        // The proof was given on this very header: another command may have changed it while a key was derived.
        guard proof.header == vault.header else { throw VaultError(.keysChanged) }
        var slots = vault.header.keyslots
        body(&slots)
        guard slots.contains(where: \.kind.usesArgon2) else { throw VaultError(.lastKeyslot) }
        // Its name first: a slot without one is only less pleasant, a name without a slot is nothing.
        if let new { try vault.write { try new.insert($0.database) } }
        try rememberSlots(with: new)
        try vault.changeHeader { $0.keyslots = slots }
        // The change is made, whatever becomes of old names.
        try? forgetNames(vault.header)
    }

    func forgetNames(_ header: Header) throws(VaultError) {
        let known = Set(header.keyslots.map(\.slotID))
        try vault.write { transaction in
            for row in try Row.fetchAll(transaction.database, sql: "SELECT slot FROM keyslot")
            where !known.contains(try row.bytes("slot")) {
                try transaction.database.execute(
                    sql: "DELETE FROM keyslot WHERE slot = ?", arguments: [try row.bytes("slot").blob])
            }
        }
    }
}

extension NewKeyslot {
    /// Adds its row, with its name and the time.
    func insert(_ database: Database) throws {
        try database.execute(
            sql: "INSERT OR REPLACE INTO keyslot VALUES(?, ?, ?, ?)",
            arguments: [slot.slotID.blob, name, Machine.now, Int64(targetMilliseconds)])
    }
}

/// A `KeyslotInfo` is a keyslot as its owner knows it.
public struct KeyslotInfo: Sendable, Equatable {
    /// Random, 16 bytes.
    public let slotID: [UInt8]
    public let kind: Keyslot.Kind
    /// Empty when nothing is known of it.
    public let name: String
    /// Milliseconds since 1970, UTC; nil when that is not known.
    public let made: Int64?
    public let memoryKiB: UInt32
    public let iterations: UInt32
    public let parallelism: UInt32
    /// How long a try was to take when it was made, in milliseconds; nil when that is not known.
    public let targetMilliseconds: UInt32?

    /// Beginning of the identifier, to name the slot by.
    public var shortID: String { Keyslot.shortID(slotID) }
}

extension Keyslot {
    /// Longest name of a keyslot, in bytes.
    public static let nameByteCountMax = 256
}
