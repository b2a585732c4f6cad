// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// The points of one stroke while its pieces are read: places come from the paths that viewers draw, the rest from
/// lists.
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

    /// One path. The first place of the stroke's first piece is a point; a later piece repeats the last place of the
    /// one before it.
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
