// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

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

    /// The first time as it is, each other one as the time since the point before it.
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
