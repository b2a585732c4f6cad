// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// `FlightNumber` finds numbers of flights behind a word that says so: "flight LH 400", "Flug LX1612". An airline's
/// code is two characters, at least one of them a letter, or three letters (IATA Resolution 762, ICAO Doc 8585); up to
/// four digits follow, and perhaps a letter. Without that word "B2 12" is a shelf as often as a flight; behind "vol" it is
/// a volume.
enum FlightNumber {
    private static let words = ["flight", "flug"].map { Array($0.utf8) }
    /// Words that stand between "flight" and a number in a line of capitals.
    private static let others = ["NO", "NR", "TO", "AT", "ON", "IN", "OF", "BY"].map { Array($0.utf8) }

    /// - Parameter begin: where the word begins.
    static func find(_ text: [UInt8], _ begin: Int, _ segment: Range<Int>) -> DetectedLink? {
        var at = begin
        while at < segment.upperBound, at - begin < 7, ByteClass.isLetter(text[at]) { at += 1 }
        let word = text[begin..<at].map { $0 | 0x20 }
        guard words.contains(word), at < segment.upperBound, text[at] == 0x20 else { return nil }
        at += 1
        let code = at
        // Three letters first: in "DLH400" the third belongs to the airline.
        for count in [3, 2] where code + count < segment.upperBound {
            guard isAirline(text[code..<code + count]), !others.contains(Array(text[code..<code + count])) else {
                continue
            }
            let end = code + count
            let digits = text[end] == 0x20 ? end + 1 : end
            if let last = numberEnd(text, digits, segment) {
                let target = String(decoding: text[code..<end] + text[digits..<last], as: UTF8.self)
                let label = String(decoding: text[code..<last], as: UTF8.self)
                return DetectedLink(kind: .flight, range: code..<last, target: target, label: label)
            }
        }
        return nil
    }

    private static func isAirline(_ code: ArraySlice<UInt8>) -> Bool {
        let letters = code.count { (0x41...0x5A).contains($0) }
        return letters == code.count || (code.count == 2 && letters == 1 && code.contains { ByteClass.isDigit($0) })
    }

    private static func numberEnd(_ text: [UInt8], _ begin: Int, _ segment: Range<Int>) -> Int? {
        var at = begin
        while at < segment.upperBound, at - begin < 4, ByteClass.isDigit(text[at]) { at += 1 }
        guard at > begin else { return nil }
        // A letter for a flight that leaves a second time on one day.
        if at < segment.upperBound, (0x41...0x5A).contains(text[at]) { at += 1 }
        guard at < segment.upperBound else { return at }
        if ByteClass.isWord(text[at]) { return nil }
        // A day, a time, a part of a number.
        let isGlue = [0x2D, 0x3A, 0x2E, 0x2C, 0x2F].contains(text[at])
        return isGlue && at + 1 < segment.upperBound && ByteClass.isDigit(text[at + 1]) ? nil : at
    }
}
