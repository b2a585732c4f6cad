// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import Glibc
internal import VaultFormat

/// Puts a repaired index in the place of the damaged one, which is kept under another name. Spec: docs/format.md §24.
///
/// The commit point is one rename: from the moment when there is an `index-<epoch>.db.repaired`, that one counts, and
/// whoever opens the vault ends what is left to do. So every crash leaves the damaged index with its log as they were,
/// or the new one.
struct IndexSwitch {
    let directory: VaultDirectory
    let epoch: UInt32

    private var name: String { IndexFile.name(epoch: epoch) }
    /// While it is written; a crash leaves it, and the next opening removes it.
    var newName: String { name + ".new" }
    /// Whole and synced.
    var readyName: String { name + ".repaired" }

    private static let damagedMark = ".db.damaged-"

    /// Whether a file is kept for the owner, who alone removes it.
    static func isKept(_ name: String) -> Bool { name.hasPrefix("index-") && name.contains(damagedMark) }

    /// Whether a name is one of those that a repair uses, of any epoch.
    ///
    /// - Parameter rest: what stands behind `index-<epoch>`.
    static func isOurs(_ rest: Substring) -> Bool {
        rest == ".db.repaired" || rest == ".db.new-wal" || rest.hasPrefix(damagedMark)
    }

    /// The new index is whole and synced: from here on it counts.
    ///
    /// - Throws: `VaultError.readOnly`, `.saveFailed`.
    func commit() throws(VaultError) {
        // Its log is empty, and is made anew when it is opened.
        directory.remove(newName + "-wal")
        try rename(newName, readyName)
        try sync()
    }

    /// Ends a switch that was committed; does nothing when there is none. Only under the vault's lock.
    ///
    /// - Returns: the name under which the damaged index is kept; nil when there was nothing to do or to keep.
    /// - Throws: `VaultError.readOnly`, `.saveFailed`.
    @discardableResult
    func finish() throws(VaultError) -> String? {
        guard directory.identity(readyName) != nil else { return nil }
        let kept = keptName()
        // The log first: beside the new index it would be taken for that one's.
        if directory.byteCount(name + "-wal") == 0 { directory.remove(name + "-wal") }
        try moveAway(name + "-wal", to: kept + "-wal")
        try moveAway(name, to: kept)
        try sync()
        try rename(readyName, name)
        try sync()
        return directory.identity(kept) == nil ? nil : kept
    }

    /// After a crash in between it is the same again: it is of when the new index was written.
    private func keptName() -> String {
        let stamp = SnapshotStamp.text(directory.modified(readyName) ?? Machine.now)
        let plain = name + ".damaged-" + stamp
        var (kept, number) = (plain, 1)
        // The log may be there already, the index is not: then the switch is over.
        while directory.identity(kept) != nil {
            number += 1
            kept = plain + "-\(number)"
        }
        return kept
    }

    private func moveAway(_ old: String, to new: String) throws(VaultError) {
        guard directory.identity(old) != nil else { return }
        try rename(old, new)
    }

    private func rename(_ old: String, _ new: String) throws(VaultError) {
        guard unsafe renameat(directory.descriptor, old, directory.descriptor, new) == 0 else {
            throw VaultDirectory.failure()
        }
    }

    private func sync() throws(VaultError) { guard directory.sync() else { throw VaultDirectory.failure() } }
}
