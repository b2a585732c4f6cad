// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// `Sketch` is a drawing by hand: strokes on a canvas.
///
/// Its master form is an SVG file of a strict subset that any viewer draws and from which the same strokes are read
/// back: `svg` writes it, `init(parsingSVG:)` reads it and nothing else, `init(importingSVG:leavingOut:)` takes what it
/// can from other SVG. Spec: docs/sketch-format.md.
public struct Sketch: Sendable, Hashable {
    /// Largest file, in bytes.
    public static let byteCountMax = 16 << 20
    public static let strokeCountMax = 10_000
    /// Largest number of points of all strokes together.
    public static let pointCountMax = 1_000_000
    /// Widths and heights of a canvas, in units. A unit is 1/96 inch where paper matters.
    public static let sides: ClosedRange<Int> = 1...32_768

    public let width: Int
    public let height: Int
    /// Without it the canvas is clear.
    public let background: Colour?
    /// In the order in which they were drawn.
    public let strokes: [Stroke]

    /// Makes a sketch, and checks its canvas and how many strokes and points it has.
    ///
    /// - Throws: `SketchError`: `outOfRange` for the canvas, `tooManyStrokes`, `tooManyPoints`.
    public init(width: Int, height: Int, background: Colour? = nil, strokes: [Stroke] = []) throws(SketchError) {
        guard Self.sides.contains(width), Self.sides.contains(height), background?.alpha != 0 else {
            throw SketchError(.outOfRange)
        }
        guard strokes.count <= Self.strokeCountMax else { throw SketchError(.tooManyStrokes) }
        self.width = width
        self.height = height
        self.background = background
        self.strokes = strokes
        guard pointCount <= Self.pointCountMax else { throw SketchError(.tooManyPoints) }
    }

    /// Points of all strokes.
    public var pointCount: Int { strokes.reduce(0) { $0 + $1.points.count } }
}

extension Sketch {
    /// Takes the lines of an SVG file that another program wrote. A sketch's own master form is taken exactly.
    ///
    /// Shapes become strokes, curves become lines that differ from them by at most 0.05 units, opacities are
    /// multiplied. Everything else is left out and counted; nothing is run, fetched or followed. Spec:
    /// docs/sketch-format.md §6.
    ///
    /// - Parameter leftOut: set to what was left out, and how often.
    /// - Throws: `SketchError`: `notASketch`, `notText`, `malformed`, `declarations`, `unknownEntity`, `tooDeep`,
    ///   `tooLarge`, `tooManyAttributes`, `tooManyElements`, `tooManyStrokes`, `tooManyPoints`.
    public init(importingSVG bytes: [UInt8], leavingOut leftOut: inout [LeftOut: Int]) throws(SketchError) {
        do {
            try self.init(parsingSVG: bytes)
            leftOut = [:]
        } catch {
            (self, leftOut) = try SVGImport.run(bytes)
        }
    }
}

extension Sketch {
    /// Reads the master form, and only that: the file must be byte for byte what `svg` writes for its strokes.
    ///
    /// Because the strokes are written again and compared, a file cannot show one picture and hold another, and there
    /// is no room in it for anything else: script, style, reference, comment, entity or a second way to write a number.
    ///
    /// - Throws: `SketchError`: `notASketch`, `unexpected`, `outOfRange`, `notCanonical`, `tooLarge`, `tooManyStrokes`,
    ///   `tooManyPoints`. Spec: docs/sketch-format.md.
    public init(parsingSVG bytes: [UInt8]) throws(SketchError) {
        guard bytes.count <= Self.byteCountMax else { throw SketchError(.tooLarge) }
        var reader = MasterReader(bytes)
        let (width, height) = try Self.canvas(&reader)
        let background = try Self.background(&reader)
        var strokes: [Stroke] = []
        var pointCount = 0
        while reader.take(MasterText.stroke) {
            guard strokes.count < Self.strokeCountMax else { throw SketchError(.tooManyStrokes, offset: reader.offset) }
            strokes.append(try Self.stroke(&reader, pointsSoFar: pointCount))
            pointCount += strokes.last?.points.count ?? 0
        }
        try reader.expect(MasterText.end)
        guard reader.isAtEnd else { throw SketchError(.unexpected, offset: reader.offset) }
        try self.init(width: width, height: height, background: background, strokes: strokes)
        let written = try svg
        guard written == bytes else {
            throw SketchError(.notCanonical, offset: zip(written, bytes).enumerated().first { $1.0 != $1.1 }?.offset)
        }
    }

    private static func canvas(_ reader: inout MasterReader) throws(SketchError) -> (Int, Int) {
        try reader.expect(MasterText.root, else: .notASketch)
        let width = try reader.integer(max: sides.upperBound)
        try reader.expect(MasterText.height)
        let height = try reader.integer(max: sides.upperBound)
        try reader.expect(MasterText.viewBox)
        // The comparison of the whole says whether they are the same as those before.
        _ = try reader.integer(max: sides.upperBound)
        try reader.expect(" ")
        _ = try reader.integer(max: sides.upperBound)
        try reader.expect(MasterText.rootEnd)
        return (width, height)
    }

    private static func background(_ reader: inout MasterReader) throws(SketchError) -> Colour? {
        guard reader.take(MasterText.background) else { return nil }
        _ = try reader.integer(max: sides.upperBound)
        try reader.expect(MasterText.height)
        _ = try reader.integer(max: sides.upperBound)
        try reader.expect(MasterText.fill)
        let colour = try reader.colour(opacityAfter: MasterText.fillOpacity)
        try reader.expect(MasterText.emptyEnd)
        return colour
    }

    private static func stroke(_ reader: inout MasterReader, pointsSoFar: Int) throws(SketchError) -> Stroke {
        let start = reader.offset
        let tool: Stroke.Tool = reader.take(MasterText.marker) ? .marker : .pen
        if tool == .pen { try reader.expect(MasterText.pen) }
        try reader.expect(MasterText.width)
        let width = try reader.decimal(digits: 2, max: Int(Stroke.widths.upperBound))
        let pressures = reader.take(MasterText.pressure) ? try reader.list(max: 255) : []
        let times = reader.take(MasterText.time) ? try times(&reader) : []
        try reader.expect(MasterText.colour)
        let colour = try reader.colour(opacityAfter: MasterText.opacity)
        try reader.expect(MasterText.strokeStart)
        var points = StrokePoints(pressures: pressures, times: times, countMax: pointCountMax - pointsSoFar)
        repeat { try points.readPiece(&reader) } while !reader.take(MasterText.strokeEnd)
        guard points.areComplete else { throw SketchError(.notCanonical, offset: start) }
        do {
            return try Stroke(tool: tool, colour: colour, width: Int32(width), points: points.points)
        } catch {
            throw SketchError(error.code, offset: start)
        }
    }

    private static func times(_ reader: inout MasterReader) throws(SketchError) -> [UInt32] {
        let start = reader.offset
        var time = 0
        var times: [UInt32] = []
        for difference in try reader.list(max: Int(UInt32.max)) {
            time += difference
            guard let exact = UInt32(exactly: time) else { throw SketchError(.outOfRange, offset: start) }
            times.append(exact)
        }
        return times
    }
}

extension Sketch {
    /// The master form: the one file that holds this sketch. Spec: docs/sketch-format.md.
    ///
    /// - Throws: `SketchError`: `tooLarge` if it would be longer than 16 MiB, which 200,000 points under changing
    ///   pressure reach.
    public var svg: [UInt8] {
        get throws(SketchError) {
            var writer = MasterWriter()
            head(&writer)
            for stroke in strokes { try Self.write(stroke, &writer) }
            writer.text(MasterText.end)
            guard writer.bytes.count <= Self.byteCountMax else { throw SketchError(.tooLarge) }
            return writer.bytes
        }
    }

    private func head(_ writer: inout MasterWriter) {
        writer.text(MasterText.root)
        writer.integer(width)
        writer.text(MasterText.height)
        writer.integer(height)
        writer.text(MasterText.viewBox)
        writer.list([width, height])
        writer.text(MasterText.rootEnd)
        guard let background else { return }
        writer.text(MasterText.background)
        writer.integer(width)
        writer.text(MasterText.height)
        writer.integer(height)
        writer.text(MasterText.fill)
        writer.hexadecimal(background)
        Self.opacity(of: background, after: MasterText.fillOpacity, &writer)
        writer.text(MasterText.emptyEnd)
    }

    private static func write(_ stroke: Stroke, _ writer: inout MasterWriter) throws(SketchError) {
        writer.text(MasterText.stroke)
        writer.text(stroke.tool == .pen ? MasterText.pen : MasterText.marker)
        writer.text(MasterText.width)
        writer.hundredths(stroke.width)
        if stroke.points.contains(where: { $0.pressure != 255 }) {
            writer.text(MasterText.pressure)
            writer.list(stroke.points.lazy.map { Int($0.pressure) })
        }
        times(of: stroke, &writer)
        writer.text(MasterText.colour)
        writer.hexadecimal(stroke.colour)
        opacity(of: stroke.colour, after: MasterText.opacity, &writer)
        writer.text(MasterText.strokeStart)
        for piece in stroke.pieces {
            write(piece, of: stroke, &writer)
            guard writer.bytes.count <= byteCountMax else { throw SketchError(.tooLarge) }
        }
        writer.text(MasterText.strokeEnd)
    }

    /// Writes the first time as it is, each other one as the time since the point before it.
    private static func times(of stroke: Stroke, _ writer: inout MasterWriter) {
        guard stroke.points[0].time != nil else { return }
        writer.text(MasterText.time)
        var last = 0
        writer.list(
            stroke.points.lazy.map { Int($0.time ?? 0) }.map { time in
                defer { last = time }
                return time - last
            })
    }

    private static func write(_ piece: Stroke.Piece, of stroke: Stroke, _ writer: inout MasterWriter) {
        writer.text(MasterText.piece)
        writer.hundredths(piece.width)
        writer.text(MasterText.path)
        writer.pair(stroke.points[piece.first])
        if piece.first == piece.last { writer.text(MasterText.dot) }
        for index in piece.first + 1..<max(piece.last + 1, piece.first + 1) {
            writer.text(index == piece.first + 1 ? "L" : " ")
            writer.pair(stroke.points[index])
        }
        writer.text(MasterText.emptyEnd)
    }

    private static func opacity(of colour: Colour, after text: String, _ writer: inout MasterWriter) {
        guard colour.alpha != 255 else { return }
        writer.text(text)
        writer.decimal(colour.alphaThousandths, digits: 3)
    }
}
