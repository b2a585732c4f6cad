// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import Glibc
internal import VaultFormat

/// A `WrittenParity` says what a backup has done for parity.
public struct WrittenParity: Sendable, Equatable {
    /// Files that are covered since.
    public var files = 0
    public var byteCount: UInt64 = 0
    /// Damaged before they could be covered, or too large: they have no parity.
    public var leftOut = 0
    /// Why the new files have no parity.
    public var failure: VaultError?

    init() {}

    init(of folder: BackupFolder, percent: Int, _ goesOn: @escaping (UInt64) -> Bool) {
        do throws(VaultError) { self = try BackupParity(folder).cover(percent: percent, goesOn: goesOn) } catch {
            failure = error
        }
    }
}

/// A `BackupParity` writes the parity of a backup's folder: each file is covered once, by the first parity file after
/// it came.
///
/// Spec: docs/format.md §22.1.
struct BackupParity {
    private let folder: BackupFolder
    private let place: ParityPlace

    init(_ folder: BackupFolder) {
        self.folder = folder
        place = ParityPlace(.backup(folder.directory))
    }

    /// Returns all files that parity may cover. What has another name is nothing of a backup.
    func files() throws(VaultError) -> [ParityTable.File] {
        var files: [ParityTable.File] = []
        let root = folder.directory
        if let snapshots = try root.folderIfThere(BackupFolder.snapshots) {
            for name in try snapshots.names() {
                guard let snapshot = SnapshotName(name) else { continue }
                files.append(ParityTable.File(name: .snapshot(snapshot), byteCount: snapshots.byteCount(name)))
            }
        }
        for place in [BackupFolder.pieces, ObjectFolder.name] {
            guard let outer = try root.folderIfThere(place) else { continue }
            for inner in try outer.names() {
                guard let folder = try outer.folderIfThere(inner) else { continue }
                for text in try folder.names() {
                    guard let name = ObjectName(hex: text), name.folder == inner else { continue }
                    files.append(
                        ParityTable.File(
                            name: place == ObjectFolder.name ? .object(name) : .piece(name.bytes),
                            byteCount: folder.byteCount(text)))
                }
            }
        }
        return files.filter { $0.byteCount > 0 }
    }

    /// Covers what no parity file covers yet. The folder is locked for writing.
    ///
    /// - Throws: `VaultError.noParityLibrary`, `.integrity`, `.readOnly`, `.saveFailed`, `.cancelled`.
    func cover(percent: Int, goesOn: @escaping (UInt64) -> Bool) throws(VaultError) -> WrittenParity {
        var known: Set<CoveredName> = []
        let (files, unreadable) = try parityFiles()
        for file in files { known.formUnion(file.table.files.map(\.name)) }
        var covered = WrittenParity()
        var new: [ParityTable.File] = []
        for file in try self.files() where !known.contains(file.name) {
            guard goesOn(0) else { throw VaultError(.cancelled) }
            guard let open = place.open(file.name), ParityFindings.fitsName(file, open) else {
                covered.leftOut += 1
                continue
            }
            new.append(file)
        }
        let written = try writer(percent, goesOn).cover(new)
        covered.files = new.count - written.tooLarge.count
        covered.byteCount = written.byteCount
        covered.leftOut += written.tooLarge.count
        // What they covered is covered anew.
        for name in unreadable { try place.removeParity(name) }
        return covered
    }

    private func writer(_ percent: Int, _ goesOn: @escaping (UInt64) -> Bool) -> ParityWriter {
        ParityWriter(place: place, percent: percent) { _ throws(VaultError) in
            guard goesOn(0) else { throw VaultError(.cancelled) }
        }
    }

    private func parityFiles() throws(VaultError) -> (readable: [ParityFile], unreadable: [String]) {
        var (readable, unreadable): ([ParityFile], [String]) = ([], [])
        for name in try place.parityNames() {
            if let file = ParityFile(name, in: place) { readable.append(file) } else { unreadable.append(name) }
        }
        return (readable, unreadable)
    }

    private func isRemovedSnapshot(_ name: CoveredName) -> Bool {
        guard case .snapshot = name else { return false }
        return place.open(name) == nil
    }

    /// Prepares the removal of files: what else their parity covers gets parity of its own, and theirs goes. Otherwise
    /// a mend would make them again, or find too much missing.
    ///
    /// - Throws: `VaultError.parityDamaged` when what stays is damaged, and nothing was removed then;
    ///   `.noParityLibrary`, `.readOnly`, `.saveFailed`, `.cancelled`.
    func release(_ doomed: Set<CoveredName>, goesOn: @escaping (UInt64) -> Bool) throws(VaultError) {
        let (files, unreadable) = try parityFiles()
        // A person who has removed a snapshot's file by hand wanted that.
        let doomed = doomed.union(files.flatMap { $0.table.files.map(\.name) }.filter { isRemovedSnapshot($0) })
        let stale = files.filter { $0.table.files.contains { doomed.contains($0.name) } }
        var covered: Set<CoveredName> = []
        for file in files where !stale.contains(where: { $0.name == file.name }) {
            covered.formUnion(file.table.files.map(\.name))
        }
        var left: [ParityTable.File] = []
        for file in stale {
            let layout = ParityLayout(file.table, place)
            for (index, known) in file.table.files.enumerated() where !doomed.contains(known.name) {
                let open = place.open(known.name)
                guard covered.insert(known.name).inserted else { continue }
                let damaged = try layout.damagedBlocks(of: index, in: open) { _ throws(VaultError) in
                    guard goesOn(0) else { throw VaultError(.cancelled) }
                }
                guard damaged.isEmpty, open?.byteCount == known.byteCount else { throw VaultError(.parityDamaged) }
                left.append(known)
            }
        }
        _ = try writer(stale.map(\.table.percent).max() ?? 1, goesOn).cover(left)
        for name in stale.map(\.name) + unreadable { try place.removeParity(name) }
    }
}

/// `ArchiveParity` writes the parity of an archive, in a file beside it.
public enum ArchiveParity {
    /// Returns whether this is a name in a folder, and no path.
    static func isName(_ name: String) -> Bool {
        !name.isEmpty && name.utf8.count <= 200 && name != "." && name != ".."
            && name.utf8.allSatisfy { $0 != UInt8(ascii: "/") && $0 != 0 }
    }

    /// Writes `FILE.parity`.
    ///
    /// - Parameter folder: with the archive in it; its owner closes it.
    /// - Returns: size of the parity file in bytes.
    /// - Throws: `VaultError.noParityLibrary`, `.tooLarge`, `.integrity`, `.readOnly`, `.saveFailed`, `.cancelled`.
    public static func write(
        of name: String, in folder: Int32, percent: Int, goesOn: @escaping (UInt64) -> Bool
    ) throws(VaultError) -> UInt64 {
        guard isName(name) else { throw VaultError(.notOurs) }
        let place = ParityPlace(.archive(folder, name))
        guard let file = place.open(.archive), file.byteCount > 0 else { throw VaultError(.notFound) }
        var done: UInt64 = 0
        let writer = ParityWriter(place: place, percent: percent) { count throws(VaultError) in
            done += UInt64(count)
            guard goesOn(done) else { throw VaultError(.cancelled) }
        }
        let written = try writer.cover([ParityTable.File(name: .archive, byteCount: file.byteCount)])
        guard written.tooLarge.isEmpty else { throw VaultError(.tooLarge) }
        return written.byteCount
    }
}
