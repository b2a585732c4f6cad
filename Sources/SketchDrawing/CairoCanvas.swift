// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import CCairo
internal import SketchFormat

/// `CairoCanvas` is a cairo surface and the drawing on it. No text is ever drawn, so that no font and none of their
/// settings is looked for.
@safe struct CairoCanvas: ~Copyable {
    /// Lines that are drawn at once: a long scribble's own crossings otherwise cost the square of its length.
    private static let linesAtOnceMax = 64

    let surface: OpaquePointer
    private let context: OpaquePointer

    /// Makes a canvas on a surface.
    ///
    /// - Parameter surface: owned by the canvas from here on.
    /// - Throws: `SketchDrawingError`: `libraryFailure` if the surface or its context could not be made.
    init(owning surface: OpaquePointer?) throws(SketchDrawingError) {
        guard let surface = unsafe surface else { throw SketchDrawingError(.libraryFailure) }
        guard unsafe cairo_surface_status(surface) == CAIRO_STATUS_SUCCESS, let context = unsafe cairo_create(surface)
        else {
            unsafe cairo_surface_destroy(surface)
            throw SketchDrawingError(.libraryFailure)
        }
        unsafe self.surface = surface
        unsafe self.context = context
    }

    deinit {
        unsafe cairo_destroy(context)
        unsafe cairo_surface_destroy(surface)
    }

    /// Fills all of it.
    func paint(_ colour: Colour) {
        setSource(colour, alpha: colour.alpha)
        unsafe cairo_paint(context)
    }

    /// Draws a sketch: its background, then its strokes in their order.
    ///
    /// - Parameters:
    ///   - x: pixels (or points) for each unit, across.
    ///   - y: the same downwards; it differs from `x` by what rounding to whole pixels makes.
    /// - Throws: `SketchDrawingError`: `libraryFailure`.
    func draw(_ sketch: Sketch, scale x: Double, _ y: Double) throws(SketchDrawingError) {
        unsafe cairo_scale(context, x, y)
        unsafe cairo_rectangle(context, 0, 0, Double(sketch.width), Double(sketch.height))
        unsafe cairo_clip(context)
        if let background = sketch.background { paint(background) }
        unsafe cairo_set_line_cap(context, CAIRO_LINE_CAP_ROUND)
        unsafe cairo_set_line_join(context, CAIRO_LINE_JOIN_ROUND)
        for stroke in sketch.strokes {
            draw(stroke)
            guard unsafe cairo_status(context) == CAIRO_STATUS_SUCCESS else {
                throw SketchDrawingError(.libraryFailure)
            }
        }
        unsafe cairo_surface_flush(surface)
    }

    private func draw(_ stroke: Stroke) {
        let pieces = stroke.pieces
        let isOneLine = pieces.count == 1 && stroke.points.count <= Self.linesAtOnceMax
        setSource(stroke.colour, alpha: isOneLine ? stroke.colour.alpha : 255)
        guard stroke.colour.alpha < 255, !isOneLine else {
            for piece in pieces { draw(piece, of: stroke) }
            return
        }
        // As one picture that is then made clearer: else the joints, drawn twice, would show.
        unsafe cairo_save(context)
        clip(to: stroke)
        unsafe cairo_push_group(context)
        for piece in pieces { draw(piece, of: stroke) }
        unsafe cairo_pop_group_to_source(context)
        unsafe cairo_paint_with_alpha(context, Double(stroke.colour.alpha) / 255)
        unsafe cairo_restore(context)
    }

    private func draw(_ piece: Stroke.Piece, of stroke: Stroke) {
        unsafe cairo_set_line_width(context, Double(piece.width) / 100)
        var first = piece.first
        repeat {
            let last = min(first + Self.linesAtOnceMax, piece.last)
            let start = stroke.points[first]
            unsafe cairo_move_to(context, Double(start.x) / 100, Double(start.y) / 100)
            // With nothing but its start, the line to itself is a dot.
            for point in stroke.points[min(first + 1, last)...last] {
                unsafe cairo_line_to(context, Double(point.x) / 100, Double(point.y) / 100)
            }
            unsafe cairo_stroke(context)
            first = last
        } while first < piece.last
    }

    /// Clips to the place of a stroke, so that a group takes memory for that alone.
    private func clip(to stroke: Stroke) {
        var (left, top, right, bottom) = (Int32.max, Int32.max, Int32.min, Int32.min)
        for point in stroke.points {
            (left, right) = (min(left, point.x), max(right, point.x))
            (top, bottom) = (min(top, point.y), max(bottom, point.y))
        }
        let margin = Double(stroke.width) / 200 + 1
        unsafe cairo_rectangle(
            context, Double(left) / 100 - margin, Double(top) / 100 - margin, Double(right - left) / 100 + 2 * margin,
            Double(bottom - top) / 100 + 2 * margin)
        unsafe cairo_clip(context)
    }

    private func setSource(_ colour: Colour, alpha: UInt8) {
        unsafe cairo_set_source_rgba(
            context, Double(colour.red) / 255, Double(colour.green) / 255, Double(colour.blue) / 255,
            Double(alpha) / 255)
    }
}
