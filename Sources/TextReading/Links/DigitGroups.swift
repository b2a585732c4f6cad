// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// Groups of digits, and what people write between them: the shape of a telephone number before it is known to be one.
struct DigitGroups {
    enum Separator { case none, space, dot, hyphen, slash }

    /// More groups than any way of writing has.
    static let countMax = 8
    private static let groupByteCountMax = 15

    let isPlus: Bool
    private(set) var groups: [Range<Int>] = []
    /// What stands before each group; the first has `none`.
    private(set) var separators: [Separator] = []
    /// The group in round brackets, of which there is at most one.
    private(set) var bracketed: Int?
    /// Where the last group ends, its bracket included.
    private var ends: [Int] = []

    var end: Int? { ends.last }

    init(_ text: [UInt8], _ begin: Int, _ segment: Range<Int>) {
        isPlus = text[begin] == UInt8(ascii: "+")
        var at = isPlus ? begin + 1 : begin
        var separator = Separator.none
        while groups.count < Self.countMax, let next = group(text, at, separator, segment) {
            guard let found = separatorEnd(text, next, segment) else { break }
            (separator, at) = found
            // A day begins no group.
            if separator == .space, DateText.day(text, at, segment) != nil { break }
        }
    }

    /// Lengths of the groups.
    var counts: [Int] { groups.map(\.count) }

    mutating func dropLast() {
        guard !groups.isEmpty else { return }
        groups.removeLast()
        separators.removeLast()
        ends.removeLast()
        if let index = bracketed, index >= groups.count { bracketed = nil }
    }

    private mutating func group(_ text: [UInt8], _ begin: Int, _ separator: Separator, _ segment: Range<Int>) -> Int? {
        guard begin < segment.upperBound else { return nil }
        let isBracketed = text[begin] == UInt8(ascii: "(")
        if isBracketed, bracketed != nil { return nil }
        let start = isBracketed ? begin + 1 : begin
        let digits = text[start..<min(segment.upperBound, start + Self.groupByteCountMax)].prefix(
            while: ByteClass.isDigit)
        guard !digits.isEmpty else { return nil }
        var end = digits.endIndex
        if isBracketed {
            guard end < segment.upperBound, text[end] == UInt8(ascii: ")") else { return nil }
            end += 1
            bracketed = groups.count
        }
        groups.append(digits.indices)
        separators.append(separator)
        ends.append(end)
        return end
    }

    /// One mark, a bracket without one, or after the first group " / " and " - ".
    private func separatorEnd(_ text: [UInt8], _ at: Int, _ segment: Range<Int>) -> (Separator, Int)? {
        guard at + 1 < segment.upperBound else { return nil }
        let (scalar, byteCount) = UTF8Decoding.scalar(in: text.span, at: at)
        switch scalar.value {
        case 0x20
        where groups.count == 1 && at + 2 < segment.upperBound && "/-".utf8.contains(text[at + 1])
            && text[at + 2] == 0x20:
            return (.slash, at + 3)
        case 0x20, 0xA0, 0x202F: return (.space, at + byteCount)
        case 0x2D, 0x2011: return (.hyphen, at + byteCount)
        case 0x2E: return (.dot, at + 1)
        case 0x2F: return (.slash, at + 1)
        case 0x28: return (.none, at)
        default: return bracketed == groups.count - 1 && ByteClass.isDigit(text[at]) ? (.none, at) : nil
        }
    }
}
