// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import CReedSolomon

/// `ReedSolomon` makes rows of parity over rows of data, by Intel's ISA-L: any rows that are lost come back from as
/// many others as there were rows of data. It sees sealed bytes only.
///
/// Spec: docs/format.md §22.1.
enum ReedSolomon {
    /// Loads the library, which nothing but parity needs.
    ///
    /// - Throws: `VaultError.noParityLibrary`.
    static func load() throws(VaultError) {
        guard reed_solomon_load() == 0 else { throw VaultError(.noParityLibrary) }
    }

    /// Returns the rows of parity over some rows of data.
    ///
    /// - Parameter data: rows, each `byteCount` bytes, one behind the other.
    /// - Throws: `VaultError.outOfMemory`.
    static func encode(
        _ data: [UInt8], dataRows: Int, parityRows: Int, byteCount: Int
    ) throws(VaultError) -> [UInt8] {
        precondition(data.count == dataRows * byteCount, "rows have one size")
        var parity = [UInt8](repeating: 0, count: parityRows * byteCount)
        let done = unsafe data.withUnsafeBufferPointer { from in
            unsafe parity.withUnsafeMutableBufferPointer { to in
                unsafe reed_solomon_encode(
                    Int32(byteCount), Int32(dataRows), Int32(parityRows), from.baseAddress, to.baseAddress)
            }
        }
        guard done == 0 else { throw VaultError(.outOfMemory) }
        return parity
    }

    /// Makes lost rows of data again.
    ///
    /// - Parameters:
    ///   - present: which rows `rows` has, as many as there are rows of data.
    ///   - lost: rows of data.
    /// - Throws: `VaultError.outOfMemory`.
    static func rebuild(
        _ lost: [Int], of rows: [UInt8], present: [Int], parityRows: Int, byteCount: Int
    ) throws(VaultError) -> [UInt8] {
        precondition(rows.count == present.count * byteCount && !lost.isEmpty, "rows have one size")
        var rebuilt = [UInt8](repeating: 0, count: lost.count * byteCount)
        let (has, wants) = (present.map { UInt8($0) }, lost.map { UInt8($0) })
        let done = unsafe rows.withUnsafeBufferPointer { from in
            unsafe rebuilt.withUnsafeMutableBufferPointer { to in
                unsafe reed_solomon_rebuild(
                    Int32(byteCount), Int32(present.count), Int32(parityRows), has, from.baseAddress,
                    Int32(lost.count), wants, to.baseAddress)
            }
        }
        guard done == 0 else { throw VaultError(.outOfMemory) }
        return rebuilt
    }
}
