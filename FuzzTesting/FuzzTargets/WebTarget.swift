// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import MarkdownHTML
internal import ParserProtocol
internal import SketchFormat
internal import WebProtocol
internal import WebServer

/// What a browser sends, what a note is made into for it, and what `vault` and its server say to each other.
extension FuzzTarget {
    static let web = FuzzTarget(
        "web",
        choice([
            { bytes in (FormFields(parsing: bytes)?.values.count ?? 0) <= FormFields.countMax },
            { bytes in
                guard let sketch = SketchLines.sketch(bytes), let svg = try? sketch.svg else { return true }
                return (try? Sketch(parsingSVG: svg)) == sketch
            },
            { bytes in
                let range = RangeField(String(decoding: bytes, as: UTF8.self), of: 1000)
                return range.map { $0.first <= $0.last && $0.last < 1000 && $0.count == $0.last - $0.first + 1 } ?? true
            },
            { bytes in MarkdownNodes.json(String(decoding: bytes, as: UTF8.self)).map(isBalanced) ?? false },
            { bytes in
                let text = String(decoding: bytes.dropFirst(), as: UTF8.self)
                guard let question = ReadingQuestion(columns: 10 + Int(bytes.first ?? 0), text: text) else { return true }
                guard let rows = MarkdownRows.rows(question) else { return false }
                return (try? ReadingRow.parse(ReadingRow.encoded(rows))) == rows
            },
            { bytes in
                (try? ReadingRow.parse(bytes)).map { (try? ReadingRow.parse(ReadingRow.encoded($0))) == $0 } ?? true
            },
            { identity({ try WebStart(parsing: $0) }, \.encoded, $0) },
            { identity({ try WebAnswer(parsing: $0) }, \.encoded, $0) },
        ]))

    /// Whether brackets of JSON are closed in their order, outside of strings, and no deeper than a page builds.
    private static func isBalanced(_ json: [UInt8]) -> Bool {
        var open: [UInt8] = []
        var (isText, isEscaped) = (false, false)
        for byte in json {
            if isText {
                if byte < 0x20 { return false }
                if isEscaped {
                    isEscaped = false
                } else if byte == 0x5C {
                    isEscaped = true
                } else {
                    isText = byte != 0x22
                }
            } else if byte == 0x22 {
                isText = true
            } else if byte == 0x5B || byte == 0x7B {
                open.append(byte)
                if open.count > 140 { return false }
            } else if byte == 0x5D || byte == 0x7D {
                guard open.popLast() == byte - 2 else { return false }
            }
        }
        return open.isEmpty && !isText
    }
}
