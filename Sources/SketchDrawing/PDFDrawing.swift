// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import CCairo
internal import SketchFormat

/// `PDFDrawing` writes a sketch as one page of PDF: its lines as paths, with the width of each piece.
enum PDFDrawing {
    /// Points (1/72 inch) for each unit (1/96 inch).
    private static let pointsPerUnit = 0.75
    /// Largest side of a page that PDF readers agree on, in points.
    private static let sideMax = 14_400.0

    static func draw(_ sketch: Sketch) throws(SketchDrawingError) -> [UInt8] {
        let scale = min(pointsPerUnit, sideMax / Double(max(sketch.width, sketch.height)))
        let sink = ByteSink()
        let status = try write(sketch, scale: scale, to: sink)
        guard status == CAIRO_STATUS_SUCCESS, !sink.isFull else {
            throw SketchDrawingError(sink.isFull ? .tooLarge : .libraryFailure)
        }
        return withoutProvenance(sink.bytes)
    }

    private static func write(_ sketch: Sketch, scale: Double, to sink: ByteSink) throws(SketchDrawingError)
        -> cairo_status_t
    {
        let (width, height) = (Double(sketch.width) * scale, Double(sketch.height) * scale)
        let surface = unsafe cairo_pdf_surface_create_for_stream(ByteSink.write, sink.pointer, width, height)
        let canvas = unsafe try CairoCanvas(owning: surface)
        // The oldest version that has transparency: its objects lie open, so that the record of the maker can be taken
        // out.
        unsafe cairo_pdf_surface_restrict_to_version(canvas.surface, CAIRO_PDF_VERSION_1_4)
        try canvas.draw(sketch, scale: scale, scale)
        unsafe cairo_surface_finish(canvas.surface)
        return unsafe cairo_surface_status(canvas.surface)
    }

    /// Overwrites with spaces what says when and with which version the document was made, which keeps every offset as
    /// it was: cairo always writes that, with no setting to leave it out.
    private static func withoutProvenance(_ bytes: [UInt8]) -> [UInt8] {
        var bytes = bytes
        for key in ["/Producer (", "/CreationDate (", "/ModDate ("] {
            guard let start = lastPlace(of: Array(key.utf8), in: bytes) else { continue }
            var end = start + key.utf8.count
            var depth = 1
            while end < bytes.count, depth > 0 {
                if bytes[end] == UInt8(ascii: "(") { depth += 1 }
                if bytes[end] == UInt8(ascii: ")") { depth -= 1 }
                end += 1
            }
            for index in start..<end { bytes[index] = UInt8(ascii: " ") }
        }
        return bytes
    }

    /// Searches from the end, where cairo writes it; the document's own streams are compressed.
    private static func lastPlace(of key: [UInt8], in bytes: [UInt8]) -> Int? {
        guard bytes.count >= key.count else { return nil }
        return (max(0, bytes.count - 8192)...bytes.count - key.count).reversed().first {
            bytes[$0...].starts(with: key)
        }
    }
}
