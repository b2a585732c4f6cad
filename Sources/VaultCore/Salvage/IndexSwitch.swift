// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import Glibc
internal import SealedSQLite
internal import VaultCrypto
internal import VaultFormat

/// Puts a repaired index in the place of the damaged one, which is kept under another name. Spec: docs/format.md §24.
///
/// The commit point is one rename: from the moment when there is an `index-<epoch>.db.repaired` that is the one which
/// the repair wrote, that one counts, and the next opening of the vault ends what is left to do. So every crash leaves
/// the damaged index with its log as they were, or the new one. A name alone proves nothing: see `isProven`.
struct IndexSwitch {
    let directory: VaultDirectory
    let epoch: UInt32
    /// Of this machine, where there is one.
    let lease: Lease?

    private var name: String { IndexFile.name(epoch: epoch) }
    /// Name of the new index while it is written; a crash leaves it, and the next opening removes it.
    var newName: String { name + ".new" }
    /// Whole and synced.
    var readyName: String { name + ".repaired" }

    private static let damagedMark = ".db.damaged-"

    /// Returns whether a file is kept for the owner, who alone removes it.
    static func isKept(_ name: String) -> Bool { name.hasPrefix("index-") && name.contains(damagedMark) }

    /// Returns whether a name is one of those that a repair uses, of any epoch.
    ///
    /// - Parameter rest: what stands behind `index-<epoch>`.
    ///
    /// `.db.repaired` is none: one that is still there when the vault is open was refused, and a check names it.
    static func isOurs(_ rest: Substring) -> Bool { rest == ".db.new-wal" || rest.hasPrefix(damagedMark) }

    /// Commits the switch: the new index is whole and synced, and from here on it counts.
    ///
    /// - Throws: `VaultError.readOnly`, `.saveFailed`.
    func commit() throws(VaultError) {
        // Its log is empty, and is made anew when it is opened.
        directory.remove(newName + "-wal")
        // Something that was refused under this name: it is not ours to remove.
        try moveAway(readyName, to: keptName())
        try rename(newName, readyName)
        try sync()
    }

    /// Ends a switch that a crash has ended behind its commit. What lies there under that name and is not proven to be
    /// what a repair wrote is left in its place, and so are the index and its log.
    ///
    /// - Throws: `VaultError.readOnly`, `.saveFailed`.
    func finishProven(_ header: Header, _ keys: VaultKeys, pin: Pin?) throws(VaultError) {
        guard isProven(header, keys, pin: pin) else { return }
        try finish()
    }

    /// Returns whether the repaired index is the one that the manifest announces.
    ///
    /// Before its commit a repair writes a manifest of an open vault with an empty log and of exactly one generation
    /// less than the new index has; no older index has that many, and no index whose log was emptied has more than its
    /// manifest. It names no map, which is of the old index. Every page must open, so that nothing is taken for whole
    /// that is not.
    private func isProven(_ header: Header, _ keys: VaultKeys, pin: Pin?) -> Bool {
        guard directory.identity(readyName) != nil else { return false }
        let manifests = SalvagedIndex.manifests(in: directory, header, keys)
        guard let last = manifests.max(by: { $0.generation < $1.generation }), last.isOpen, last.syncedByteCount == 0,
            last.map == nil,
            last.generation < UInt64(Int64.max)
        else { return false }
        if let pin, pin.epoch == header.epoch, last.generation < pin.generation { return false }
        let file = directory.open(readyName, O_RDONLY | O_NONBLOCK)
        guard file >= 0 else { return false }
        guard VaultDirectory.isOurFile(file) else {
            close(file)
            return false
        }
        let binding = Context(kind: .indexPage, vaultID: header.vaultID, epoch: header.epoch).encoded
        guard let pages = try? PageSalvage(reading: file, pageKey: keys.indexPage, pageBinding: binding) else {
            return false
        }
        while pages.survey(pageCount: Self.stepPages) {}
        guard pages.lostPages.isEmpty, pages.filePageCount >= last.pageCount else { return false }
        var generation: UInt64 = 0
        for version in pages.newest {
            pages.forEachCell(of: version) { cell in
                guard case .state? = SalvagedRow(cell) else { return }
                for (record, _) in pages.records(of: cell) {
                    generation = max(generation, SalvagedState(record)?.generation ?? 0)
                }
            }
        }
        return generation == last.generation + 1
    }

    private static let stepPages = 200

    /// Ends a switch that was committed; does nothing when there is none. Only under the vault's lock, and by a caller
    /// that knows that the repaired index is its own.
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

    /// Returns the name that the damaged index is kept under. After a crash in between it is the same again, because
    /// its time is the one when the new index was written.
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

    /// Refuses to go on when another machine has the vault.
    ///
    /// - Throws: `VaultError.takenOver` when another machine has the vault now: nothing of it is moved any more.
    func requireOurs() throws(VaultError) {
        if let holder = lease?.successor() { throw VaultError(.takenOver, host: holder) }
    }

    private func rename(_ old: String, _ new: String) throws(VaultError) {
        try requireOurs()
        guard unsafe renameat(directory.descriptor, old, directory.descriptor, new) == 0 else {
            throw VaultDirectory.failure()
        }
    }

    private func sync() throws(VaultError) { guard directory.sync() else { throw VaultDirectory.failure() } }
}
