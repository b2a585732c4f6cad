// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// `ReadAhead` is what was read of one chain and not applied yet: of this session alone. What there is no room for was
/// looked at for the end of its epoch and let go: it is read once more when its turn has come.
struct ReadAhead: Sendable {
    private var segments: [UInt64: OpenedSegment] = [:]
    private var endings: [UInt64: Ending] = [:]
    /// Everything behind the segment that was applied last was read up to this number.
    private var readThrough: UInt64 = 0
    /// Everything of that is here up to this number.
    private var keptThrough: UInt64 = 0
    /// What is here, in bytes of memory, roughly.
    private(set) var size = 0

    subscript(number: UInt64) -> OpenedSegment? { segments[number] }

    /// Returns the first number behind an applied one that was not read.
    mutating func firstUnread(after applied: UInt64) -> UInt64 {
        readThrough = max(readThrough, firstMissing(after: applied) - 1)
        while segments[readThrough + 1] != nil { readThrough += 1 }
        return readThrough + 1
    }

    /// Returns the first number behind an applied one that is not here, whether it was read or not.
    mutating func firstMissing(after applied: UInt64) -> UInt64 {
        keptThrough = max(keptThrough, applied)
        while segments[keptThrough + 1] != nil { keptThrough += 1 }
        return keptThrough + 1
    }

    /// Takes a segment in, in place of one of its number.
    ///
    /// - Parameter isKept: whether there is room for it; if not, it counts as read when it is the next one.
    mutating func read(_ opened: OpenedSegment, isKept: Bool, after applied: UInt64) {
        let number = opened.segment.place.number
        guard isKept else {
            guard number == firstUnread(after: applied) else { return }
            readThrough = number
            endings[number] = opened.segment.ending
            return
        }
        remove(number)
        segments[number] = opened
        endings[number] = opened.segment.ending
        size += opened.footprint
    }

    /// Removes a segment that was applied, or is replaced.
    mutating func remove(_ number: UInt64) {
        guard let old = segments.removeValue(forKey: number) else { return }
        size -= old.footprint
        endings[number] = nil
    }

    /// Removes what was read up to a number.
    mutating func remove(through number: UInt64) {
        for old in segments.keys where old <= number { remove(old) }
        endings = endings.filter { $0.key > number }
    }

    /// Returns the first ending among the segments that follow an applied one without a gap.
    mutating func ending(after applied: UInt64) -> Ending? {
        guard !endings.isEmpty else { return nil }
        let numbers = applied + 1..<firstUnread(after: applied)
        return endings.filter { numbers.contains($0.key) }.min { $0.key < $1.key }?.value
    }
}

extension OpenedSegment {
    /// What it takes in memory, in bytes, roughly: also a segment without entries is not free.
    var footprint: Int {
        let names = segment.vector.count * 4 + segment.forked.count + segment.retired.count
        return 512 + 32 * names + segment.entries.reduce(0) { $0 + 256 + $1.body.count }
    }
}
