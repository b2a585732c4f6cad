// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// Reads an undamaged QR code of version 4 with error correction Q in byte mode, from its modules alone (ISO/IEC
/// 18004): a scanner for the code of a recovery key, with nothing of the library that makes it.
enum CodeReader {
    static let side = 33
    private static let blockCount = 2
    private static let dataCountOfBlock = 24

    /// - Returns: nil when it is another version, level or mode.
    static func read(_ isDark: (_ x: Int, _ y: Int) -> Bool) -> [UInt8]? {
        guard let mask = mask(isDark) else { return nil }
        let words = words(isDark, mask)
        // Words of the two blocks take turns.
        let data = (0..<blockCount).flatMap { block in (0..<dataCountOfBlock).map { words[$0 * blockCount + block] } }
        let bits = data.flatMap { byte in (0..<8).map { byte >> (7 - $0) & 1 } }
        func number(_ start: Int, _ count: Int) -> Int { bits[start..<start + count].reduce(0) { $0 << 1 | Int($1) } }
        guard number(0, 4) == 4, number(4, 8) <= 46 else { return nil }
        return (0..<number(4, 8)).map { UInt8(number(12 + 8 * $0, 8)) }
    }

    /// The first five of the fifteen bits around the upper left eye, without what covers them: level (Q is 11) and
    /// mask.
    private static func mask(_ isDark: (Int, Int) -> Bool) -> Int? {
        let bits = (0..<5).reduce(0) { $0 << 1 | (isDark($1, 8) ? 1 : 0) } ^ 0b10101
        return bits >> 3 == 0b11 ? bits & 7 : nil
    }

    private static func words(_ isDark: (Int, Int) -> Bool, _ mask: Int) -> [UInt8] {
        var (words, word, count): ([UInt8], UInt8, Int) = ([], 0, 0)
        var upwards = true
        // Pairs of columns from the right; the column of dashes is passed over.
        for right in stride(from: side - 1, to: 6, by: -2).map(\.self) + [5, 3, 1] {
            for step in 0..<side {
                let y = upwards ? side - 1 - step : step
                for x in [right, right - 1] where !isFixed(x, y) {
                    word = word << 1 | (isDark(x, y) != isFlipped(x, y, mask) ? 1 : 0)
                    count += 1
                    if count % 8 == 0 { words.append(word) }
                }
            }
            upwards.toggle()
        }
        return words
    }

    /// Eyes with what is beside them, lines of dashes, and the small eye.
    private static func isFixed(_ x: Int, _ y: Int) -> Bool {
        (x < 9 && y < 9) || (x >= side - 8 && y < 9) || (x < 9 && y >= side - 8) || x == 6 || y == 6
            || (24...28 ~= x && 24...28 ~= y)
    }

    private static func isFlipped(_ x: Int, _ y: Int, _ mask: Int) -> Bool {
        switch mask {
        case 0: (x + y) % 2 == 0
        case 1: y % 2 == 0
        case 2: x % 3 == 0
        case 3: (x + y) % 3 == 0
        case 4: (y / 2 + x / 3) % 2 == 0
        case 5: x * y % 2 + x * y % 3 == 0
        case 6: (x * y % 2 + x * y % 3) % 2 == 0
        default: ((x + y) % 2 + x * y % 3) % 2 == 0
        }
    }
}
