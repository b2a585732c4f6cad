// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import VaultCrypto
public import VaultFormat

/// Compares covered files with their checksums and rebuilds damaged or missing ones from parity.
///
/// Order: new files, each whole and compared; all of that on disk; then each takes the name of the damaged one. So a
/// crash leaves the old or the new file, and what cannot be made again stays as it is. No key is needed, and none
/// helps: a person who can write in the folder could have changed the files themselves. Spec: docs/format.md §22.1.
public final class ParityMend {
    /// A `Mended` says what was done, or would be.
    public struct Mended: Sendable, Equatable {
        /// A `File` is a file that is damaged or missing.
        public struct File: Sendable, Equatable {
            public let name: CoveredName
            public let damagedBlocks: Int
            public let wasMissing: Bool
        }

        public var parityFiles = 0
        public var checkedFiles = 0
        public var checkedByteCount: UInt64 = 0
        public var mended: [File] = []
        /// Too much of them, or of what their parity was made of, is damaged. They are as they were.
        public var lost: [File] = []
        /// Damaged parity files that were rebuilt.
        public var mendedParity: [String] = []
        /// Parity files that cannot be rebuilt: not even what they cover can be read, or too much of that is lost.
        public var lostParity: [String] = []
        /// Files that no parity covers.
        public var uncovered = 0
        public init() {}
    }

    private let place: ParityPlace
    private let isTrial: Bool
    private let goesOn: (UInt64) -> Bool
    private var mended = Mended()
    private var covered: Set<CoveredName> = []
    private var done: UInt64 = 0

    private init(_ place: ParityPlace, isTrial: Bool, _ goesOn: @escaping (UInt64) -> Bool) {
        (self.place, self.isTrial, self.goesOn) = (place, isTrial, goesOn)
    }

    /// Mends the files of a backup's folder.
    ///
    /// - Parameters:
    ///   - isTrial: nothing is written.
    ///   - goesOn: told how many bytes were read; false ends the work, and every file is the old or the new one.
    /// - Throws: `VaultError.noParity`, `.noParityLibrary`, `.backupBusy`, `.readOnly`, `.saveFailed`, `.cancelled`.
    public static func run(
        _ folder: BackupFolder, isTrial: Bool = false, goesOn: @escaping (UInt64) -> Bool = { _ in true }
    ) throws(VaultError) -> Mended {
        try folder.lock(forWriting: !isTrial)
        let mend = ParityMend(ParityPlace(.backup(folder.directory)), isTrial: isTrial, goesOn)
        try mend.run()
        mend.mended.uncovered = try BackupParity(folder).files().count { !mend.covered.contains($0.name) }
        return mend.mended
    }

    /// Mends an archive by the parity file beside it.
    ///
    /// - Parameters:
    ///   - folder: with the archive in it; its owner closes it.
    ///   - name: of the archive, without a slash.
    public static func run(
        archive name: String, in folder: Int32, isTrial: Bool = false,
        goesOn: @escaping (UInt64) -> Bool = { _ in true }
    ) throws(VaultError) -> Mended {
        guard ArchiveParity.isName(name) else { throw VaultError(.notOurs) }
        let mend = ParityMend(ParityPlace(.archive(folder, name)), isTrial: isTrial, goesOn)
        try mend.run()
        return mend.mended
    }

    private func run() throws(VaultError) {
        let names = try place.parityNames().filter { place.openParity($0) != nil }
        guard !names.isEmpty else { throw VaultError(.noParity) }
        for name in names {
            mended.parityFiles += 1
            guard let file = ParityFile(name, in: place) else {
                mended.lostParity.append(name)
                continue
            }
            try mend(file)
        }
    }

    private func step(_ count: Int) throws(VaultError) {
        done += UInt64(count)
        guard goesOn(done) else { throw VaultError(.cancelled) }
    }

    private func mend(_ parity: ParityFile) throws(VaultError) {
        let layout = ParityLayout(parity.table, place)
        let found = try ParityFindings(parity, layout, place) { count throws(VaultError) in try self.step(count) }
        covered.formUnion(parity.table.files.map(\.name))
        mended.checkedFiles += parity.table.files.count
        for file in parity.table.files { mended.checkedByteCount += file.byteCount }
        let (possible, lost) = found.sorted()
        if !isTrial, !possible.isEmpty {
            try ReedSolomon.load()
            try rebuild(possible, found, parity, layout)
        }
        mended.mended += possible.map { found.file($0) }
        mended.lost += lost.map { found.file($0) }
        guard !parity.isTableWhole || found.hasDamagedParity else { return }
        guard lost.isEmpty else { return mended.lostParity.append(parity.name) }
        if !isTrial { try renew(parity) }
        mended.mendedParity.append(parity.name)
    }

    /// Makes a parity file again of data that is whole now: the same bytes as before.
    private func renew(_ parity: ParityFile) throws(VaultError) {
        let table = parity.table
        guard
            let bare = ParityTable(
                percent: table.percent, blockByteCount: table.shape.blockByteCount, files: table.files)
        else { throw VaultError(.integrity) }
        let writer = ParityWriter(place: place, percent: table.percent) { count throws(VaultError) in
            try self.step(count)
        }
        let (name, _) = try writer.write(bare, expecting: table)
        // Another name than its table's is none of ours.
        if name != parity.name { try place.removeParity(parity.name) }
    }

    // MARK: New files

    private func rebuild(
        _ indexes: [Int], _ found: ParityFindings, _ parity: ParityFile, _ layout: ParityLayout
    ) throws(VaultError) {
        let names = indexes.map { parity.table.files[$0].name }
        do throws(VaultError) {
            for index in indexes { try copyWhole(index, found, layout) }
            let wanted = Set(indexes.flatMap { found.damage[$0] ?? [] })
            for column in 0..<layout.shape.columns {
                let lost = wanted.filter { $0 % layout.shape.columns == column }
                if !lost.isEmpty { try rebuild(column, wanted: lost, found, parity, layout) }
            }
            for index in indexes { try compare(index, layout) }
            try place.sync()
            for name in names { try place.takePart(name) }
            try place.sync()
        } catch {
            for name in names { place.dropPart(name) }
            throw error
        }
        layout.forget()
    }

    /// Copies what is whole of a damaged file to a new one.
    private func copyWhole(_ index: Int, _ found: ParityFindings, _ layout: ParityLayout) throws(VaultError) {
        let name = layout.table.files[index].name
        let part = try place.makePart(name)
        guard let old = place.open(name) else { return }
        let damaged = Set(found.damage[index] ?? [])
        for number in layout.blocks(of: index) where !damaged.contains(number) {
            try step(0)
            guard let bytes = layout.block(number, of: index, in: old) else { throw VaultError(.integrity) }
            try write(bytes, of: number, index, to: part, layout)
        }
    }

    private func write(
        _ bytes: some Collection<UInt8>, of block: Int, _ index: Int, within offset: Int = 0, to part: OpenFile,
        _ layout: ParityLayout
    ) throws(VaultError) {
        let at = (block - layout.blocks(of: index).lowerBound) * layout.shape.blockByteCount + offset
        let left = Int(layout.table.files[index].byteCount) - at
        guard left > 0 else { return }
        try part.write(bytes.prefix(left), at: at)
    }

    /// Makes lost blocks again: those of one column, a few kilobytes of each row at once.
    private func rebuild(
        _ column: Int, wanted: Set<Int>, _ found: ParityFindings, _ parity: ParityFile, _ layout: ParityLayout
    ) throws(VaultError) {
        let shape = layout.shape
        let lost = found.lostRows(in: column)
        let spare = (0..<shape.parityRows).filter { !found.damagedParity.contains($0 * shape.columns + column) }
        guard lost.count <= spare.count else { throw VaultError(.integrity) }
        let data = (0..<shape.dataRows).filter { !lost.contains($0) }
        let used = Array(spare.prefix(lost.count))
        let size = min(shape.blockByteCount, 65_536)
        for offset in stride(from: 0, to: shape.blockByteCount, by: size) {
            try step(0)
            let at = column * shape.blockByteCount + offset
            var rows: [UInt8] = []
            rows.reserveCapacity(shape.dataRows * size)
            for row in data { rows += layout.data(row: row, at: at, size) }
            for row in used { rows += parity.parity(row: row, at: at, size) }
            let rebuilt = try ReedSolomon.rebuild(
                lost, of: rows, present: data + used.map { shape.dataRows + $0 }, parityRows: shape.parityRows,
                byteCount: size)
            for (number, row) in lost.enumerated() {
                let block = row * shape.columns + column
                guard wanted.contains(block) else { continue }
                let index = layout.file(of: block)
                guard let part = place.openPart(layout.table.files[index].name) else { throw VaultError(.integrity) }
                try write(
                    rebuilt[number * size..<(number + 1) * size], of: block, index, within: offset, to: part, layout)
            }
        }
    }

    /// Checks that the new file is what the table says, and what its own name says: else nothing takes a name.
    private func compare(_ index: Int, _ layout: ParityLayout) throws(VaultError) {
        let file = layout.table.files[index]
        guard let part = place.openPart(file.name), part.byteCount == file.byteCount,
            try layout.damagedBlocks(of: index, in: part, { count throws(VaultError) in try self.step(count) }).isEmpty,
            ParityFindings.fitsName(file, part)
        else { throw VaultError(.integrity) }
    }
}
