// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

@_spi(Simulation) import SyncEngine
import SyncSimulation

/// `YearWorld` is what all devices have in common: the store, chance, and what revisions consist of, which are the same
/// everywhere.
final class YearWorld {
    var store = YearStore()
    /// What people do is drawn apart from names, so that years of one seed can be compared.
    private var random: SeededRandom
    private var names: SeededRandom
    var entries: [RevisionID: Entry] = [:]
    /// Sizes of files by the revision that brings them.
    var files: [RevisionID: Int] = [:]
    /// Whether a span is also made of what the spans below it hold, where the outbox has a segment no more.
    let packsSpans: Bool
    /// Whether the remote lets nothing be removed.
    let isAppendOnly: Bool
    private var sealings: UInt64 = 0
    private var bodies: [Int: [UInt8]] = [:]
    private(set) var segmentCount = 0
    private(set) var spanCounts = [0, 0, 0]
    private(set) var wordsCount = 0
    private(set) var sessionCount = 0
    private(set) var lookCount = 0
    private(set) var sendCount = 0
    /// What was to be sent again and is not here any more.
    private(set) var putsWithoutBytes = 0

    init(_ profile: YearProfile, seed: UInt64) {
        (random, names) = (SeededRandom(seed: seed), SeededRandom(seed: ~seed))
        (packsSpans, isAppendOnly) = (profile.packsSpans, profile.isAppendOnly)
    }

    func identifier() -> Identifier { Identifier(high: names.next(), low: names.next()) }

    func number(below end: Int) -> Int { Int(random.next() % UInt64(end)) }

    /// Returns a body of this size, which all of the size have in common: what it says is nobody's concern here.
    func body(_ size: Int) -> [UInt8] {
        let rounded = (size + 31) / 32 * 32
        if let body = bodies[rounded] { return body }
        let body = [UInt8](repeating: 0, count: rounded)
        bodies[rounded] = body
        return body
    }

    func sealed(_ segment: Segment) -> Digest {
        sealings += 1
        segmentCount += 1
        if segment.entries.isEmpty { wordsCount += 1 }
        return Digest(sealings, segment.place.device.high, segment.place.number, 1)
    }

    func madeSpan(_ level: Int) { spanCounts[level - 1] += 1 }

    func began(isFirst: Bool, isLooking: Bool) {
        if isFirst { sessionCount += 1 }
        if isLooking { lookCount += 1 } else { sendCount += 1 }
    }

    func putWithoutBytes() { putsWithoutBytes += 1 }
}
