// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentClient
internal import AgentProtocol
internal import Glibc
internal import Presentation
package import SketchFormat
internal import VaultFormat

/// `SketchUpload` attaches a drawing of the page's canvas. The page sends points, the server writes the sketch's one
/// form (docs/sketch-format.md).
struct SketchUpload {
    private let site: Site
    private let note: String
    private let name: String
    private let svg: [UInt8]

    init(_ site: Site, _ exchange: Exchange) throws(ClientFailure) {
        guard let sketch = SketchLines.sketch(exchange.body), let svg = try? sketch.svg else {
            throw .usage("this drawing cannot be kept", hint: "")
        }
        (self.site, note, self.svg) = (site, exchange.parameters[0], svg)
        guard svg.count <= Sketch.byteCountMax else {
            throw .usage("the drawing is too large", hint: "keep it, and go on in a new one")
        }
        let given = try exchange.fileName()
        name = given.hasSuffix(".svg") ? given : given + ".svg"
    }

    func run() throws(ClientFailure) -> Answer {
        let line = try site.agents.new()
        let request = PutAttachment(ref: note, file: AddedFile(name: name, kind: .sketch, mediaType: "image/svg+xml"))
        var pipe = try Pipe()
        try line.connection.send(request, Enclosure(descriptor: pipe.readingEnd))
        pipe.closeReading()
        _ = PipeWriting.write(svg, to: pipe.writingEnd)
        pipe.closeWriting()
        let (outcome, _) = try line.connection.answer(to: request)
        guard outcome.code == .ok else { return .failure(outcome) }
        return try line.asked(CommitAttachments(ref: note), Enclosure())
    }
}

/// `SketchLines` reads a drawing as the page sends it: lines of whole numbers.
///
/// `WIDTH HEIGHT [rrggbb]`, then for each stroke `p|m rrggbb ALPHA WIDTH X Y PRESSURE X Y PRESSURE …`, places and widths
/// in hundredths of a unit.
package enum SketchLines {
    /// Returns the sketch; nil for what is malformed or beyond a sketch's limits.
    package static func sketch(_ bytes: [UInt8]) -> Sketch? {
        let lines = bytes.split(separator: 0x0A, maxSplits: Sketch.strokeCountMax + 1)
        guard let first = lines.first?.split(separator: 0x20), (2...3).contains(first.count),
            let width = number(first[0]), let height = number(first[1])
        else { return nil }
        var background: Colour?
        if first.count == 3 {
            guard let colour = colour(first[2], alpha: 255) else { return nil }
            background = colour
        }
        var strokes: [Stroke] = []
        for line in lines.dropFirst() {
            guard let stroke = stroke(line) else { return nil }
            strokes.append(stroke)
        }
        return try? Sketch(width: width, height: height, background: background, strokes: strokes)
    }

    private static func stroke(_ line: ArraySlice<UInt8>) -> Stroke? {
        let words = line.split(separator: 0x20)
        guard words.count >= 7, (words.count - 4) % 3 == 0, let tool = tools[String(decoding: words[0], as: UTF8.self)],
            let alpha = number(words[2]).flatMap({ UInt8(exactly: $0) }), let colour = colour(words[1], alpha: alpha),
            let width = number(words[3]).flatMap({ Int32(exactly: $0) })
        else { return nil }
        var points: [Point] = []
        points.reserveCapacity((words.count - 4) / 3)
        for start in stride(from: 4, to: words.count, by: 3) {
            guard let x = number(words[start]).flatMap({ Int32(exactly: $0) }),
                let y = number(words[start + 1]).flatMap({ Int32(exactly: $0) }),
                let pressure = number(words[start + 2]).flatMap({ UInt8(exactly: $0) })
            else { return nil }
            points.append(Point(x: x, y: y, pressure: pressure))
        }
        return try? Stroke(tool: tool, colour: colour, width: width, points: points)
    }

    private static let tools: [String: Stroke.Tool] = ["p": .pen, "m": .marker]

    private static func number(_ word: ArraySlice<UInt8>) -> Int? {
        // `Int` takes a plus sign too.
        guard word.count <= 9, word.first != UInt8(ascii: "+") else { return nil }
        return Int(String(decoding: word, as: UTF8.self))
    }

    private static func colour(_ word: ArraySlice<UInt8>, alpha: UInt8) -> Colour? {
        guard word.count == 6, word.first != UInt8(ascii: "+"),
            let value = UInt32(String(decoding: word, as: UTF8.self), radix: 16)
        else { return nil }
        return Colour(
            red: UInt8(truncatingIfNeeded: value >> 16), green: UInt8(truncatingIfNeeded: value >> 8),
            blue: UInt8(truncatingIfNeeded: value), alpha: alpha)
    }
}
