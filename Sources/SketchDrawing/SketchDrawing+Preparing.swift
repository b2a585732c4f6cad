// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import Glibc
internal import SketchFormat

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
