// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// `ReadAhead` holds the segments of one chain that were read and not applied yet: of this session alone.
struct ReadAhead: Sendable {
    private var segments: [UInt64: OpenedSegment] = [:]
    private var endings: [UInt64: Ending] = [:]
    /// The last number up to which nothing is missing behind the segment that was applied last.
    private var end: UInt64 = 0
    /// The entries of all of them, in bytes.
    private(set) var size = 0

    var isEmpty: Bool { segments.isEmpty }

    subscript(number: UInt64) -> OpenedSegment? { segments[number] }

    /// Returns the first number behind an applied one that is not here.
    mutating func firstUnread(after applied: UInt64) -> UInt64 {
        if end < applied { end = applied }
        while segments[end + 1] != nil { end += 1 }
        return end + 1
    }

    /// Puts a segment in, in place of one of its number.
    mutating func insert(_ opened: OpenedSegment) {
        remove(opened.segment.place.number)
        segments[opened.segment.place.number] = opened
        endings[opened.segment.place.number] = opened.segment.ending
        size += Self.size(opened)
    }

    mutating func remove(_ number: UInt64) {
        guard let old = segments.removeValue(forKey: number) else { return }
        endings[number] = nil
        size -= Self.size(old)
    }

    /// Removes what was read up to a number.
    mutating func remove(through number: UInt64) {
        for old in segments.keys where old <= number { remove(old) }
    }

    /// Returns the first ending among the segments that follow an applied one without a gap.
    mutating func ending(after applied: UInt64) -> Ending? {
        guard !endings.isEmpty else { return nil }
        let numbers = applied + 1..<firstUnread(after: applied)
        return endings.filter { numbers.contains($0.key) }.min { $0.key < $1.key }?.value
    }

    private static func size(_ opened: OpenedSegment) -> Int {
        opened.segment.entries.reduce(0) { $0 + $1.body.count }
    }
}
