// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// `PDFWriter` writes the objects of a PDF file one after the other, and the table of their places behind them. All of
/// it is ASCII and nothing is compressed.
///
/// There is one buffer, reserved for the largest page, so that no copy of a secret is left behind when it grows; the
/// owner wipes it.
struct PDFWriter {
    /// The code of 128 characters has 53 modules on a side, of which half may be dark with a border of their own: 4
    /// corners of 8 bytes for each.
    private static let byteCountReserved = 128 << 10

    private(set) var bytes: [UInt8] = []
    /// Where object 1, 2, … begins.
    private var offsets: [Int] = []

    /// What the next object will be called.
    var nextNumber: Int { offsets.count + 1 }

    init() {
        bytes.reserveCapacity(Self.byteCountReserved)
        raw("%PDF-1.4\n")
    }

    mutating func raw(_ text: String) { bytes.append(contentsOf: text.utf8) }

    /// Writes a number that is not negative. No text is made of it on the way: it would hold parts of the drawing.
    mutating func integer(_ value: Int) {
        var divisor = 1
        while value / divisor >= 10 { divisor *= 10 }
        while divisor > 0 {
            bytes.append(UInt8(ascii: "0") + UInt8(value / divisor % 10))
            divisor /= 10
        }
    }

    /// Writes a number with at most three decimals and a space behind it.
    mutating func number(_ value: Double) {
        let thousandths = Int((value * 1000).rounded())
        if thousandths < 0 { bytes.append(UInt8(ascii: "-")) }
        integer(Int(thousandths.magnitude / 1000))
        var (rest, digit) = (Int(thousandths.magnitude % 1000), 100)
        if rest > 0 { bytes.append(UInt8(ascii: ".")) }
        while rest > 0 {
            bytes.append(UInt8(ascii: "0") + UInt8(rest / digit))
            (rest, digit) = (rest % digit, digit / 10)
        }
        bytes.append(UInt8(ascii: " "))
    }

    /// Writes a string's content: brackets and backslashes escaped, what is not ASCII in octal.
    mutating func string(_ content: some Sequence<UInt8>) {
        bytes.append(UInt8(ascii: "("))
        for byte in content {
            switch byte {
            case UInt8(ascii: "("), UInt8(ascii: ")"), UInt8(ascii: "\\"):
                bytes.append(UInt8(ascii: "\\"))
                bytes.append(byte)
            case 0x20...0x7E: bytes.append(byte)
            default:
                bytes.append(UInt8(ascii: "\\"))
                for shift: UInt8 in [6, 3, 0] { bytes.append(UInt8(ascii: "0") + (byte >> shift & 7)) }
            }
        }
        bytes.append(UInt8(ascii: ")"))
    }

    /// Writes an object, and returns its number: the first is 1, the next 2.
    @discardableResult
    mutating func object(_ body: String) -> Int {
        begin()
        raw(body + "\nendobj\n")
        return offsets.count
    }

    /// Writes a stream, and returns its number. The next number is that of the object with the stream's length, which
    /// is known only after the content is written.
    @discardableResult
    mutating func stream(_ content: (inout PDFWriter) -> Void) -> Int {
        begin()
        let number = offsets.count
        raw("<< /Length \(number + 1) 0 R >>\nstream\n")
        let start = bytes.count
        content(&self)
        let byteCount = bytes.count - start
        raw("\nendstream\nendobj\n")
        object("\(byteCount)")
        return number
    }

    /// Writes the table of places and the end of the file. There is no identifier and no time in it.
    mutating func finish(catalog: Int, information: Int) {
        let start = bytes.count
        raw("xref\n0 \(offsets.count + 1)\n0000000000 65535 f \n")
        for offset in offsets {
            let digits = String(offset)
            raw(String(repeating: "0", count: 10 - digits.utf8.count) + digits + " 00000 n \n")
        }
        raw(
            "trailer\n<< /Size \(offsets.count + 1) /Root \(catalog) 0 R /Info \(information) 0 R >>\nstartxref\n\(start)\n%%EOF\n"
        )
    }

    private mutating func begin() {
        offsets.append(bytes.count)
        raw("\(offsets.count) 0 obj\n")
    }

    consuming func finished() -> [UInt8] { bytes }
}

extension PDFWriter {
    /// A `Font` is what a page's text is set in: its values name the resources.
    enum Font: String {
        case plain = "F1"
        case bold = "F2"
        case fixed = "F3"
        case key = "F4"
    }

    /// Writes a line of text. Places are in points from the lower left corner of the page.
    mutating func text(_ bytes: some Sequence<UInt8>, _ font: Font = .plain, size: Double, x: Double, y: Double) {
        raw("BT /\(font.rawValue) ")
        number(size)
        raw("Tf ")
        number(x)
        number(y)
        raw("Td ")
        string(bytes)
        raw(" Tj ET\n")
    }

    mutating func text(_ text: String, _ font: Font = .plain, size: Double, x: Double, y: Double) {
        self.text(text.utf8, font, size: size, x: x, y: y)
    }

    /// Draws a horizontal line.
    mutating func rule(fromX left: Double, toX right: Double, y: Double, width: Double = 0.6) {
        number(width)
        raw("w ")
        number(left)
        number(y)
        raw("m ")
        number(right)
        number(y)
        raw("l S\n")
    }

    mutating func frame(x: Double, y: Double, width: Double, height: Double, line: Double) {
        number(line)
        raw("w ")
        for value in [x, y, width, height] { number(value) }
        raw("re S\n")
    }

    /// Draws a QR code, dark on what is there.
    ///
    /// - Parameters:
    ///   - x: its left edge, without the quiet zone.
    ///   - y: its top edge.
    ///   - width: of the code without the quiet zone, in points.
    mutating func code(_ modules: QRModules, x: Double, top y: Double, width: Double) {
        let module = width / Double(modules.side)
        raw("q ")
        for value in [module, 0, 0, -module, x, y] { number(value) }
        raw("cm\n")
        ModuleOutline.trace(modules) { x, y, isStart in
            integer(x)
            raw(" ")
            integer(y)
            raw(isStart ? " m\n" : " l\n")
        }
        raw("f* Q\n")
    }
}

extension PDFWriter {
    /// Adds one of the fonts that every reader of PDF brings along; none is embedded.
    mutating func standardFont(_ name: String) -> Int {
        object("<< /Type /Font /Subtype /Type1 /BaseFont /\(name) /Encoding /WinAnsiEncoding >>")
    }

    /// Adds the key's letters as a font of drawings (Type 3), so that the text can be found and copied.
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

    /// The map from codes to letters: each code is the letter that it is in ASCII. It is for readers that do not go by
    /// the letters' names.
    private static let meaning = """
        /CIDInit /ProcSet findresource begin 12 dict begin begincmap
        /CIDSystemInfo << /Registry (Adobe) /Ordering (UCS) /Supplement 0 >> def
        /CMapName /RecoveryKey def /CMapType 2 def
        1 begincodespacerange <00> <FF> endcodespacerange
        3 beginbfrange <2D> <2D> <002D> <32> <37> <0032> <61> <7A> <0061> endbfrange
        endcmap CMapName currentdict /CMap defineresource pop end end
        """
}
