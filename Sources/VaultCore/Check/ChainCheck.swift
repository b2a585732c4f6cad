// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import GRDB
internal import VaultCrypto
internal import VaultFormat

/// A `ChainCheck` reads the whole chain of the vault's own entries after an unlock, a little at a time: each must
/// follow from the one before, and the counters from the last. What it finds stays with the vault, as
/// `OpenVault.chain`.
public final class ChainCheck {
    private let vault: OpenVault
    private var last: UInt64 = 0
    private var link = Entry.firstPrevious

    /// Entries of one step: about a millisecond.
    private static let stepCount = 500

    public init(_ vault: OpenVault) { self.vault = vault }

    /// Reads some more entries.
    ///
    /// - Returns: whether there is more to do.
    public func step() -> Bool {
        do throws(VaultError) { return try advance() } catch {
            // What may pass is looked at again after the next unlock.
            if error.isDamageOfPages { vault.chain.isDamaged = true }
            return false
        }
    }

    private func advance() throws(VaultError) -> Bool {
        let (rows, state) = try vault.read { index in
            let rows = try Row.fetchAll(
                index.database,
                sql: "SELECT sequence, bytes FROM entry WHERE device = ? AND sequence > ? ORDER BY sequence LIMIT ?",
                arguments: [index.device.blob, Int64(clamping: self.last), Self.stepCount])
            // Of the same moment: somebody may write between two steps.
            return (rows, try IndexState.fetch(index.database))
        }
        for row in rows where !follows(row) {
            vault.chain.isDamaged = true
            return false
        }
        if rows.count == Self.stepCount { return true }
        if state.sequence != last || state.chain != link { vault.chain.isDamaged = true }
        return false
    }

    private func follows(_ row: Row) -> Bool {
        guard let bytes = try? row.bytes("bytes"), let number = try? row.integer("sequence"),
            let entry = try? Entry(parsing: bytes), let digest = try? Digest.sha256(bytes),
            entry.previous == link, entry.device == vault.device, entry.sequence == last + 1,
            UInt64(clamping: number) == entry.sequence
        else { return false }
        (last, link) = (entry.sequence, digest)
        return true
    }
}
