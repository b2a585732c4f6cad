// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// What one scalar becomes: its bytes, packed so that a look-up touches one place in memory.
struct FoldEntry: Sendable {
    /// Longest folded form, in bytes. The longest today is 9 (U+0DDD, three scalars); there is no rule against longer
    /// ones.
    static let byteCountMax = 16

    private var first: UInt64 = 0
    private var second: UInt64 = 0
    private var length: UInt8 = 0
    let isSpace: Bool
    /// Combining class of the first scalar of the folded form.
    let firstClass: UInt8
    let lastClass: UInt8

    var byteCount: Int { Int(length) }

    subscript(index: Int) -> UInt8 {
        UInt8(truncatingIfNeeded: index < 8 ? first &>> UInt64(index &* 8) : second &>> UInt64((index &- 8) &* 8))
    }

    /// - Parameter scalars: the folded form; what does not fit in 16 bytes is cut, whole scalars at a time.
    init(_ scalars: [Unicode.Scalar], isSpace: Bool) {
        self.isSpace = isSpace
        firstClass = scalars.first.map(FoldTable.combiningClass) ?? 0
        lastClass = scalars.last.map(FoldTable.combiningClass) ?? 0
        for scalar in scalars {
            let bytes = Array(UTF8.encode(scalar)!)
            guard Int(length) + bytes.count <= Self.byteCountMax else { return }
            for byte in bytes {
                if length < 8 {
                    first |= UInt64(byte) << UInt64(length * 8)
                } else {
                    second |= UInt64(byte) << UInt64((length - 8) * 8)
                }
                length += 1
            }
        }
    }
}
