// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// Telephone numbers: international ones, and national ones that are written as such. A bare run of digits is none.
enum PhoneNumber {
    private static let byteCountMax = 32
    /// E.164 allows 15 digits; fewer than 7 are not dialled from elsewhere.
    private static let digitCounts = 7...15

    static func find(_ text: [UInt8], _ begin: Int, _ segment: Range<Int>) -> DetectedLink? {
        let end = end(text, begin, segment)
        let shown = text[begin..<end]
        let digits = shown.filter(ByteClass.isDigit)[...]
        guard isEnd(text, end, segment), balanced(shown), isNumber(shown, digits) else { return nil }
        let isInternational = shown.first == UInt8(ascii: "+") || digits.starts(with: "00".utf8)
        // The zero in brackets of "+49 (0)30" is not dialled from abroad.
        let dialled =
            shown.first == UInt8(ascii: "+") ? withoutTrunkZero(shown) : digits.starts(with: "00".utf8) ? Array(digits.dropFirst(2)) : Array(digits)
        guard digitCounts.contains(dialled.count) else { return nil }
        return DetectedLink(
            kind: .phone, range: begin..<end, target: "tel:" + (isInternational ? "+" : "") + String(decoding: dialled, as: UTF8.self),
            label: String(decoding: shown, as: UTF8.self))
    }

    /// Digits and what people write between them, one mark at a time.
    private static func end(_ text: [UInt8], _ begin: Int, _ segment: Range<Int>) -> Int {
        var at = begin + 1
        let limit = min(segment.upperBound, begin + byteCountMax)
        while at < limit {
            let byte = text[at]
            let isMark = " -./()".utf8.contains(byte)
            let isDouble = isMark && text[at - 1] == byte
            guard ByteClass.isDigit(byte) || (isMark && !isDouble) else { break }
            at += 1
        }
        while at > begin, !ByteClass.isDigit(text[at - 1]) { at -= 1 }
        return max(at, begin)
    }

    private static func isEnd(_ text: [UInt8], _ end: Int, _ segment: Range<Int>) -> Bool {
        guard end < segment.upperBound else { return true }
        if ByteClass.isWord(text[end]) { return false }
        guard ",.:-/".utf8.contains(text[end]), end + 1 < segment.upperBound else { return true }
        return !ByteClass.isDigit(text[end + 1])
    }

    private static func balanced(_ shown: ArraySlice<UInt8>) -> Bool {
        shown.count { $0 == UInt8(ascii: "(") } == shown.count { $0 == UInt8(ascii: ")") } && shown.count { $0 == UInt8(ascii: "(") } <= 1
    }

    private static func isNumber(_ shown: ArraySlice<UInt8>, _ digits: ArraySlice<UInt8>) -> Bool {
        let groups = shown.split { !ByteClass.isDigit($0) }.map(\.count)
        if shown.first == UInt8(ascii: "+") {
            return groups.count <= 7 && shown.dropFirst().first.map { ByteClass.isDigit($0) && $0 != 0x30 } == true
        }
        if digits.starts(with: "00".utf8) { return digits.count >= 10 }
        guard groups.count > 1 else { return false }
        // "(202) 555-0143", "202-555-0143", "1-202-555-0143"
        let isNorthAmerican = groups == [3, 3, 4] || groups == [1, 3, 3, 4]
        if isNorthAmerican { return (digits.count == 10 ? digits.first : digits.dropFirst().first).map { $0 >= 0x32 } == true }
        // A national number begins with its trunk zero, or has its area in brackets; dots alone are dates and versions.
        let onlyDots = shown.allSatisfy { ByteClass.isDigit($0) || $0 == UInt8(ascii: ".") }
        let begins = digits.first == 0x30 && groups[0] >= 3
        return !onlyDots && groups.count <= 6 && (begins || shown.first == UInt8(ascii: "("))
    }

    private static func withoutTrunkZero(_ shown: ArraySlice<UInt8>) -> [UInt8] {
        var result: [UInt8] = []
        for index in shown.indices where ByteClass.isDigit(shown[index]) {
            let isBracketed = shown[index] == 0x30 && index > shown.startIndex && shown[index - 1] == UInt8(ascii: "(")
            if isBracketed && index + 1 < shown.endIndex && shown[index + 1] == UInt8(ascii: ")") { continue }
            result.append(shown[index])
        }
        return result
    }
}
