// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

extension Stroke {
    /// A part of a stroke that is drawn with one width: the points `first...last`, or a dot where both are the same.
    public struct Piece: Sendable, Hashable {
        /// In hundredths of a unit.
        public let width: Int32
        public let first: Int
        public let last: Int
    }

    /// The stroke as viewers draw it: each piece as long as its width allows, each beginning where the one before it
    /// ended.
    ///
    /// A line from one point to the next has the mean of their pressures. All of it is whole numbers, so that every
    /// program that draws or checks a sketch comes to the same pieces. Spec: docs/sketch-format.md §4.
    public var pieces: [Piece] {
        guard points.count > 1 else { return [Piece(width: drawnWidth(0, 0), first: 0, last: 0)] }
        var pieces: [Piece] = []
        var first = 0
        var width = drawnWidth(0, 1)
        for end in 2..<max(points.count, 2) {
            let next = drawnWidth(end - 1, end)
            guard next != width else { continue }
            pieces.append(Piece(width: width, first: first, last: end - 1))
            first = end - 1
            width = next
        }
        pieces.append(Piece(width: width, first: first, last: points.count - 1))
        return pieces
    }

    private func drawnWidth(_ start: Int, _ end: Int) -> Int32 {
        guard tool == .pen else { return width }
        let pressure = Int32(points[start].pressure) + Int32(points[end].pressure)
        return max(1, (width * pressure + 255) / 510)
    }
}
