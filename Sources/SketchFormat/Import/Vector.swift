// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// A place or direction while a drawing is imported.
struct Vector: Equatable {
    var x: Double
    var y: Double

    static let zero = Vector(x: 0, y: 0)

    static func + (a: Vector, b: Vector) -> Vector { Vector(x: a.x + b.x, y: a.y + b.y) }
    static func - (a: Vector, b: Vector) -> Vector { Vector(x: a.x - b.x, y: a.y - b.y) }
    static func * (a: Vector, factor: Double) -> Vector { Vector(x: a.x * factor, y: a.y * factor) }

    var length: Double { (x * x + y * y).squareRoot() }
}
