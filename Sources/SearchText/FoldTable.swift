// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import Foundation
internal import Synchronization
internal import TextReading

/// `FoldTable` says how each scalar below U+30000 folds, in pages of 256 that are made when first needed and then
/// shared by all threads.
enum FoldTable {
    /// Scalars from here on fold to themselves.
    static let end: UInt32 = 0x30000

    /// Returns a page of the table.
    ///
    /// - Parameter number: the scalar's value divided by 256, below 768.
    static func page(_ number: UInt32) -> FoldPage { pages.page(Int(number)) }

    static func combiningClass(_ scalar: Unicode.Scalar) -> UInt8 { scalar.properties.canonicalCombiningClass.rawValue }

    private static let pages = Pages()

    /// Two threads may make the same page at once; the first one stored is kept, and both are equal.
    private final class Pages: Sendable {
        private let slots = InlineArray<768, AtomicLazyReference<FoldPage>> { _ in AtomicLazyReference() }

        func page(_ index: Int) -> FoldPage {
            if let page = slots[index].load() { return page }
            return slots[index].storeIfNil(FoldPage(firstScalar: UInt32(index) << 8))
        }
    }
}

/// `FoldPage` holds the folded forms of 256 neighbouring scalars.
final class FoldPage: Sendable {
    let entries: [FoldEntry]

    init(firstScalar: UInt32) {
        let originals = (0..<256).map { Unicode.Scalar(firstScalar + $0) ?? UTF8Decoding.replacement }
        entries = zip(originals, Self.decompositions(of: originals)).map { original, decomposed in
            let isSpace = original.properties.isWhitespace
            return FoldEntry(isSpace ? [" "] : Self.fold(decomposed), isSpace: isSpace)
        }
    }

    /// Returns the decompositions of a page's scalars by one call: a line end between two scalars keeps them apart, and
    /// costs less than 256 calls.
    private static func decompositions(of scalars: [Unicode.Scalar]) -> [[Unicode.Scalar]] {
        var page = String.UnicodeScalarView()
        for scalar in scalars {
            // ASCII is never looked up here; its line feed would be one separator too many.
            page.append(scalar.isASCII ? " " : WidthForms.plain(scalar))
            page.append("\n")
        }
        let decomposed = String(page).decomposedStringWithCanonicalMapping.unicodeScalars
        return decomposed.split(separator: "\n", maxSplits: scalars.count, omittingEmptySubsequences: false).map(
            Array.init)
    }

    private static func fold(_ scalars: [Unicode.Scalar]) -> [Unicode.Scalar] {
        var result: [Unicode.Scalar] = []
        for scalar in scalars where isKept(scalar) {
            guard scalar.properties.changesWhenLowercased else {
                result.append(scalar == "\u{3C2}" ? "\u{3C3}" : scalar)
                continue
            }
            result += scalar.properties.lowercaseMapping.unicodeScalars.filter(isKept)
        }
        return result
    }

    private static func isKept(_ scalar: Unicode.Scalar) -> Bool { FoldTable.combiningClass(scalar) < 10 }
}

/// `FoldEntry` holds what one scalar becomes: its bytes, packed so that a look-up touches one place in memory.
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

    /// Packs what a scalar folds to, with the combining classes of its first and last scalar.
    ///
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

/// `WidthForms` knows the plain forms of U+FF01…FFEE, after the `<wide>` and `<narrow>` mappings of UnicodeData.txt.
private enum WidthForms {
    static func plain(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
        guard let value = plainValue(scalar.value) else { return scalar }
        return Unicode.Scalar(value) ?? scalar
    }

    private static func plainValue(_ value: UInt32) -> UInt32? {
        switch value {
        case 0xFF01...0xFF5E: value - 0xFEE0
        case 0xFF5F...0xFF60: value - 0xFF5F + 0x2985
        case 0xFF61...0xFF9F: UInt32(kana[Int(value - 0xFF61)])
        case 0xFFA0: 0x3164
        case 0xFFA1...0xFFBE: value - 0xFFA1 + 0x3131
        case 0xFFC2...0xFFC7: value - 0xFFC2 + 0x314F
        case 0xFFCA...0xFFCF: value - 0xFFCA + 0x3155
        case 0xFFD2...0xFFD7: value - 0xFFD2 + 0x315B
        case 0xFFDA...0xFFDC: value - 0xFFDA + 0x3161
        case 0xFFE0...0xFFE6: UInt32(signs[Int(value - 0xFFE0)])
        case 0xFFE8...0xFFEE: UInt32(shapes[Int(value - 0xFFE8)])
        default: nil
        }
    }

    /// U+FF61…FF9F. The last two are the voicing marks, as combining marks.
    private static let kana: [UInt16] = [
        0x3002, 0x300C, 0x300D, 0x3001, 0x30FB, 0x30F2, 0x30A1, 0x30A3, 0x30A5, 0x30A7, 0x30A9, 0x30E3, 0x30E5, 0x30E7,
        0x30C3, 0x30FC,
        0x30A2, 0x30A4, 0x30A6, 0x30A8, 0x30AA, 0x30AB, 0x30AD, 0x30AF, 0x30B1, 0x30B3, 0x30B5, 0x30B7, 0x30B9, 0x30BB,
        0x30BD, 0x30BF,
        0x30C1, 0x30C4, 0x30C6, 0x30C8, 0x30CA, 0x30CB, 0x30CC, 0x30CD, 0x30CE, 0x30CF, 0x30D2, 0x30D5, 0x30D8, 0x30DB,
        0x30DE, 0x30DF,
        0x30E0, 0x30E1, 0x30E2, 0x30E4, 0x30E6, 0x30E8, 0x30E9, 0x30EA, 0x30EB, 0x30EC, 0x30ED, 0x30EF, 0x30F3, 0x3099,
        0x309A,
    ]
    /// U+FFE0…FFE6: cent, pound, not, macron, broken bar, yen, won.
    private static let signs: [UInt16] = [0xA2, 0xA3, 0xAC, 0xAF, 0xA6, 0xA5, 0x20A9]
    /// U+FFE8…FFEE: a line, four arrows, square, circle.
    private static let shapes: [UInt16] = [0x2502, 0x2190, 0x2191, 0x2192, 0x2193, 0x25A0, 0x25CB]
}
