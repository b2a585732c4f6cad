// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// Holds content to the size that was announced for it.
struct ContentCounter {
    private var remaining: UInt64

    init(byteCount: UInt64) { remaining = byteCount }

    /// - Throws: `ExportError.sizeChanged` if there is more than was announced.
    mutating func take(_ byteCount: Int) throws(ExportError) {
        guard UInt64(byteCount) <= remaining else { throw ExportError(.sizeChanged) }
        remaining -= UInt64(byteCount)
    }

    /// - Throws: `ExportError.sizeChanged` if there was less than was announced.
    func end() throws(ExportError) {
        guard remaining == 0 else { throw ExportError(.sizeChanged) }
    }
}
