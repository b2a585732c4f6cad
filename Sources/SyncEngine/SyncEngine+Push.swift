// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

extension SyncEngine {
    /// Entries that the vault has committed; one that was told before is not taken twice.
    mutating func addLocal(_ entries: [Entry], through: UInt64) {
        let done = max(unsentThrough, state.outgoing?.through ?? 0, state.sentThrough)
        guard through > done else { return }
        // Entries are numbered without gaps, so what is new is at the end. What came out of turn is asked for.
        guard entries.count >= through - done else {
            effects.append(.tell(after: done))
            return
        }
        unsent += entries.suffix(Int(through - done))
        unsentThrough = through
    }

    mutating func finish(_ retelling: SyncState.Retelling) {
        guard let index = state.retellings.firstIndex(of: retelling) else { return }
        state.retellings.remove(at: index)
        record()
    }

    /// Seals the next segment when the own tail was read, nothing is on its way, and there is something to say.
    mutating func flush(heartbeat: Bool) {
        guard isStarted else { return }
        if let outgoing = state.outgoing {
            if unreadTail.isEmpty { effects.append(.put(outgoing.place)) }
            return
        }
        guard unreadTail.isEmpty || !rules.contains(.ownTailRead) else {
            for place in unreadTail { asked.remove(place) }
            for place in unreadTail.sorted(by: { $0.number < $1.number }) { get(place) }
            return
        }
        guard !isSealing, state.cut == nil || !rules.contains(.epochCut) else { return }
        guard state.isWhole || !rules.contains(.wholeStateFirst) else { return }
        let mayEnd = isEnding && state.retellings.isEmpty
        let paysState = state.owesWholeState && state.retellings.isEmpty
        guard !unsent.isEmpty || heartbeat || mayEnd || paysState else { return }
        let entries = Array(unsent.prefix(limits.entriesMax))
        let isPart = entries.count < unsent.count
        isSealing = true
        effects.append(
            .seal(
                Segment(
                    place: place(.segment, state.own.number + 1), previous: state.own.digest, vector: vector,
                    continues: state.continues, continuesFrom: state.continuesFrom, forked: state.forked,
                    retired: state.retired, isPart: isPart, isWholeState: paysState && !isPart,
                    isEnding: mayEnd && !isPart, entries: entries)))
    }

    /// How far the chains of this epoch were read.
    var vector: [DeviceID: Mark] {
        state.chains.filter { $0.value.epoch == state.epoch && $0.value.seen.number > 0 }.mapValues(\.seen)
    }

    /// The segment is in the outbox: from here on these bytes are what has this number.
    mutating func send(_ segment: Segment, _ digest: Digest) {
        guard isSealing, segment.place == place(.segment, state.own.number + 1) else { return }
        isSealing = false
        if !rules.contains(.outboxBeforePut) { effects.append(.put(segment.place)) }
        let before = state.outgoing?.through ?? state.sentThrough
        let through = max(before, unsentThrough - UInt64(unsent.count - segment.entries.count))
        unsent.removeFirst(segment.entries.count)
        state.outgoing = SyncState.Outgoing(
            place: segment.place, digest: digest, through: through, isWholeState: segment.isWholeState,
            cut: segment.isEnding ? segment.cut : nil)
        record()
        if rules.contains(.outboxBeforePut) { effects.append(.put(segment.place)) }
    }

    /// A store says that it has an object. The next session looks whether that is so.
    mutating func acknowledge(_ place: Place, _ isStored: Bool) {
        guard isStored, place.device == state.device else { return }
        switch place.kind {
        case .card:
            guard !state.isCardSent else { return }
            state.isCardSent = true
            record()
        case .span:
            guard place.number > state.spansSent else { return }
            state.spansSent = place.number
            record()
        case .segment:
            guard let outgoing = state.outgoing, outgoing.place == place else { return }
            state.own = Mark(number: place.number, digest: outgoing.digest)
            state.sentThrough = outgoing.through
            state.outgoing = nil
            if outgoing.isWholeState { state.owesWholeState = false }
            if let cut = outgoing.cut {
                isEnding = false
                state.cut = cut
                state.endsEpoch = true
                record()
                effects.append(.needKey)
            } else {
                record()
                bundle()
            }
        }
    }

    // MARK: Spans and removal

    private mutating func bundle() {
        let width = limits.spanWidth
        guard state.own.number / width > state.spansSent else { return }
        let span = state.spansSent + 1
        effects.append(.bundle(place(.span, span), (span - 1) * width + 1...span * width))
        effects.append(.put(place(.span, span)))
    }

    mutating func takeOwnSpan(_ place: Place, _ answer: Answer) {
        switch answer {
        case .span(let segments):
            guard place.number == state.spansVerified + 1, segments.count == Int(limits.spanWidth) else { break }
            state.spansVerified = place.number
            record()
            if state.spansVerified < state.spansSent { get(self.place(.span, state.spansVerified + 1)) }
        case .absent, .unreadable: if place.number <= state.spansSent { effects.append(.put(place)) }
        case .failed, .segment: break
        }
    }

    /// Removes own segments that all have passed and a span holds, some at a time.
    mutating func sweep() {
        let spans = rules.contains(.spanBeforeDelete) ? state.spansVerified : state.own.number / limits.spanWidth
        let held = rules.contains(.deleteWhenPassed) ? passedByAll(state.device) : state.own.number
        let end = min(spans * limits.spanWidth, held)
        guard end > state.deletedThrough else { return }
        for number in state.deletedThrough + 1...min(end, state.deletedThrough + limits.looksMax) {
            effects.append(.delete(place(.segment, number)))
            state.deletedThrough = number
        }
        record()
    }

    /// How far all active devices have read a chain, by their own words.
    public func passedByAll(_ device: DeviceID) -> UInt64 {
        let awaited = state.awaited.subtracting(rules.contains(.retiredDoNotHold) ? state.retired : [])
        guard awaited.isEmpty else { return 0 }
        var passed = device == state.device ? state.own.number : state.chains[device]?.seen.number ?? 0
        for (other, chain) in state.chains where other != device && isActive(other, chain) {
            passed = min(passed, chain.passed[device] ?? 0)
        }
        return passed
    }

    private func isActive(_ device: DeviceID, _ chain: SyncState.Chain) -> Bool {
        chain.epoch == state.epoch && !chain.isContinued && !state.forked.contains(device)
            && !(rules.contains(.retiredDoNotHold) && state.retired.contains(device))
    }

    /// Whether what lies under an entry may be thinned out: all active devices have passed the entry, so that what they
    /// write from now on is made from it or from what came after it.
    ///
    /// - Parameter descendant: the segment by which the entry came. One of an epoch before counts as passed.
    public func mayThin(under descendant: (device: DeviceID, number: UInt64)) -> Bool {
        guard rules.contains(.thinningWaits) else { return true }
        let isHere = descendant.device == state.device || state.chains[descendant.device]?.epoch == state.epoch
        guard isHere else { return passedByAll(state.device) > 0 || state.awaited.isEmpty }
        return passedByAll(descendant.device) >= descendant.number
    }

    // MARK: Epochs

    /// The cut was read or written here, and the next key is known: all old chains are done. Every device takes a new
    /// identity, so that no chain has two epochs.
    mutating func enterNextEpoch() {
        guard let cut = state.cut else { return }
        let retelling: SyncState.Retelling = state.endsEpoch ? .everything : .beyond(cut)
        let isRotator = state.endsEpoch
        var awaited = Set(state.chains.filter { isActive($0.key, $0.value) }.keys)
        awaited.remove(state.device)
        let rotator = isRotator ? nil : state.endedBy
        if rules.contains(.epochCut) { state.chains = [:] }
        let old = state.device
        let reach = state.own.number
        beginChain()
        state.continues = old
        state.continuesFrom = reach
        state.epoch += 1
        state.cut = nil
        state.endedBy = nil
        state.endsEpoch = false
        state.awaited = awaited
        if let rotator { state.awaited.insert(rotator) }
        state.forked = []
        state.suspicions = [:]
        state.isWhole = isRotator
        state.owesWholeState = isRotator
        stash = [:]
        known = [:]
        spansAsked = []
        isEnding = false
        if isRotator || rules.contains(.retellBeyondCut) { state.retellings = [retelling] }
        record()
        for retelling in state.retellings { effects.append(.retell(retelling)) }
        if isStarted {
            effects.append(.list)
            effects.append(.put(place(.card)))
        }
    }
}
