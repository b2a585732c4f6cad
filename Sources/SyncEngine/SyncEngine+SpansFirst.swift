// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// This extension reads spans in place of the many segments that they hold, where there is likely to be one.
extension SyncEngine {
    /// Returns the span that is asked for before the segment that it begins with: where so many are known to be there,
    /// or the ones before came by a span.
    mutating func spanFirst(over place: Place) -> Place? {
        guard !notThere.contains(place) else { return nil }
        for level in [2, 1] where (place.number - 1).isMultiple(of: size(level)) {
            let isFar =
                (known[place.device] ?? 0) >= place.number + size(level) - 1 || cameBySpan.contains(place.device)
            let above = span(level, above: place)
            guard isFar, !notThere.contains(above), !leavesOut.contains(above) else { continue }
            spansFirst.insert(above)
            return above
        }
        return nil
    }

    /// Returns the span to be read again for a segment that was let go of, and lies in a span alone: each once a poll,
    /// since one that leaves the segment out would be read for ever.
    mutating func spanAgain(over place: Place) -> Place? {
        let above = Self.levels.map { span($0, above: place) }.first {
            !notThere.contains($0) && !readAgain.contains($0)
        }
        if let above { readAgain.insert(above) }
        return above
    }

    /// Whether a span was asked for before its segments; said once.
    mutating func isSpanFirst(_ place: Place) -> Bool { spansFirst.remove(place) != nil }

    private func span(_ level: Int, above place: Place) -> Place {
        Place(
            kind: .span(level: level), epoch: place.epoch, device: place.device, number: span(level, over: place.number)
        )
    }
}
