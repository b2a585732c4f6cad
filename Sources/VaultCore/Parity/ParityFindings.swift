// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import VaultCrypto
internal import VaultFormat

/// `ParityFindings` says what of one parity file, and of the files that it covers, is not as it was.
struct ParityFindings {
    private let layout: ParityLayout
    /// Damaged blocks by file; a file that only has another size, or is missing without a block lost, has none.
    private(set) var damage: [Int: [Int]] = [:]
    private(set) var damagedParity: Set<Int> = []
    private var missing: Set<Int> = []
    private var damagedData: Set<Int> = []
    /// Whole by their own name, whatever the table says.
    private var wholeByName: Set<Int> = []

    var hasDamagedParity: Bool { !damagedParity.isEmpty }

    init(
        _ parity: ParityFile, _ layout: ParityLayout, _ place: ParityPlace,
        _ step: (Int) throws(VaultError) -> Void
    ) throws(VaultError) {
        self.layout = layout
        for (index, covered) in parity.table.files.enumerated() {
            let file = place.open(covered.name)
            let damaged = try layout.damagedBlocks(of: index, in: file, step)
            guard !damaged.isEmpty || file?.byteCount != covered.byteCount else { continue }
            damagedData.formUnion(damaged)
            // A table that says otherwise of a piece which has its digest is wrong itself.
            if case .piece = covered.name, let file, Self.fitsName(covered.name, file) {
                wholeByName.insert(index)
                continue
            }
            damage[index] = damaged
            if file == nil { missing.insert(index) }
        }
        for block in 0..<parity.table.shape.parityBlockCount {
            try step(parity.table.shape.blockByteCount)
            guard let bytes = parity.parityBlock(block), try layout.isWhole(bytes, parityBlock: block) else {
                damagedParity.insert(block)
                continue
            }
        }
    }

    /// Returns the files that can be made again, and those that cannot.
    func sorted() -> (possible: [Int], lost: [Int]) {
        var (possible, lost): ([Int], [Int]) = ([], [])
        for index in damage.keys.sorted() {
            let columns = Set((damage[index] ?? []).map { $0 % layout.shape.columns })
            if columns.allSatisfy({ canMend($0) }) { possible.append(index) } else { lost.append(index) }
        }
        return (possible, lost)
    }

    private func canMend(_ column: Int) -> Bool {
        let spare = (0..<layout.shape.parityRows).count { !damagedParity.contains($0 * layout.shape.columns + column) }
        return lostRows(in: column).count <= spare
    }

    func lostRows(in column: Int) -> [Int] {
        (0..<layout.shape.dataRows).filter { damagedData.contains($0 * layout.shape.columns + column) }
    }

    func file(_ index: Int) -> ParityMend.Mended.File {
        ParityMend.Mended.File(
            name: layout.table.files[index].name, damagedBlocks: damage[index]?.count ?? 0,
            wasMissing: missing.contains(index))
    }

    // MARK: Names that are digests

    static func fitsName(_ file: ParityTable.File, _ open: OpenFile) -> Bool { fitsName(file.name, open) }

    /// Returns whether a piece has the SHA-256 that is its name; true for files whose names say nothing of their bytes.
    static func fitsName(_ name: CoveredName, _ file: OpenFile) -> Bool {
        guard case .piece(let digest) = name else { return true }
        guard file.byteCount <= UInt64(ArchivedDraft.journalByteCountMax) else { return false }
        return (try? Digest.sha256(file.read(Int(file.byteCount), at: 0))) == digest
    }
}
