// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import TextMerge

/// `TokenForm` writes tokens as the lines that the library works on: four characters and a newline each.
///
/// No character is one that a mark of a conflict begins with.
enum TokenForm {
    static let lineByteCount = 5
    private static let firstCharacter: UInt32 = 0x40

    static func lines(of numbers: [UInt32]) -> [UInt8] {
        var lines: [UInt8] = []
        lines.reserveCapacity(numbers.count * lineByteCount)
        for number in numbers {
            for shift: UInt32 in [18, 12, 6, 0] { lines.append(UInt8(firstCharacter + (number >> shift & 63))) }
            lines.append(0x0A)
        }
        return lines
    }

    /// Reads what a merge wrote: numbers, with the marks of conflicts between them.
    ///
    /// - Returns: nil when it is neither.
    static func elements(of merged: [UInt8]) -> [MergeElement]? {
        var elements: [MergeElement] = []
        elements.reserveCapacity(merged.count / lineByteCount)
        for line in merged.split(separator: 0x0A, omittingEmptySubsequences: true) {
            switch line.first {
            case UInt8(ascii: "<"): elements.append(.ours)
            case UInt8(ascii: "="): elements.append(.theirs)
            case UInt8(ascii: ">"): elements.append(.end)
            default:
                guard line.count == lineByteCount - 1 else { return nil }
                var number: UInt32 = 0
                for character in line {
                    guard (firstCharacter..<firstCharacter + 64).contains(UInt32(character)) else { return nil }
                    number = number << 6 | (UInt32(character) - firstCharacter)
                }
                elements.append(.token(number))
            }
        }
        return elements
    }
}
