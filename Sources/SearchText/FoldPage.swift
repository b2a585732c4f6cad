// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import Foundation
internal import TextReading

/// The folded forms of 256 neighbouring scalars.
final class FoldPage: Sendable {
    let entries: [FoldEntry]

    init(firstScalar: UInt32) {
        let originals = (0..<256).map { Unicode.Scalar(firstScalar + $0) ?? UTF8Decoding.replacement }
        entries = zip(originals, Self.decompositions(of: originals)).map { original, decomposed in
            let isSpace = original.properties.isWhitespace
            return FoldEntry(isSpace ? [" "] : Self.fold(decomposed), isSpace: isSpace)
        }
    }

    /// One call decomposes the whole page: a line end between two scalars keeps them apart, and costs less than 256
    /// calls.
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
