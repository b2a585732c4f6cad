// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

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
