// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

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
