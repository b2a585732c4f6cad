// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

public import ParserProtocol
internal import SketchFormat

/// `SketchCommand` does what `vault-parse sketch …` does with its whole input. The answer is a record, also where the
/// input is refused.
///
/// ```
/// sketch import                            any SVG   → SketchImportRecord
/// sketch check                             a sketch  → SketchCheckRecord
/// sketch draw pdf|png|jpeg [WIDTH]         a sketch  → SketchDrawingRecord
/// sketch draw pixels [BOX]                 a sketch  → as `vault-parse picture`; the box is 1,024 pixels unless said
/// ```
public enum SketchCommand: Sendable, Hashable {
    case importing
    case check
    case draw(SketchDrawingRecord.Format, width: Int?)
    case pixels(box: Int)

    /// Largest side of the box for pixels.
    public static let boxMax = 1024

    /// Reads a command from the arguments after `sketch`; nil for a wrong command line.
    public init?(_ arguments: [String]) {
        let number = arguments.count == 3 ? Int(arguments[2]) : nil
        guard arguments.count != 3 || number.map({ $0 > 0 }) == true else { return nil }
        switch (arguments.first, arguments.count) {
        case ("import", 1): self = .importing
        case ("check", 1): self = .check
        case ("draw", 2...3):
            switch arguments[1] {
            case "pdf" where number == nil: self = .draw(.pdf, width: nil)
            case "png": self = .draw(.png, width: number)
            case "jpeg": self = .draw(.jpeg, width: number)
            case "pixels":
                guard number ?? 1 <= Self.boxMax else { return nil }
                self = .pixels(box: number ?? Self.boxMax)
            default: return nil
            }
        default: return nil
        }
    }

    /// Runs the command, and returns the bytes of the record that answers.
    ///
    /// - Parameter input: all of the input; what is longer than `SketchImportRecord.svgByteCountMax` need not be read
    ///   to its end: one byte more says it.
    public func run(_ input: [UInt8]) -> [UInt8] {
        switch self {
        case .importing: Self.imported(input).encoded
        case .check: Self.checked(input).encoded
        case .draw(let format, let width): Self.drawn(input, format, width).encoded
        case .pixels(let box): Self.pixels(input, box)
        }
    }

    private static func imported(_ input: [UInt8]) -> SketchImportRecord {
        do {
            var leftOut: [LeftOut: Int] = [:]
            let sketch = try Sketch(importingSVG: input, leavingOut: &leftOut)
            let losses = leftOut.compactMap { left, count in
                SketchLoss.Code(rawValue: left.rawValue).map { SketchLoss($0, count: UInt32(clamping: count)) }
            }
            return try SketchImportRecord(svg: try sketch.svg, losses: losses)
        } catch {
            return SketchImportRecord(refused: status(of: error))
        }
    }

    private static func checked(_ input: [UInt8]) -> SketchCheckRecord {
        do {
            let sketch = try Sketch(parsingSVG: input)
            return try SketchCheckRecord(
                width: UInt32(clamping: sketch.width), height: UInt32(clamping: sketch.height),
                strokeCount: UInt32(clamping: sketch.strokes.count),
                pointCount: UInt32(clamping: sketch.pointCount))
        } catch {
            return SketchCheckRecord(refused: status(of: error))
        }
    }

    private static func drawn(_ input: [UInt8], _ format: SketchDrawingRecord.Format, _ width: Int?)
        -> SketchDrawingRecord
    {
        let file: SketchDrawing.Format =
            switch format {
            case .pdf: .pdf
            case .png: .png
            case .jpeg: .jpeg
            }
        do {
            let sketch = try Sketch(parsingSVG: input)
            return try SketchDrawingRecord(
                format: format, content: try SketchDrawing.draw(sketch, as: file, width: width))
        } catch {
            return SketchDrawingRecord(refused: status(of: error))
        }
    }

    private static func pixels(_ input: [UInt8], _ box: Int) -> [UInt8] {
        do {
            return try SketchDrawing.draw(try Sketch(parsingSVG: input), pixels: box).encoded
        } catch {
            // A picture's record knows no failure of a library; it is as if the sketch were damaged.
            let status = status(of: error)
            return [(status == .failed ? .damaged : status).rawValue]
        }
    }

    private static func status(of error: any Error) -> SketchStatus {
        switch error {
        case let error as SketchError:
            switch error.code {
            case .notASketch, .notText: .notASketch
            case .tooLarge, .tooManyStrokes, .tooManyPoints, .tooManyElements: .tooLarge
            default: .damaged
            }
        case let error as SketchDrawingError: error.code == .tooLarge ? .tooLarge : .failed
        case let error as RecordError: error.code == .tooLarge ? .tooLarge : .failed
        default: .failed
        }
    }
}
