// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// The fold of single bytes below 128, written so that loops over it become vector code.
enum ASCIIFold {
    @inline(__always)
    static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte &- 9 < 5 }

    @inline(__always)
    static func byte(_ byte: UInt8) -> UInt8 { isSpace(byte) ? 0x20 : byte &- 0x41 < 26 ? byte | 0x20 : byte }

    /// How many bytes at the start of a block fold to as many: all are below 128, and no two neighbours are white
    /// space.
    @inline(__always)
    static func plainCount(_ block: Span<UInt8>, afterSpace: Bool) -> Int {
        var odd: UInt8 = 0
        for index in 0..<block.count { odd |= block[index] & 0x80 }
        for index in 1..<block.count { odd |= (isSpace(block[index]) ? 1 : 0) & (isSpace(block[index - 1]) ? 1 : 0) }
        if odd == 0, !(afterSpace && isSpace(block[0])) { return block.count }
        var wasSpace = afterSpace
        for index in 0..<block.count {
            let isSpace = isSpace(block[index])
            if block[index] >= 0x80 || isSpace && wasSpace { return index }
            wasSpace = isSpace
        }
        return block.count
    }
}
