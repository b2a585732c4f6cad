// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// `MasterWriter` writes the parts of a sketch's file, each in its one form. Spec: docs/sketch-format.md §3.
struct MasterWriter {
    private(set) var bytes: [UInt8] = []

    mutating func text(_ text: String) { bytes.append(contentsOf: text.utf8) }

    /// Writes a number in decimal, without leading zeros.
    ///
    /// - Parameter value: not negative.
    mutating func integer(_ value: Int) {
        var unit = 1
        while value / unit >= 10 { unit *= 10 }
        while unit > 0 {
            bytes.append(UInt8(ascii: "0") + UInt8(value / unit % 10))
            unit /= 10
        }
    }

    /// Writes a number of hundredths as a decimal fraction without needless zeros.
    mutating func hundredths(_ value: Int32) {
        if value < 0 { bytes.append(UInt8(ascii: "-")) }
        decimal(Int(value.magnitude), digits: 2)
    }

    /// Writes a number of hundredths or thousandths as a decimal fraction, without zeros at its end.
    ///
    /// - Parameter value: not negative.
    mutating func decimal(_ value: Int, digits: Int) {
        var unit = digits == 2 ? 100 : 1000
        integer(value / unit)
        var rest = value % unit
        if rest > 0 { bytes.append(UInt8(ascii: ".")) }
        while rest > 0 {
            unit /= 10
            bytes.append(UInt8(ascii: "0") + UInt8(rest / unit))
            rest %= unit
        }
    }

    /// Writes six hexadecimal digits; the opacity stands elsewhere.
    mutating func hexadecimal(_ colour: Colour) {
        let digits = Array("0123456789abcdef".utf8)
        for value in [colour.red, colour.green, colour.blue] {
            bytes.append(digits[Int(value >> 4)])
            bytes.append(digits[Int(value & 15)])
        }
    }

    mutating func pair(_ point: Point) {
        hundredths(point.x)
        bytes.append(UInt8(ascii: " "))
        hundredths(point.y)
    }

    /// Writes numbers with one space between them.
    mutating func list(_ values: some Sequence<Int>) {
        var isFirst = true
        for value in values {
            if !isFirst { bytes.append(UInt8(ascii: " ")) }
            isFirst = false
            integer(value)
        }
    }
}

/// `MasterText` holds the fixed texts of a sketch's file, in the order in which they stand. Spec: docs/sketch-format.md
/// §3.
enum MasterText {
    static let root = "<svg xmlns=\"http://www.w3.org/2000/svg\" data-vault-sketch=\"1\" width=\""
    static let height = "\" height=\""
    static let viewBox = "\" viewBox=\"0 0 "
    static let rootEnd = "\" fill=\"none\" stroke-linecap=\"round\" stroke-linejoin=\"round\">\n"

    static let background = "<rect width=\""
    static let fill = "\" fill=\"#"
    static let fillOpacity = "\" fill-opacity=\""

    static let stroke = "<g data-tool=\""
    static let pen = "pen"
    static let marker = "marker"
    static let width = "\" data-width=\""
    static let pressure = "\" data-pressure=\""
    static let time = "\" data-time=\""
    static let colour = "\" stroke=\"#"
    static let opacity = "\" opacity=\""
    static let strokeStart = "\">\n"

    static let piece = "<path stroke-width=\""
    static let path = "\" d=\"M"
    static let dot = "h0"
    static let emptyEnd = "\"/>\n"
    static let strokeEnd = "</g>\n"
    static let end = "</svg>\n"
}
