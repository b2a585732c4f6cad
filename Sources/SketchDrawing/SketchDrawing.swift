// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import CCairo
public import SketchFormat

/// Draws sketches: files of other formats, and pixels. All of it in memory; no file is opened and no thread made.
public enum SketchDrawing {
    public enum Format: String, Sendable, CaseIterable {
        /// One page of real lines; no picture within.
        case pdf
        /// As clear as the sketch.
        case png
        /// On white.
        case jpeg
    }

    /// - Parameter width: in pixels; nil for one pixel for each unit. It means nothing for PDF.
    /// - Throws: `SketchDrawingError`: `tooLarge`, before memory is taken; `libraryFailure`.
    public static func draw(_ sketch: Sketch, as format: Format, width: Int? = nil) throws(SketchDrawingError)
        -> [UInt8]
    {
        switch format {
        case .pdf: return try PDFDrawing.draw(sketch)
        case .png: return try png(try surface(sketch, size: SketchSize(of: sketch, width: width)))
        case .jpeg:
            let size = try SketchSize(of: sketch, width: width)
            return try JPEGEncoder.encode(try surface(sketch, size: size, on: .white), size)
        }
    }

    /// Draws it into a square box, never larger than it is.
    ///
    /// - Parameter box: the box's side in pixels.
    /// - Throws: `SketchDrawingError`: `libraryFailure`.
    public static func draw(_ sketch: Sketch, pixels box: Int) throws(SketchDrawingError) -> SketchPixels {
        let size = SketchSize(of: sketch, box: box)
        return try SketchPixels(of: try surface(sketch, size: size), size)
    }

    private static func surface(_ sketch: Sketch, size: SketchSize, on ground: Colour? = nil) throws(SketchDrawingError)
        -> CairoCanvas
    {
        let canvas = unsafe try CairoCanvas(
            owning: cairo_image_surface_create(CAIRO_FORMAT_ARGB32, Int32(size.width), Int32(size.height)))
        if let ground { canvas.paint(ground) }
        try canvas.draw(
            sketch, scale: Double(size.width) / Double(sketch.width), Double(size.height) / Double(sketch.height))
        return canvas
    }

    private static func png(_ canvas: consuming CairoCanvas) throws(SketchDrawingError) -> [UInt8] {
        let sink = ByteSink()
        let status = unsafe cairo_surface_write_to_png_stream(canvas.surface, ByteSink.write, sink.pointer)
        guard status == CAIRO_STATUS_SUCCESS else {
            throw SketchDrawingError(sink.isFull ? .tooLarge : .libraryFailure)
        }
        return withExtendedLifetime(sink) { sink.bytes }
    }
}
