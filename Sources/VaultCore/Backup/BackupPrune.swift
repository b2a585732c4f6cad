// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import VaultCrypto
public import VaultFormat

/// `BackupPrune` removes snapshots that no rule keeps, and then what no remaining one names.
///
/// Order: snapshots, and their folder on disk; then pieces and objects. So a crash leaves whole snapshots, and files
/// that the next run removes. Nobody else reads or writes the folder meanwhile. Spec: docs/format.md §22.
public final class BackupPrune {
    /// `Pruned` says what was done, or would be.
    public struct Pruned: Sendable, Equatable {
        /// The oldest first.
        public var removed: [SnapshotName] = []
        public var kept: [SnapshotName] = []
        /// Files in `snapshots/` that do not open: no rule counts them, and they stay.
        public var unreadable: [SnapshotName] = []
        /// Of those that stay, how many open with a key that `rotate` has replaced.
        public var oldKeyCount = 0
        /// The newest snapshot of a whole vault; nil when each that opens is of a damaged one. It is kept.
        public var newestWhole: SnapshotName?
        /// Newer ones that open are of a damaged vault, or all are.
        public var newestIsDamaged = false
        /// Newer snapshots whose list opens but that damaged files keep from being restored, newest first.
        public var broken: [SnapshotName] = []
        public var fileCount = 0
        public var freedByteCount: UInt64 = 0
        /// Whether all pieces are kept, because it is not known which ones an unreadable snapshot names.
        public var keepsPieces: Bool { !unreadable.isEmpty }
    }

    private let folder: BackupFolder
    private let isTrial: Bool
    private let goesOn: (UInt64) -> Bool
    private var pruned = Pruned()
    private var lists: [String: SnapshotList] = [:]
    private var done: UInt64 = 0
    /// What is to go, while it is only looked for; nil while it is removed.
    private var doomed: Set<CoveredName>?

    private init(_ folder: BackupFolder, isTrial: Bool, _ goesOn: @escaping (UInt64) -> Bool) {
        self.folder = folder
        self.isTrial = isTrial
        self.goesOn = goesOn
    }

    /// Removes the snapshots, and the files that only they name.
    ///
    /// - Parameters:
    ///   - isTrial: nothing is removed.
    ///   - goesOn: asked before each file that is removed; false ends the work, and what is left is whole.
    /// - Throws: `VaultError.backupBusy`, `.otherVault`, `.noSnapshot` when none opens, `.cancelled`, `.saveFailed`.
    public static func run(
        _ folder: BackupFolder, _ access: SnapshotReader.Access, _ rules: KeepRules, isTrial: Bool = false,
        goesOn: @escaping (UInt64) -> Bool = { _ in true }
    ) throws(VaultError) -> Pruned {
        precondition(!rules.isEmpty, "without a rule nothing would be kept")
        try folder.lock(forWriting: !isTrial)
        let prune = BackupPrune(folder, isTrial: isTrial, goesOn)
        try prune.choose(access, rules)
        if !isTrial { try prune.releaseParity() }
        try prune.removeSnapshots()
        try prune.removeFiles()
        return prune.pruned
    }

    /// Chooses the snapshots to keep; the rules count those that open, and those that an earlier key opens.
    private func choose(_ access: SnapshotReader.Access, _ rules: KeepRules) throws(VaultError) {
        var (counted, old): ([SnapshotName], Set<String>) = ([], [])
        for name in try folder.names() {
            do throws(VaultError) {
                lists[name.text] = try SnapshotReader(folder, name, access).list
                counted.append(name)
            } catch {
                switch error.code {
                case .oldKey:
                    counted.append(name)
                    old.insert(name.text)
                case .otherVault, .backupBusy, .system: throw error
                default: pruned.unreadable.append(name)
                }
            }
        }
        guard let newest = counted.last(where: { lists[$0.text] != nil }) else { throw VaultError(.noSnapshot) }
        var kept = rules.kept(of: counted)
        // Whatever the rules say: the newest that opens is what a backup is for. So is the newest that lacks nothing:
        // what the vault has lost since may be nowhere else.
        kept.insert(newest.text)
        let whole = counted.filter { lists[$0.text].map { !$0.damage.isOfRecords } ?? false }
        let removesAny = counted.contains { !kept.contains($0.text) && $0 != whole.last }
        pruned.newestWhole = removesAny ? try newestRestorable(of: whole, access) : whole.last
        pruned.newestIsDamaged = pruned.newestWhole != newest && pruned.broken.isEmpty
        if let whole = pruned.newestWhole {
            kept.insert(whole.text)
        } else if !pruned.broken.isEmpty {
            kept.formUnion(counted.map(\.text))
        } else {
            // Which of an earlier key are whole, nobody knows.
            kept.formUnion(old)
        }
        pruned.removed = counted.filter { !kept.contains($0.text) }
        pruned.kept = counted.filter { kept.contains($0.text) }
        pruned.oldKeyCount = pruned.kept.count { old.contains($0.text) }
    }

    /// Finds the newest snapshot that a restore would take, and reads all of it. A list that opens says nothing of the
    /// files it names, and what is removed here may be the only one that is whole.
    ///
    /// - Returns: nil when there is none.
    private func newestRestorable(
        of names: [SnapshotName], _ access: SnapshotReader.Access
    ) throws(VaultError) -> SnapshotName? {
        for name in names.reversed() {
            do {
                _ = try SnapshotReader(folder, name, access).verify { _ in self.goesOn(0) }
                return name
            } catch {
                let error = VaultError.translated(error)
                guard error.code == .integrity else { throw error }
                pruned.broken.append(name)
            }
        }
        return nil
    }

    /// Replaces parity that covers what goes by parity of what stays, before anything is removed.
    private func releaseParity() throws(VaultError) {
        doomed = []
        defer { doomed = nil }
        try removeSnapshots()
        try removeFiles()
        try BackupParity(folder).release(doomed ?? []) { _ in self.goesOn(0) }
    }

    private func removeSnapshots() throws(VaultError) {
        guard let snapshots = try folder.directory.folderIfThere(BackupFolder.snapshots) else { return }
        for name in pruned.removed { try remove(name.text, in: snapshots, .snapshot(name)) }
        guard !isTrial, doomed == nil, !pruned.removed.isEmpty else { return }
        guard snapshots.sync() else { throw VaultDirectory.failure() }
    }

    private func removeFiles() throws(VaultError) {
        guard !pruned.keepsPieces else { return }
        var (pieces, objects): (Set<String>, Set<String>) = ([], [])
        for name in pruned.kept {
            guard let list = lists[name.text] else { continue }
            pieces.formUnion(list.pieces.map(BackupFolder.hex) + list.drafts.map { BackupFolder.hex($0.digest) })
            objects.formUnion(list.objects.map(\.name.hex))
        }
        var candidates: (pieces: Set<String>, objects: Set<String>)?
        if pruned.oldKeyCount > 0 {
            // What those name is sealed under their own key, so it is nothing that a later snapshot had made; a draft's
            // file may be the same.
            let removed = pruned.removed.compactMap { lists[$0.text] }
            candidates = (
                Set(removed.flatMap { $0.pieces.map(BackupFolder.hex) }),
                Set(removed.flatMap { $0.objects.map(\.name.hex) })
            )
        }
        try removeFiles(in: BackupFolder.pieces, but: pieces, of: candidates?.pieces)
        try removeFiles(in: ObjectFolder.name, but: objects, of: candidates?.objects)
    }

    /// Removes the files of a folder that no remaining snapshot names.
    ///
    /// - Parameter candidates: nil for all that is there, what a crash has left too.
    private func removeFiles(in place: String, but named: Set<String>, of candidates: Set<String>?) throws(VaultError) {
        guard let root = try folder.directory.folderIfThere(place) else { return }
        for folderName in try root.names() {
            guard let inner = try root.folderIfThere(folderName) else { continue }
            for name in try inner.names() where !named.contains(name) && candidates?.contains(name) ?? true {
                let object = ObjectName(hex: name)
                try remove(
                    name, in: inner, object.map { place == ObjectFolder.name ? .object($0) : .piece($0.bytes) })
            }
            if !isTrial, doomed == nil { root.removeFolder(folderName) }
        }
    }

    private func remove(_ name: String, in place: VaultDirectory, _ covered: CoveredName?) throws(VaultError) {
        if doomed != nil {
            if let covered { doomed?.insert(covered) }
            return
        }
        guard goesOn(done) else { throw VaultError(.cancelled) }
        done += 1
        let byteCount = place.byteCount(name)
        guard isTrial || place.unlink(name) else { throw VaultDirectory.failure() }
        pruned.fileCount += 1
        pruned.freedByteCount += byteCount
    }
}
