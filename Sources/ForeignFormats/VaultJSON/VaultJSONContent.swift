// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// Counts the bytes of a content against what was said of it. Nothing is passed on beyond that.
struct VaultJSONContent {
    private var byteCountLeft: UInt64
    private var isTooLong = false

    init(byteCount: UInt64) { byteCountLeft = byteCount }

    /// - Returns: as much of the piece as belongs to the content.
    mutating func take(_ piece: [UInt8]) -> [UInt8] {
        guard UInt64(piece.count) > byteCountLeft else {
            byteCountLeft -= UInt64(piece.count)
            return piece
        }
        let rest = Array(piece.prefix(Int(byteCountLeft)))
        (byteCountLeft, isTooLong) = (0, true)
        return rest
    }

    /// Whether it had the size that was said.
    var isWhole: Bool { byteCountLeft == 0 && !isTooLong }
}
