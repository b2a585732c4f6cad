// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// `ParcelNumber` finds numbers of letters and parcels of the posts of the world: two capitals, eight digits and one
/// that checks them, two capitals of a country (UPU S10, §3). Numbers of carriers have no rule that tells them
/// from other words.
enum ParcelNumber {
    private static let byteCount = 13
    private static let weights = [8, 6, 4, 2, 3, 5, 9, 7]

    /// - Parameters:
    ///   - digits: where the first digit stands.
    ///   - floor: no link reaches back behind it.
    static func find(_ text: [UInt8], digits: Int, from floor: Int, _ segment: Range<Int>) -> DetectedLink? {
        let begin = digits - 2
        guard begin >= floor, begin + byteCount <= segment.upperBound else { return nil }
        let number = text[begin..<begin + byteCount]
        guard [0, 1, 11, 12].allSatisfy({ (0x41...0x5A).contains(text[begin + $0]) }),
            (2...10).allSatisfy({ ByteClass.isDigit(text[begin + $0]) }),
            begin == segment.lowerBound || !isPart(text[begin - 1]),
            begin + byteCount == segment.upperBound || !isPart(text[begin + byteCount])
        else { return nil }
        let sum = weights.enumerated().reduce(0) { $0 + $1.element * Int(text[digits + $1.offset] & 15) }
        let check = 11 - sum % 11
        guard Int(text[digits + 8] & 15) == (check == 10 ? 0 : check == 11 ? 5 : check) else { return nil }
        let shown = String(decoding: number, as: UTF8.self)
        return DetectedLink(kind: .parcel, range: begin..<begin + byteCount, target: shown, label: shown)
    }

    private static func isPart(_ byte: UInt8) -> Bool { ByteClass.isWord(byte) || byte >= 0x80 }
}
