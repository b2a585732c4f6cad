// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import ParserProtocol

/// `PageLayout` tells where everything stands on the page, in points from its lower left corner. `y` is what is still
/// free, from the top down.
enum PageLayout {
    private static let (left, right) = (56.7, 538.6)
    private static let valueColumn = 140.0
    private static let textColumn = 178.0
    private static let nameWidth = 58
    private static let nameLineCount = 3

    static func draw(_ record: RecoveryPageRecord, _ modules: QRModules, on page: inout PDFWriter) {
        var y = 775.0
        page.text("Recovery key", .bold, size: 28, x: left, y: y)
        y -= 14
        page.rule(fromX: left, toX: right, y: y, width: 1.4)
        y -= 25
        facts(record, on: &page, &y)
        y -= 14
        page.text("Opens the vault without its password.", .bold, size: 13, x: left, y: y)
        y -= 18
        page.text(
            "Anyone who has this page and the files can read everything. Keep the two apart.", size: 11, x: left, y: y)
        y -= 16
        keyBox(record.key, modules, on: &page, &y)
        reading(on: &page, &y)
        uses(on: &page, &y)
        signature(on: &page)
    }

    private static func facts(_ record: RecoveryPageRecord, on page: inout PDFWriter, _ y: inout Double) {
        let identity = record.vaultID.enumerated().map { index, byte in
            (index > 0 && index % 2 == 0 ? " " : "") + (byte < 16 ? "0" : "") + String(byte, radix: 16)
        }
        let name = LatinText(record.name).lines(width: nameWidth, count: nameLineCount)
        let rows = [
            ("Vault", name), ("Vault ID", [Array(identity.joined().utf8)]), ("Printed on", [Array(record.date.utf8)]),
        ]
        for (label, lines) in rows {
            page.text(label, size: 11, x: left, y: y)
            for line in lines {
                page.text(line, .fixed, size: 11, x: valueColumn, y: y)
                y -= 16
            }
        }
    }

    /// Draws three groups in a row, so that an eye that leaves the page finds its place again. A longer key has smaller
    /// letters.
    private static func keyBox(
        _ key: ArraySlice<UInt8>, _ modules: QRModules, on page: inout PDFWriter, _ y: inout Double
    ) {
        let height = RecoveryPage.codeWidth + 2 * RecoveryPage.quietZone
        page.frame(x: left, y: y - height, width: right - left, height: height, line: 0.8)
        let codeLeft = right - RecoveryPage.quietZone - RecoveryPage.codeWidth
        page.code(modules, x: codeLeft, top: y - RecoveryPage.quietZone, width: RecoveryPage.codeWidth)
        let rowByteCount = 15
        let rowCount = (key.count + rowByteCount) / rowByteCount
        let pitch = min(46, (height - 24) / Double(rowCount))
        let size = min(29, pitch * 0.8)
        // From the middle of the box; a letter's middle is a quarter of its size above its line.
        var line = y - height / 2 + pitch * Double(rowCount - 1) / 2 - size / 4
        for start in stride(from: key.startIndex, to: key.endIndex, by: rowByteCount) {
            // Without the hyphen at the end of a row.
            page.text(key[start..<min(start + rowByteCount - 1, key.endIndex)], .key, size: size, x: left + 16, y: line)
            line -= pitch
        }
        y -= height + 19
    }

    private static func reading(on page: inout PDFWriter, _ y: inout Double) {
        for line in [
            "Only the letters a to z and the digits 2 to 7 occur. There is no 0, 1, 8 or 9: what looks like one is a letter.",
            "Capitals, spaces and hyphens make no difference. The last four characters check the others, so slips are noticed.",
        ] {
            page.text(line, size: 9.5, x: left, y: y)
            y -= 14
        }
        y -= 18
    }

    private static func uses(on page: inout PDFWriter, _ y: inout Double) {
        let rows = [
            ("To use it", "use", ["Type the key, row after row, or scan the code: it holds the same text."]),
            (
                "To check it", "test",
                ["Proves that this page opens the vault, and changes nothing.", "Once a year is a good habit."]
            ),
            (
                "To make it invalid", "new",
                [
                    "Makes another key in place of this one.",
                    "Older copies of the files, backups too, still open with this page: destroy it then.",
                ]
            ),
        ]
        for (label, command, lines) in rows {
            page.text(label, .bold, size: 11, x: left, y: y)
            page.text("vault recovery \(command)", .fixed, size: 11, x: textColumn, y: y)
            for line in lines {
                y -= 15
                page.text(line, size: 10, x: textColumn, y: y)
            }
            y -= 24
        }
    }

    private static func signature(on page: inout PDFWriter) {
        let middle = (left + right) / 2
        for (label, from, to) in [("Place and date", left, middle - 12), ("Signature", middle + 12, right)] {
            page.rule(fromX: from, toX: to, y: 96)
            page.text(label, size: 9.5, x: from, y: 83)
        }
    }
}
