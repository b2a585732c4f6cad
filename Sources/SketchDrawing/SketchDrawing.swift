// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import CCairo
internal import Glibc
public import SketchFormat

/// `SketchDrawing` draws sketches: files of other formats, and pixels. All of it in memory; no file is opened and no
/// thread made.
public enum SketchDrawing {
    public enum Format: String, Sendable, CaseIterable {
        /// One page of real lines; no picture within.
        case pdf
        /// As clear as the sketch.
        case png
        /// On white.
        case jpeg
    }

    /// Returns a sketch as a file of another format.
    ///
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

extension SketchDrawing {
    /// Makes everything ready that needs a file, so that a process which then gives up opening files can still draw. To
    /// be called once, at the start, before there are threads.
    ///
    /// cairo asks for the local time while it writes a PDF, and the C library then reads the time zone, unless it is
    /// named in the environment and has been looked up before. On some processors libjpeg-turbo reads what they can do
    /// at its first picture. So the zone is fixed, and a sketch of one dot is drawn in every form.
    ///
    /// - Returns: false if something could not be drawn.
    public static func prepare() -> Bool {
        unsafe setenv("TZ", "UTC0", 1)
        tzset()
        do {
            let dot = try Stroke(
                colour: Colour(red: 0, green: 0, blue: 0, alpha: 128), width: 100, points: [Point(x: 100, y: 100)])
            let sketch = try Sketch(width: 2, height: 2, strokes: [dot])
            for format in Format.allCases { _ = try draw(sketch, as: format) }
            _ = try draw(sketch, pixels: 2)
            return true
        } catch {
            return false
        }
    }
}

/// `SketchDrawingError` says why a sketch was not drawn.
public struct SketchDrawingError: Error, Sendable, Equatable {
    public struct Code: Hashable, Sendable {
        let raw: Int
        /// More pixels than `SketchSize.pixelCountMax`, or a file larger than its cap.
        public static let tooLarge = Code(raw: 1)
        /// A library could not do it: as a rule, memory was refused.
        public static let libraryFailure = Code(raw: 2)
    }

    /// Compare this.
    public let code: Code

    public init(_ code: Code) { self.code = code }
}
