// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// Own segments are put together, and removed when all have read them. One span of a level is the next level's number.
extension SyncEngine {
    /// The levels of spans.
    static let levels = 1...3

    /// Says how many segments a span of this level covers.
    func size(_ level: Int) -> UInt64 { (0..<level).reduce(1) { size, _ in size * limits.spanWidth } }

    /// Returns the span of this level that covers a segment.
    func span(_ level: Int, over number: UInt64) -> UInt64 { (number - 1) / size(level) + 1 }

    private func numbers(_ level: Int, _ span: UInt64) -> ClosedRange<UInt64> {
        (span - 1) * size(level) + 1...span * size(level)
    }

    /// Puts together and sends the next span of each level that is full.
    mutating func bundle() {
        for level in Self.levels where state.own.number / size(level) > state.spansSent[level - 1] {
            let span = state.spansSent[level - 1] + 1
            effects.append(.bundle(place(.span(level: level), span), numbers(level, span)))
            effects.append(.put(place(.span(level: level), span)))
        }
    }

    /// Removes what all have passed, one span of each level at a time: first the span is read back.
    mutating func sweep() {
        for level in Self.levels {
            let span = state.spansSwept[level - 1] + 1
            guard isPassed(level, span) else { continue }
            if rules.contains(.spanBeforeDelete) {
                get(place(.span(level: level), span))
            } else {
                removeBelow(level, span, holds: Set(numbers(level, span)))
            }
        }
    }

    private func isPassed(_ level: Int, _ span: UInt64) -> Bool {
        // What it takes the place of is swept first: a span of the level below that is gone could not be read back.
        if level > 1, state.spansSwept[level - 2] < span * limits.spanWidth { return false }
        let passed = rules.contains(.deleteWhenPassed) ? passedByAll(state.device) : state.own.number
        return span <= state.spansSent[level - 1] && numbers(level, span).upperBound <= passed
    }

    /// Takes what this device finds under the name of an own span.
    mutating func takeOwnSpan(_ place: Place, level: Int, _ answer: Answer) {
        takeTailSpan(place, level: level, answer)
        guard place.device == state.device else { return }
        switch answer {
        case .span(let segments):
            let held = Set(segments.map(\.segment.place.number))
            for number in missed.intersection(held).sorted() { trust(.lost(number)) }
            missed.subtract(held)
            if place.number == state.spansSwept[level - 1] + 1, isPassed(level, place.number) {
                removeBelow(level, place.number, holds: held)
            }
        case .absent, .unreadable: if place.number <= state.spansSent[level - 1] { effects.append(.put(place)) }
        case .failed, .segment: return
        }
        lookForMissed(place, level: level)
    }

    private mutating func lookForMissed(_ place: Place, level: Int) {
        for number in missed.sorted() where span(level, over: number) == place.number {
            if level < 3 {
                get(self.place(.span(level: level + 1), span(level + 1, over: number)))
            } else {
                missed.remove(number)
                if suspect(.lost(number), .lost(number)) { effects.append(.put(self.place(.segment, number))) }
            }
        }
    }

    /// Deletes what a span holds, and nothing more: it may leave out what is large.
    private mutating func removeBelow(_ level: Int, _ span: UInt64, holds: Set<UInt64>) {
        let all = numbers(level, span)
        if level == 1 {
            // What it leaves out must be there before the rest goes, for nobody looks for it later.
            let unread = all.filter { !holds.contains($0) && !readBack.contains($0) }
            guard unread.isEmpty else {
                for number in unread { get(place(.segment, number)) }
                return
            }
            for number in all {
                if holds.contains(number) {
                    effects.append(.delete(place(.segment, number)))
                } else {
                    state.leftOut.insert(number)
                }
            }
            state.deletedThrough = all.upperBound
        } else {
            let here = holds.union(state.leftOut)
            for lower in self.span(level - 1, over: all.lowerBound)...self.span(level - 1, over: all.upperBound)
            where numbers(level - 1, lower).allSatisfy(here.contains) {
                effects.append(.delete(place(.span(level: level - 1), lower)))
            }
        }
        state.spansSwept[level - 1] = span
        record()
    }

    /// The places of what this device has sent and a store has acknowledged. A span may have been given up for one of a
    /// higher level since.
    public var ownPlaces: [Place] {
        var places = state.isCardSent ? [place(.card)] : []
        places += state.leftOut.sorted().map { place(.segment, $0) }
        if state.deletedThrough < state.own.number {
            places += (state.deletedThrough + 1...state.own.number).map { place(.segment, $0) }
        }
        for level in Self.levels where state.spansSent[level - 1] > 0 {
            places += (1...state.spansSent[level - 1]).map { place(.span(level: level), $0) }
        }
        return places
    }

    /// Sends again what should be there.
    mutating func repair() {
        effects.append(.put(place(.card)))
        for number in state.leftOut.sorted() { effects.append(.put(place(.segment, number))) }
        var number = state.deletedThrough + 1
        while number <= state.own.number {
            effects.append(.put(place(.segment, number)))
            number += 1
        }
        for level in Self.levels where state.spansSent[level - 1] > 0 {
            for span in 1...state.spansSent[level - 1] { effects.append(.put(place(.span(level: level), span))) }
        }
    }
}
