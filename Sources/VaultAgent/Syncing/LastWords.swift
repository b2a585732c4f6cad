// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import SyncEngine
internal import VaultCore
internal import VaultFormat

/// `LastWords` is what this device said last of how far it has read the others. They remove only what all have read,
/// so a device that writes nothing speaks too, now and then.
struct LastWords {
    /// When it was said, in milliseconds since 1970, UTC.
    private let made: Int64
    /// The last segment that it had read, of each device.
    private let read: [Identifier: UInt64]
    /// How many segments are read without a word: as many as a span holds.
    static let segmentCountMax = SyncEngine.Limits().spanWidth
    /// How long one that has read anything is silent, in milliseconds. Two that only listen wake each other no more
    /// often.
    static let silenceMax: Int64 = 7 * 24 * 3_600_000

    /// Makes it of what a segment says.
    init(made: Int64, vector: [Identifier: Mark]) {
        self.made = made
        read = vector.mapValues(\.number)
    }

    /// Makes it of a segment of this device, as it was sent.
    init?(_ bytes: [UInt8], at place: Place, _ sealer: SegmentSealer) {
        guard let remote = try? RemotePlace(place), let opened = try? sealer.openSegment(bytes, at: remote) else {
            return nil
        }
        made = opened.content.made
        read = Dictionary(
            opened.content.vector.map { (Identifier(bytes: $0.device.bytes), $0.number) }, uniquingKeysWith: max)
    }

    /// Returns whether it is time to say how far these were read.
    func areOld(_ state: SyncState, now: Int64) -> Bool {
        var unsaid: UInt64 = 0
        for (device, chain) in state.chains where chain.epoch == state.epoch && !state.forked.contains(device) {
            let more = chain.seen.number - min(chain.seen.number, read[device] ?? 0)
            // What others have said may be any number.
            if more >= Self.segmentCountMax { return true }
            unsaid += more
        }
        return unsaid >= Self.segmentCountMax || unsaid > 0 && now - made > Self.silenceMax
    }
}

/// This extension has a device speak that has long only read.
extension SyncHost {
    func speakAfterSilence() {
        guard isLooking, !mustSpeak, engine.isIdle, engine.state.isWhole, !isBehind, !engine.state.isEnded else {
            return
        }
        let number = engine.state.own.number
        if lastWords == nil, number > 0, let sealer = sealers[engine.state.epoch] {
            let place = Place(
                kind: .segment, epoch: engine.state.epoch, device: engine.state.device, number: number)
            lastWords = sealers.name(of: place).flatMap { try? store.outbox.bytes(of: $0) }
                .flatMap { LastWords($0, at: place, sealer) }
        }
        if lastWords?.areOld(engine.state, now: Machine.now) == true || hasLongUnsaid { mustSpeak = true }
    }
}
