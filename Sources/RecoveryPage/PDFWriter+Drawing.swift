// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

extension PDFWriter {
    /// What a page's text is set in: names of its resources.
    enum Font: String {
        case plain = "F1"
        case bold = "F2"
        case fixed = "F3"
        case key = "F4"
    }

    /// A line of text. Places are in points from the lower left corner of the page.
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

    /// A horizontal line.
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

    /// A QR code, dark on what is there.
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
