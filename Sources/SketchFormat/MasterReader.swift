// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// `MasterReader` reads the parts of a sketch's file. Everything has one form, so it is text to be found or a number;
/// it is not an XML parser, and nothing in a file can make it behave like one. Spec: docs/sketch-format.md §3.
struct MasterReader {
    private let bytes: [UInt8]
    /// Where the next read begins, in bytes.
    private(set) var offset = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    var isAtEnd: Bool { offset == bytes.count }

    /// Takes a text if it stands here.
    mutating func take(_ text: String) -> Bool {
        let utf8 = text.utf8
        guard bytes[offset...].starts(with: utf8) else { return false }
        offset += utf8.count
        return true
    }

    mutating func take(byte: UInt8) -> Bool {
        guard offset < bytes.count, bytes[offset] == byte else { return false }
        offset += 1
        return true
    }

    mutating func expect(_ text: String, else code: SketchError.Code = .unexpected) throws(SketchError) {
        guard take(text) else { throw SketchError(code, offset: offset) }
    }

    /// Reads digits of a number that is at most `max`; leading zeros are found by the comparison of the whole.
    mutating func integer(max: Int) throws(SketchError) -> Int {
        let start = offset
        var value = 0
        while let digit = digit() {
            value = value * 10 + digit
            guard value <= max else { throw SketchError(.outOfRange, offset: start) }
        }
        guard offset > start else { throw SketchError(.unexpected, offset: offset) }
        return value
    }

    /// Reads a decimal fraction as a whole number of hundredths or thousandths.
    mutating func decimal(digits: Int, max: Int) throws(SketchError) -> Int {
        let start = offset
        var value = try integer(max: max)
        var missing = digits
        if take(byte: UInt8(ascii: ".")) {
            while missing > 0, let digit = digit() {
                value = value * 10 + digit
                missing -= 1
            }
            guard missing < digits else { throw SketchError(.unexpected, offset: offset) }
        }
        for _ in 0..<missing { value *= 10 }
        guard value <= max else { throw SketchError(.outOfRange, offset: start) }
        return value
    }

    mutating func point(pressure: UInt8, time: UInt32?) throws(SketchError) -> Point {
        let x = try coordinate()
        guard take(byte: UInt8(ascii: " ")) else { throw SketchError(.unexpected, offset: offset) }
        return Point(x: x, y: try coordinate(), pressure: pressure, time: time)
    }

    mutating func list(max: Int) throws(SketchError) -> [Int] {
        var values = [try integer(max: max)]
        while take(byte: UInt8(ascii: " ")) {
            guard values.count < Sketch.pointCountMax else { throw SketchError(.tooManyPoints, offset: offset) }
            values.append(try integer(max: max))
        }
        return values
    }

    /// Reads six hexadecimal digits, then the opacity if its text follows.
    mutating func colour(opacityAfter text: String) throws(SketchError) -> Colour {
        var value: UInt32 = 0
        for _ in 0..<6 { value = value << 4 | UInt32(try nibble()) }
        var alpha: UInt8 = 255
        if take(text) {
            let start = offset
            guard let found = Colour.alpha(thousandths: try decimal(digits: 3, max: 1000)) else {
                throw SketchError(.outOfRange, offset: start)
            }
            alpha = found
        }
        return Colour(
            red: UInt8(truncatingIfNeeded: value >> 16), green: UInt8(truncatingIfNeeded: value >> 8),
            blue: UInt8(truncatingIfNeeded: value),
            alpha: alpha)
    }

    private mutating func coordinate() throws(SketchError) -> Int32 {
        let isNegative = take(byte: UInt8(ascii: "-"))
        let value = try decimal(digits: 2, max: Int(Point.coordinates.upperBound))
        return Int32(isNegative ? -value : value)
    }

    private mutating func digit() -> Int? {
        guard offset < bytes.count, case UInt8(ascii: "0")...UInt8(ascii: "9") = bytes[offset] else { return nil }
        defer { offset += 1 }
        return Int(bytes[offset] - UInt8(ascii: "0"))
    }

    private mutating func nibble() throws(SketchError) -> Int {
        if let digit = digit() { return digit }
        guard offset < bytes.count, case UInt8(ascii: "a")...UInt8(ascii: "f") = bytes[offset] else {
            throw SketchError(.unexpected, offset: offset)
        }
        defer { offset += 1 }
        return Int(bytes[offset] - UInt8(ascii: "a")) + 10
    }
}

/// `StrokePoints` holds the points of one stroke while its pieces are read: places come from the paths that viewers
/// draw, the rest from lists.
struct StrokePoints {
    private let pressures: [Int]
    private let times: [UInt32]
    private let countMax: Int
    private(set) var points: [Point] = []

    init(pressures: [Int], times: [UInt32], countMax: Int) {
        self.pressures = pressures
        self.times = times
        self.countMax = countMax
    }

    /// Whether each list that is there had one value for each point.
    var areComplete: Bool {
        (pressures.isEmpty || pressures.count == points.count) && (times.isEmpty || times.count == points.count)
    }

    /// Reads one path. The first place of the stroke's first piece is a point; a later piece repeats the last place of
    /// the one before it.
    mutating func readPiece(_ reader: inout MasterReader) throws(SketchError) {
        try reader.expect(MasterText.piece)
        // The comparison of the whole says whether the width follows from the pressures.
        _ = try reader.decimal(digits: 2, max: Int(Stroke.widths.upperBound))
        try reader.expect(MasterText.path)
        if let last = points.last {
            let start = reader.offset
            let again = try reader.point(pressure: last.pressure, time: last.time)
            guard again == last else { throw SketchError(.notCanonical, offset: start) }
        } else {
            try append(&reader)
        }
        if !reader.take(MasterText.dot) {
            try reader.expect("L")
            repeat { try append(&reader) } while reader.take(byte: UInt8(ascii: " "))
        }
        try reader.expect(MasterText.emptyEnd)
    }

    private mutating func append(_ reader: inout MasterReader) throws(SketchError) {
        let index = points.count
        guard index < countMax else { throw SketchError(.tooManyPoints, offset: reader.offset) }
        guard pressures.isEmpty || index < pressures.count, times.isEmpty || index < times.count else {
            throw SketchError(.notCanonical, offset: reader.offset)
        }
        let pressure = pressures.isEmpty ? 255 : UInt8(clamping: pressures[index])
        points.append(try reader.point(pressure: pressure, time: times.isEmpty ? nil : times[index]))
    }
}
