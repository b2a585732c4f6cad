// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

extension SyncEngine {
    /// Takes in entries that the vault has committed; one that was told before is not taken twice.
    mutating func addLocal(_ entries: [Entry], through: UInt64) {
        let done = max(unsentThrough, state.outgoing?.through ?? 0, state.sentThrough)
        guard through > done else {
            isUntold = false
            return
        }
        // Entries are numbered without gaps, so what is new is at the end. What came out of turn is asked for.
        guard entries.count >= through - done else {
            effects.append(.tell(after: done))
            return
        }
        isUntold = false
        unsent += entries.suffix(Int(through - done))
        unsentThrough = through
    }

    /// Ends a retelling; unless it was of one chain, what comes up to `through` counts as sent.
    ///
    /// - Parameter through: what was told up to this number is told again after it, behind what it was made from.
    mutating func finish(_ retelling: SyncState.Retelling, through: UInt64) {
        guard let index = state.retellings.firstIndex(of: retelling) else { return }
        state.retellings.remove(at: index)
        if case .chain = retelling {
        } else if through > state.sentThrough {
            let before = unsentThrough - min(unsentThrough, UInt64(unsent.count))
            if through > before { unsent.removeFirst(min(unsent.count, Int(through - before))) }
            unsentThrough = max(unsentThrough, through)
            state.sentThrough = through
        }
        record()
    }

    /// Whether a retelling has to come first: in a new epoch nothing is said before what it was made from.
    private var mustRetellFirst: Bool {
        state.retellings.contains { if case .chain = $0 { false } else { true } }
    }

    /// Seals the next segment when the own tail was read, nothing is on its way, and there is something to say.
    mutating func flush(heartbeat: Bool) {
        guard isStarted else { return }
        // Also what is on its way waits for that: a store that could not be reached is asked again.
        guard unreadTail.isEmpty || !rules.contains(.ownTailRead) else {
            for place in unreadTail { asked.remove(place) }
            for place in unreadTail.sorted(by: { $0.number < $1.number }) { get(place) }
            return
        }
        if let outgoing = state.outgoing { return effects.append(.put(outgoing.place)) }
        // An ended epoch can be ended once more, by its owner: the first ending may be a thief's. Nothing else is said.
        guard !isSealing, !state.isEnded || isEnding != nil || !rules.contains(.epochCut) else { return }
        guard state.isCardSent || !rules.contains(.cards) else {
            effects.append(.put(place(.card)))
            return
        }
        guard !isUntold, !mustRetellFirst else { return }
        guard state.isWhole || !rules.contains(.wholeStateFirst) else { return }
        // A device that has not come over the last end may have ended that epoch otherwise.
        let next = state.retellings.isEmpty && state.awaited.isEmpty ? isEnding : nil
        let paysState = state.owesWholeState && state.retellings.isEmpty
        guard !unsent.isEmpty || heartbeat || next != nil || paysState || state.owesRetired else { return }
        let isOver = state.isEnded && rules.contains(.epochCut)
        guard !isOver || next != nil else { return }
        let entries = isOver ? [] : Array(unsent.prefix(limits.entriesMax))
        let isPart = !isOver && entries.count < unsent.count
        isSealing = true
        effects.append(
            .seal(
                Segment(
                    place: place(.segment, state.own.number + 1), previous: state.own.digest, vector: vector,
                    forked: state.forked, retired: state.retired, isPart: isPart,
                    isWholeState: paysState && !isPart, nextHeader: isPart ? nil : next, entries: entries)))
    }

    /// How far the chains of this epoch were taken over. A mark of a chain that says two things would say nothing; an
    /// ending that named what was only read would have its writer's entries dropped by everybody.
    var vector: [DeviceID: Mark] {
        let chains = state.chains.filter { device, chain in
            chain.epoch == state.epoch && !state.forked.contains(device)
        }
        return chains.mapValues { $0.taken ?? $0.seen }.filter { $0.value.number > 0 }
    }

    /// Sends a segment that is in the outbox: from here on these bytes are what has this number.
    mutating func send(_ segment: Segment, _ digest: Digest) {
        guard isSealing, segment.place == place(.segment, state.own.number + 1) else { return }
        isSealing = false
        if !rules.contains(.outboxBeforePut) { effects.append(.put(segment.place)) }
        if state.retired.isSubset(of: segment.retired) { state.owesRetired = false }
        let before = state.outgoing?.through ?? state.sentThrough
        let through = max(before, unsentThrough - UInt64(unsent.count - segment.entries.count))
        unsent.removeFirst(segment.entries.count)
        state.outgoing = SyncState.Outgoing(
            place: segment.place, digest: digest, through: through, isWholeState: segment.isWholeState,
            ending: segment.ending)
        record()
        if rules.contains(.outboxBeforePut) { effects.append(.put(segment.place)) }
    }

    /// Counts an object as stored, because a store says so. The next session looks whether that is so.
    mutating func acknowledge(_ place: Place, _ isStored: Bool) {
        guard isStored, place.device == state.device else { return }
        switch place.kind {
        case .card:
            guard !state.isCardSent else { return }
            state.isCardSent = true
            record()
        case .span(let level):
            guard place.number > state.spansSent[level - 1] else { return }
            state.spansSent[level - 1] = place.number
            record()
        case .segment:
            guard let outgoing = state.outgoing, outgoing.place == place else { return }
            state.own = Mark(number: place.number, digest: outgoing.digest)
            state.sentThrough = outgoing.through
            state.outgoing = nil
            if outgoing.isWholeState { state.owesWholeState = false }
            if let ending = outgoing.ending {
                isEnding = nil
                state.ownEnding = ending.header
                state.endings[ending.header] = ending
                record()
                effects.append(.needKey(ending.header))
            } else {
                record()
                bundle()
            }
        }
    }

    // MARK: What all have read

    /// Says how far all active devices have read a chain, by their own words.
    public func passedByAll(_ device: DeviceID) -> UInt64 {
        let isAwaited = rules.contains(.retiredDoNotHold) ? !state.awaited.isEmpty : hasOld
        guard !isAwaited else { return 0 }
        var passed = device == state.device ? state.own.number : state.chains[device]?.seen.number ?? 0
        for (other, chain) in state.chains where other != device && isActive(other, chain) {
            passed = min(passed, chain.passed[device] ?? 0)
        }
        return passed
    }

    private var hasOld: Bool { state.chains.values.contains { $0.epoch < state.epoch && !$0.isLate } }

    func isActive(_ device: DeviceID, _ chain: SyncState.Chain) -> Bool {
        chain.epoch == state.epoch && !state.forked.contains(device)
            && !(rules.contains(.retiredDoNotHold) && state.retired.contains(device))
    }

    /// Returns whether the entries below an entry may be thinned out: all active devices have passed the entry, so that
    /// what they write from now on is made from it or from what came after it. To be asked of each leaf of the note:
    /// a device that has not heard of a purge may still edit what it removed.
    ///
    /// - Parameter descendant: the segment by which the entry came. One of an earlier epoch counts as passed.
    public func mayThin(under descendant: (device: DeviceID, number: UInt64)) -> Bool {
        guard rules.contains(.thinningWaits) else { return true }
        let isHere = descendant.device == state.device || state.chains[descendant.device]?.epoch == state.epoch
        guard isHere else { return passedByAll(state.device) > 0 || state.awaited.isEmpty }
        return passedByAll(descendant.device) >= descendant.number
    }
}
