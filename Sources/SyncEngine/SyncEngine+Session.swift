// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

extension SyncEngine {
    /// Begins a session with the own tail: the next number must be free, or hold what the outbox holds, and the last
    /// must be ours. Whatever was begun is begun again.
    ///
    /// - Parameter isNew: there can be no tail.
    mutating func start(isNew: Bool = false) {
        isStarted = true
        effects.append(.list(state.epoch))
        if state.header != nil { effects.append(.list(state.epoch - 1)) }
        if !state.isCardSent { effects.append(.put(place(.card))) }
        if !isNew { lookAtOwnTail() }
        effects.append(.tell(after: state.outgoing?.through ?? state.sentThrough))
        for retelling in state.retellings { effects.append(.retell(retelling)) }
        for header in state.endings.keys.sorted() { effects.append(.needKey(header)) }
        if let outgoing = state.outgoing, !rules.contains(.ownTailRead) { effects.append(.put(outgoing.place)) }
    }

    mutating func lookAtOwnTail() {
        guard rules.contains(.ownTailRead) else { return }
        let next = place(.segment, state.own.number + 1)
        unreadTail = [next]
        get(next)
        guard state.own.number > 0 else { return }
        let last = place(.segment, state.own.number)
        if state.own.number > state.deletedThrough {
            unreadTail.insert(last)
            get(last)
        }
        guard rules.contains(.ownRepaired) else { return }
        let passed = passedByAll(state.device)
        var number = max(passed, state.deletedThrough) + 1
        let end = min(state.own.number, number + limits.looksMax)
        while number < end {
            get(place(.segment, number))
            number += 1
        }
    }

    /// Takes what this device finds under its own name.
    mutating func takeOwn(_ place: Place, _ answer: Answer) {
        unreadTail.remove(place)
        let number = place.number
        switch answer {
        case .failed: if number >= state.own.number { unreadTail.insert(place) }
        case .span: break
        case .segment(let opened):
            trust(.lost(number))
            readBack.insert(number)
            if number > state.own.number {
                guard opened.digest == state.outgoing?.digest, number == state.outgoing?.place.number else {
                    return wasSetBack(isForked: opened.segment.previous != state.own.digest)
                }
                // What was sent from here: whether this device has said more since is still to be seen.
                acknowledge(place, true)
                if !state.isEnded {
                    let next = self.place(.segment, number + 1)
                    unreadTail.insert(next)
                    get(next)
                }
            } else if number == state.own.number {
                guard opened.digest == state.own.digest else { return wasSetBack(isForked: true) }
            }
            if number <= state.own.number, number > state.verified {
                state.verified = number
                record()
            }
        case .absent, .unreadable:
            // A device that was set back may have said more, and put it into a span since.
            if number > state.own.number { lookAbove(number, level: 1) }
            guard number <= state.own.number, number > state.deletedThrough, rules.contains(.ownRepaired) else { break }
            if number > state.verified {
                effects.append(.put(place))
            } else {
                // It was there. Only when no span holds it, it is lost; who was set back does not know of its spans.
                missed.insert(number)
                get(self.place(.span(level: 1), span(1, over: number)))
            }
        }
        sendWhatWaited()
    }

    private mutating func lookAbove(_ number: UInt64, level: Int) {
        guard rules.contains(.ownTailRead), Self.levels.contains(level) else { return }
        let place = place(.span(level: level), span(level, over: number))
        unreadTail.insert(place)
        get(place)
    }

    /// Takes the span over the next own number, which there is only when this device was set back.
    mutating func takeTailSpan(_ place: Place, level: Int, _ answer: Answer) {
        guard unreadTail.remove(place) != nil else { return }
        switch answer {
        case .failed: unreadTail.insert(place)
        case .segment: break
        case .span: return wasSetBack(isForked: false)
        case .absent, .unreadable: lookAbove(state.own.number + 1, level: level + 1)
        }
        sendWhatWaited()
    }

    private mutating func sendWhatWaited() {
        if unreadTail.isEmpty, let outgoing = state.outgoing, isStarted { effects.append(.put(outgoing.place)) }
    }

    /// Follows the devices that the store names. Those that it does not name are followed as before.
    mutating func listed(_ epoch: UInt32, _ devices: [DeviceID]) {
        guard rules.contains(.cards) else { return }
        var isNew = false
        if epoch + 1 == state.epoch {
            // Of the epoch before only another ending is of interest; anybody who had its keys can have made a card.
            for device in devices where state.chains[device] == nil {
                state.chains[device] = SyncState.Chain(epoch: epoch, isLate: true)
                isNew = true
            }
        }
        guard epoch == state.epoch else { return isNew ? record() : () }
        for device in devices where device != state.device { isNew = follow(device) || isNew }
        if !rules.contains(.absenceIsNothing) {
            for device in state.chains.keys where !devices.contains(device) {
                state.chains[device] = nil
                state.retired.insert(device)
                isNew = true
            }
        }
        if state.isCardSent, !devices.contains(state.device) { effects.append(.put(place(.card))) }
        if isNew { record() }
    }

    /// Begins to follow a device, unless it is this one, a retired one, or followed already; returns whether it did.
    mutating func follow(_ device: DeviceID) -> Bool {
        guard device != state.device, state.chains[device] == nil else { return false }
        if !rules.contains(.absenceIsNothing), state.retired.contains(device) { return false }
        state.chains[device] = SyncState.Chain(epoch: state.epoch)
        return true
    }

    mutating func retire(_ device: DeviceID) {
        guard device != state.device, state.retired.insert(device).inserted else { return }
        state.owesRetired = true
        record()
    }

    // MARK: Identity

    /// Takes the identity of another device. What the old chain has said since comes in as any other device's; what it
    /// has not sent is said by the new one. The old identity holds nothing up; who still speaks under it, as the
    /// original of a copy, takes a new one too.
    mutating func takeNewIdentity() {
        state.chains[state.device] = SyncState.Chain(seen: state.own, epoch: state.epoch)
        beginChain()
        record()
        effects.append(.put(place(.card)))
    }

    /// Begins an empty chain of a fresh identity; what is sealed and not acknowledged is said anew.
    mutating func beginChain() {
        state.retired.insert(state.device)
        state.device = fresh
        state.own = .none
        state.outgoing = nil
        state.ownEnding = nil
        state.verified = 0
        state.isCardSent = false
        state.spansSent = [0, 0, 0]
        state.spansSwept = [0, 0, 0]
        state.deletedThrough = 0
        state.leftOut = []
        unsent = []
        unsentThrough = 0
        unreadTail = []
        missed = []
        readBack = []
        isSealing = false
        isUntold = true
        if isStarted { effects.append(.tell(after: state.sentThrough)) }
    }

    /// Takes a new identity, since the own chain goes further than is known here: another identity reads it to its end.
    /// Only when it says two things each of its segments is a word of its own.
    mutating func wasSetBack(isForked: Bool) {
        alarm(.setBack)
        let old = state.device
        takeNewIdentity()
        if isForked { giveUp(old) }
    }

    /// Reads a chain that says two things once more from its beginning: what lies there now may be the other thing.
    /// What it said is said again, so that a device that has read the one hears of the other.
    private mutating func giveUp(_ device: DeviceID) {
        guard state.forked.insert(device).inserted else { return }
        ahead[device] = nil
        applied[device] = nil
        notThere = notThere.filter { $0.device != device }
        notThereAhead = notThereAhead.filter { $0.device != device }
        state.chains[device] = SyncState.Chain(epoch: state.epoch)
        record()
        retellForked(device)
        askNext(device)
    }

    mutating func retellForked(_ device: DeviceID) {
        guard rules.contains(.forksRetold) else { return }
        let retelling = SyncState.Retelling.chain(device)
        if !state.retellings.contains(retelling) { state.retellings.append(retelling) }
        record()
        effects.append(.retell(retelling))
    }

    mutating func foundFork(_ device: DeviceID) {
        guard rules.contains(.forksFound), !state.forked.contains(device) else { return }
        alarm(.forked(device))
        giveUp(device)
    }
}
