// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// Dark and light squares, found again from the corners of filled loops: a square is dark if a line from the left to
/// its middle crosses their borders an odd number of times.
struct DrawnModules {
    struct Edge {
        let from: (x: Int, y: Int)
        let to: (x: Int, y: Int)
    }

    let side: Int
    let edges: [Edge]
    private let crossings: [Bool]

    init(side: Int, loops: [[(x: Int, y: Int)]]) {
        self.side = side
        edges = loops.flatMap { loop in zip(loop, loop.dropFirst() + loop.prefix(1)).map { Edge(from: $0, to: $1) } }
        var crossings = [Bool](repeating: false, count: side * (side + 1))
        for edge in edges where edge.from.x == edge.to.x {
            for y in min(edge.from.y, edge.to.y)..<max(edge.from.y, edge.to.y) {
                crossings[y * (side + 1) + edge.from.x].toggle()
            }
        }
        self.crossings = crossings
    }

    func isDark(_ x: Int, _ y: Int) -> Bool {
        (0...x).reduce(false) { $0 != crossings[y * (side + 1) + $1] }
    }

    /// Whether each edge runs along an axis with dark squares on one side and light ones on the other, for all of its
    /// length.
    func everyEdgeIsABorder() -> Bool {
        func colour(_ x: Int, _ y: Int) -> Bool { 0..<side ~= x && 0..<side ~= y && isDark(x, y) }
        return edges.allSatisfy { edge in
            if edge.from.x == edge.to.x {
                return (min(edge.from.y, edge.to.y)..<max(edge.from.y, edge.to.y)).allSatisfy {
                    colour(edge.from.x - 1, $0) != colour(edge.from.x, $0)
                }
            }
            guard edge.from.y == edge.to.y else { return false }
            return (min(edge.from.x, edge.to.x)..<max(edge.from.x, edge.to.x)).allSatisfy {
                colour($0, edge.from.y - 1) != colour($0, edge.from.y)
            }
        }
    }
}
