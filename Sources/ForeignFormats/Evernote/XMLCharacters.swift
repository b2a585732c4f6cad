// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// `XMLCharacters` makes the bytes of a file that comes in pieces fit to be read as XML or HTML: a parser would give up
/// at the first one that is not.
///
/// Control characters become U+007F, which takes the place of none of them in a name or in Base64 and is dropped from
/// texts. What is not UTF-8, and the two characters that XML excludes, become U+FFFD.
struct XMLCharacters {
    /// The beginning of a character whose other bytes are in the next piece.
    private var begun: [UInt8] = []

    /// Returns what can be read of a piece, in the characters that a parser takes.
    ///
    /// - Parameter piece: empty at the end of the file.
    mutating func clean(_ piece: [UInt8]) -> [UInt8] {
        var bytes = begun + piece
        begun = []
        if !piece.isEmpty, let start = Self.unfinished(bytes) {
            begun = Array(bytes[start...])
            bytes.removeSubrange(start...)
        }
        return Self.clean(bytes)
    }

    static func clean(_ bytes: [UInt8]) -> [UInt8] {
        var bytes = bytes
        var isASCII = true
        for at in bytes.indices {
            let byte = bytes[at]
            if byte >= 0x80 { isASCII = false }
            if byte < 0x20, byte != 9, byte != 10, byte != 13 { bytes[at] = 0x7F }
        }
        if isASCII { return bytes }
        let excluded: [Unicode.Scalar] = ["\u{FFFE}", "\u{FFFF}"]
        var text = String(decoding: bytes, as: UTF8.self)
        if text.unicodeScalars.contains(where: excluded.contains) {
            var scalars = String.UnicodeScalarView()
            scalars.append(contentsOf: text.unicodeScalars.lazy.map { excluded.contains($0) ? "\u{FFFD}" : $0 })
            text = String(scalars)
        }
        return Array(text.utf8)
    }

    /// Finds where a character begins that lacks some of its bytes.
    private static func unfinished(_ bytes: [UInt8]) -> Int? {
        for count in 1...3 where count <= bytes.count {
            let byte = bytes[bytes.count - count]
            guard byte & 0xC0 != 0x80 else { continue }
            let wanted = byte >= 0xF0 ? 4 : byte >= 0xE0 ? 3 : byte >= 0xC0 ? 2 : 1
            return wanted > count ? bytes.count - count : nil
        }
        return nil
    }
}
