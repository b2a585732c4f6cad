// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import SketchFormat
import VaultTesting

extension Sketch {
    static func random(_ numbers: inout SeededGenerator) throws -> Sketch {
        let strokes = try (0..<Int.random(in: 0...6, using: &numbers)).map { _ in try Stroke.random(&numbers) }
        return try Sketch(
            width: .random(in: sides, using: &numbers), height: .random(in: sides, using: &numbers),
            background: .random(using: &numbers) ? .random(&numbers) : nil, strokes: strokes)
    }
}

extension Stroke {
    static func random(_ numbers: inout SeededGenerator) throws -> Stroke {
        let hasTimes = Bool.random(using: &numbers)
        let hasPressures = Bool.random(using: &numbers)
        let range = Bool.random(using: &numbers) ? Point.coordinates : -120...120
        var time = UInt32.random(in: 0...1 << 30, using: &numbers)
        let points = (0..<Int.random(in: 1...30, using: &numbers)).map { _ in
            time += UInt32.random(in: 0...20, using: &numbers)
            return Point(
                x: .random(in: range, using: &numbers), y: .random(in: range, using: &numbers),
                pressure: hasPressures ? .random(in: 0...255, using: &numbers) : 255, time: hasTimes ? time : nil)
        }
        return try Stroke(
            tool: Tool.allCases.randomElement(using: &numbers) ?? .pen, colour: .random(&numbers),
            width: .random(in: widths, using: &numbers),
            points: points)
    }
}

extension Colour {
    static func random(_ numbers: inout SeededGenerator) -> Colour {
        Colour(
            red: .random(in: 0...255, using: &numbers), green: .random(in: 0...255, using: &numbers),
            blue: .random(in: 0...255, using: &numbers),
            alpha: .random(in: 1...255, using: &numbers))
    }
}

/// The example of docs/sketch-format.md §5.
enum Example {
    static let svg = """
        <svg xmlns="http://www.w3.org/2000/svg" data-vault-sketch="1" width="200" height="100" viewBox="0 0 200 100" fill="none" \
        stroke-linecap="round" stroke-linejoin="round">
        <rect width="200" height="100" fill="#fffef0"/>
        <g data-tool="pen" data-width="4" data-pressure="128 128 255" data-time="1500 8 9" stroke="#1a2b3c">
        <path stroke-width="2.01" d="M10 20L12.5 21.25"/>
        <path stroke-width="3" d="M12.5 21.25L16.07 -0.5"/>
        </g>
        <g data-tool="marker" data-width="12" stroke="#ffee00" opacity="0.502">
        <path stroke-width="12" d="M50 50L150 50"/>
        </g>
        <g data-tool="pen" data-width="0.75" stroke="#000000">
        <path stroke-width="0.75" d="M199.99 99h0"/>
        </g>
        </svg>

        """

    static func sketch() throws -> Sketch {
        let written = try Stroke(
            colour: Colour(red: 0x1A, green: 0x2B, blue: 0x3C), width: 400,
            points: [
                Point(x: 1000, y: 2000, pressure: 128, time: 1500), Point(x: 1250, y: 2125, pressure: 128, time: 1508),
                Point(x: 1607, y: -50, pressure: 255, time: 1517),
            ])
        let marked = try Stroke(
            tool: .marker, colour: Colour(red: 255, green: 0xEE, blue: 0, alpha: 128), width: 1200,
            points: [Point(x: 5000, y: 5000), Point(x: 15000, y: 5000)])
        let dot = try Stroke(width: 75, points: [Point(x: 19999, y: 9900)])
        return try Sketch(
            width: 200, height: 100, background: Colour(red: 255, green: 0xFE, blue: 0xF0),
            strokes: [written, marked, dot])
    }
}
