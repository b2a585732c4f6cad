// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

extension PDFWriter {
    /// One of the fonts that every reader of PDF brings along; none is embedded.
    mutating func standardFont(_ name: String) -> Int {
        object("<< /Type /Font /Subtype /Type1 /BaseFont /\(name) /Encoding /WinAnsiEncoding >>")
    }

    /// The key's letters as a font of drawings (Type 3), so that the text can be found and copied.
    mutating func keyFont() -> Int {
        let drawings = KeyLetters.all.map { letter in
            let box = KeyLetters.box.map { "\($0)" }.joined(separator: " ")
            return stream {
                $0.raw("\(Self.advance(letter.code)) 0 \(box) d1 \(KeyLetters.pen) w 1 J 1 j \(letter.path) S")
            }
        }
        let meaning = stream { $0.raw(Self.meaning) }
        let procedures = zip(KeyLetters.all, drawings).map { "/\($0.name) \($1) 0 R" }.joined(separator: " ")
        let names = KeyLetters.all.map { "\($0.code) /\($0.name)" }.joined(separator: " ")
        let (first, last) = (KeyLetters.all.map(\.code).min() ?? 0, KeyLetters.all.map(\.code).max() ?? 0)
        let widths = (first...last).map { "\(Self.advance($0))" }.joined(separator: " ")
        return object(
            """
            << /Type /Font /Subtype /Type3 /FontMatrix [0.001 0 0 0.001 0 0] /FontBBox [\(KeyLetters.box.map { "\($0)" }.joined(separator: " "))]
            /Resources << >> /FirstChar \(first) /LastChar \(last) /Widths [\(widths)]
            /Encoding << /Type /Encoding /Differences [\(names)] >>
            /CharProcs << \(procedures) >> /ToUnicode \(meaning) 0 R >>
            """)
    }

    private static func advance(_ code: UInt8) -> Int {
        code == UInt8(ascii: "-") ? KeyLetters.hyphenAdvance : KeyLetters.advance
    }

    /// Each code is the letter that it is in ASCII: for readers that do not go by the letters' names.
    private static let meaning = """
        /CIDInit /ProcSet findresource begin 12 dict begin begincmap
        /CIDSystemInfo << /Registry (Adobe) /Ordering (UCS) /Supplement 0 >> def
        /CMapName /RecoveryKey def /CMapType 2 def
        1 begincodespacerange <00> <FF> endcodespacerange
        3 beginbfrange <2D> <2D> <002D> <32> <37> <0032> <61> <7A> <0061> endbfrange
        endcmap CMapName currentdict /CMap defineresource pop end end
        """
}
