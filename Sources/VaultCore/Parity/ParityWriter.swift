// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import VaultCrypto
internal import VaultFormat

/// Writes parity files. Nothing is covered that cannot be read to its end.
///
/// Spec: docs/format.md §22.1.
struct ParityWriter {
    let place: ParityPlace
    let percent: Int
    /// Told how many bytes were read; throws `.cancelled`.
    let step: (Int) throws(VaultError) -> Void

    /// A `Written` says what was written.
    struct Written {
        var names: [String] = []
        var byteCount: UInt64 = 0
        /// Larger than a parity file can cover.
        var tooLarge: [CoveredName] = []
    }

    /// Writes parity files for these files, each for at most `ParityTable.blockCountMax` blocks; nothing waits for the
    /// disk.
    ///
    /// - Parameter files: each once, none empty.
    /// - Throws: `VaultError.noParityLibrary`, `.integrity` for a file that cannot be read, `.readOnly`, `.saveFailed`.
    func cover(_ files: [ParityTable.File]) throws(VaultError) -> Written {
        var written = Written()
        guard !files.isEmpty else { return written }
        try ReedSolomon.load()
        var group: [ParityTable.File] = []
        var blocks = 0
        for file in files.sorted(by: { $0.name < $1.name }) {
            guard let size = Self.blockByteCount(file) else {
                written.tooLarge.append(file.name)
                continue
            }
            let count = Int(file.byteCount / 4096) + 1
            if size > 4096 {
                try write([file], size, &written)
                continue
            }
            if blocks + count > ParityTable.blockCountMax {
                try write(group, 4096, &written)
                (group, blocks) = ([], 0)
            }
            group.append(file)
            blocks += count
        }
        try write(group, 4096, &written)
        return written
    }

    /// Returns the smallest blocks that are not too many; nil when there are none.
    private static func blockByteCount(_ file: ParityTable.File) -> Int? {
        var size = ParityTable.blockByteCounts.lowerBound
        while file.byteCount > UInt64(size) * UInt64(ParityTable.blockCountMax - 1) {
            size *= 2
            guard size <= ParityTable.blockByteCounts.upperBound else { return nil }
        }
        return size
    }

    private func write(_ files: [ParityTable.File], _ blockByteCount: Int, _ written: inout Written) throws(VaultError)
    {
        guard !files.isEmpty else { return }
        guard let table = ParityTable(percent: percent, blockByteCount: blockByteCount, files: files) else {
            throw VaultError(.tooLarge)
        }
        let (name, byteCount) = try write(table)
        written.names.append(name)
        written.byteCount += UInt64(byteCount)
    }

    /// Makes the parity of these files anew and writes it. What is there under the name goes with the last step.
    ///
    /// - Parameter expecting: the table as it was; with another one nothing is written.
    @discardableResult
    func write(_ bare: ParityTable, expecting: ParityTable? = nil) throws(VaultError) -> (name: String, byteCount: Int)
    {
        var table = bare
        do throws(VaultError) {
            try checkData(&table)
            let file = try place.makeParityPart()
            let size = table.encoded.count
            try writeRows(&table, to: file, at: ParityHead(tableByteCount: size, tableDigest: []).parityOffset)
            if let expecting, expecting != table { throw VaultError(.integrity) }
            let encoded = table.encoded
            let (head, bytes) = try ParityFile.head(of: encoded)
            try file.write(bytes + encoded, at: 0)
            let end = ParityFile.byteCount(head, table.shape)
            try file.write(encoded + bytes, at: end - encoded.count - bytes.count)
            try place.sync()
            return (try place.takeParityPart(head.tableDigest), end)
        } catch {
            place.dropParityPart()
            throw error
        }
    }

    private func checkData(_ table: inout ParityTable) throws(VaultError) {
        let layout = ParityLayout(table, place)
        for index in table.files.indices {
            guard let file = place.open(table.files[index].name), file.byteCount == table.files[index].byteCount else {
                throw VaultError(.integrity)
            }
            for number in layout.blocks(of: index) {
                try step(table.shape.blockByteCount)
                guard let bytes = layout.block(number, of: index, in: file) else { throw VaultError(.integrity) }
                table.dataChecks.replaceSubrange(ParityLayout.range(number), with: try ParityLayout.check(bytes))
            }
        }
    }

    private func writeRows(_ table: inout ParityTable, to file: OpenFile, at begin: Int) throws(VaultError) {
        let layout = ParityLayout(table, place)
        let shape = table.shape
        for column in layout.windows() {
            let count = layout.windowByteCount(at: column)
            var rows: [UInt8] = []
            rows.reserveCapacity(shape.dataRows * count)
            for row in 0..<shape.dataRows { rows += layout.data(row: row, at: column, count) }
            let parity = try ReedSolomon.encode(
                rows, dataRows: shape.dataRows, parityRows: shape.parityRows, byteCount: count)
            for row in 0..<shape.parityRows {
                try file.write(parity[row * count..<(row + 1) * count], at: begin + row * shape.rowByteCount + column)
            }
            try step(0)
        }
        for block in 0..<shape.parityBlockCount {
            let bytes = file.read(shape.blockByteCount, at: begin + block * shape.blockByteCount)
            guard bytes.count == shape.blockByteCount else { throw VaultError(.saveFailed) }
            table.parityChecks.replaceSubrange(ParityLayout.range(block), with: try ParityLayout.check(bytes))
        }
    }
}
