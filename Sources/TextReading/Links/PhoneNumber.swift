// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// `PhoneNumber` finds telephone numbers: international ones, and national ones that are written as such. A bare run of
/// digits is not one.
///
/// National numbers are those of the North American plan in its groups of 3, 3 and 4, and those that begin with a trunk
/// zero. Digits in other groups are amounts, accounts, dates and versions more often than telephones.
enum PhoneNumber {
    /// E.164 allows 15 digits; fewer than 7 are not dialled from elsewhere.
    private static let digitCounts = 7...15
    private static let trunkDigitCounts = 9...13

    static func find(_ text: [UInt8], _ begin: Int, _ segment: Range<Int>) -> DetectedLink? {
        guard isStart(text, begin, segment) else { return nil }
        var shape = DigitGroups(text, begin, segment)
        while let end = shape.end {
            let isWhole = isEnd(text, end, segment)
            if isWhole, let dialled = dialled(text, shape) {
                return DetectedLink(
                    kind: .phone, range: begin..<end, target: "tel:" + dialled,
                    label: String(decoding: text[begin..<end], as: UTF8.self))
            }
            // A number that is not part of it may follow after a space.
            let first = shape.groups[0]
            let mayGoOn =
                shape.isPlus || isNorthAmerican(text, shape, prefix: true) || text[first].starts(with: "00".utf8)
            guard shape.separators.last == .space, !isWhole || mayGoOn else { return nil }
            shape.dropLast()
        }
        return nil
    }

    /// Returns whether a number can begin at a place: groups that go on from others, as in an account's number, begin
    /// nothing.
    private static func isStart(_ text: [UInt8], _ begin: Int, _ segment: Range<Int>) -> Bool {
        guard ByteClass.isDigit(text[begin]), begin >= segment.lowerBound + 2 else { return true }
        return !(text[begin - 1] == 0x20 && ByteClass.isDigit(text[begin - 2]))
    }

    private static func isEnd(_ text: [UInt8], _ end: Int, _ segment: Range<Int>) -> Bool {
        guard end < segment.upperBound else { return true }
        let byte = text[end]
        let after = end + 1 < segment.upperBound ? text[end + 1] : 0
        // An extension: "555-0143x12".
        if byte | 0x20 == UInt8(ascii: "x"), ByteClass.isDigit(after) { return true }
        if byte == 0x20 || byte >= 0x80 {
            return isEndedByScalar(text, byte == 0x20 ? end + 1 : end, segment, isApart: byte == 0x20)
        }
        if ByteClass.isWord(byte) || byte == UInt8(ascii: "%") || byte == UInt8(ascii: "(") { return false }
        return !",.:-/@+#=".utf8.contains(byte) || !ByteClass.isWord(after)
    }

    /// Returns whether the scalar after a number lets it end: amounts have their currency after them; letters of most
    /// scripts make it a part of a word.
    private static func isEndedByScalar(_ text: [UInt8], _ at: Int, _ segment: Range<Int>, isApart: Bool) -> Bool {
        guard at < segment.upperBound else { return true }
        let scalar = UTF8Decoding.scalar(in: text.span, at: at).scalar
        if scalar.properties.generalCategory == .currencySymbol || scalar == "%" { return false }
        return isApart || !ByteClass.isName(scalar) || ByteClass.isUnspaced(scalar)
    }

    /// Returns what is dialled, with `+` where the country is known; nil when the shape is that of something else.
    private static func dialled(_ text: [UInt8], _ shape: DigitGroups) -> String? {
        let all = shape.groups.flatMap { text[$0] }
        if shape.isPlus || all.starts(with: "00".utf8) { return international(text, shape) }
        let isNational = isNorthAmerican(text, shape, prefix: false) || isTrunk(all, shape)
        guard isNational, shape.groups.count > 1 else { return nil }
        return (all.count == 11 && all[0] == 0x31 ? "+" : "") + String(decoding: all, as: UTF8.self)
    }

    private static func international(_ text: [UInt8], _ shape: DigitGroups) -> String? {
        var digits: [UInt8] = []
        for (index, group) in shape.groups.enumerated() {
            // The zero in brackets of "+49 (0)30" is not dialled from abroad.
            if index > 0, shape.bracketed == index, text[group].elementsEqual("0".utf8) { continue }
            digits += text[group]
        }
        if !shape.isPlus {
            guard shape.groups.count > 1, shape.counts[0] > 2 || shape.separators[1] == .space else { return nil }
            digits.removeFirst(2)
        }
        guard digitCounts.contains(digits.count), digits[0] != 0x30, shape.groups.count <= 7, !isAmount(shape) else {
            return nil
        }
        if digits[0] == 0x31, digits.count != 11 || digits[1] < 0x32 || digits[4] < 0x32 { return nil }
        return "+" + String(decoding: digits, as: UTF8.self)
    }

    /// Returns true for "+12.345.678".
    private static func isAmount(_ shape: DigitGroups) -> Bool {
        shape.groups.count > 2 && shape.separators.dropFirst().allSatisfy { $0 == .dot }
            && shape.counts.dropFirst().allSatisfy { $0 == 3 }
    }

    /// Returns true for "(202) 555-0143", "202-555-0143", "1-202-555-0143"; the area and the exchange begin with 2 to
    /// 9.
    private static func isNorthAmerican(_ text: [UInt8], _ shape: DigitGroups, prefix: Bool) -> Bool {
        let counts = shape.counts
        let area = counts.first == 1 && text[shape.groups[0].lowerBound] == 0x31 ? 1 : 0
        let pattern = Array(counts.dropFirst(area))
        guard prefix ? pattern.starts(with: [3, 3, 4]) : pattern == [3, 3, 4] else { return false }
        return text[shape.groups[area].lowerBound] >= 0x32 && text[shape.groups[area + 1].lowerBound] >= 0x32
    }

    /// Returns true for "030 1234567", "(0171) 2345678", "06 12 34 56 78": one zero, then the area. Not "01-02-2026
    /// 1030" and not "0-306-40615-2".
    private static func isTrunk(_ digits: [UInt8], _ shape: DigitGroups) -> Bool {
        let counts = shape.counts
        guard trunkDigitCounts.contains(digits.count), digits[0] == 0x30, digits[1] != 0x30,
            (2...6).contains(counts.count)
        else { return false }
        let isZeroAlone = counts[0] == 1 && shape.bracketed == 0
        guard isZeroAlone || (2...6).contains(counts[0]), !counts.starts(with: [2, 2, 4]) else { return false }
        let separators = shape.separators.dropFirst()
        if separators.dropFirst().contains(.slash) { return false }
        return !separators.allSatisfy { $0 == .dot } || counts.allSatisfy { $0 == 2 }
    }
}

/// `DigitGroups` holds groups of digits, and what people write between them: the shape of a telephone number before it
/// is known to be one.
private struct DigitGroups {
    enum Separator { case none, space, dot, hyphen, slash }

    /// Most groups of a number: more than any way of writing has.
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

    /// Reads one mark, a bracket without one, or after the first group " / " and " - ".
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
