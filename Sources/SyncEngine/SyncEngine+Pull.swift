// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// Chains are read to their ends before anything is applied (SyncEngine+Apply): an epoch may end in one of them.
extension SyncEngine {
    /// Asks each chain for its next segment: one request a device when nothing is new.
    mutating func poll(live: Int) {
        guard isStarted else { return }
        self.live = live
        removed = []
        asked.removeAll(keepingCapacity: true)
        notThere.removeAll(keepingCapacity: true)
        applied.removeAll(keepingCapacity: true)
        brought.removeAll(keepingCapacity: true)
        notThereAhead.removeAll(keepingCapacity: true)
        cameBySpan.removeAll(keepingCapacity: true)
        spansFirst.removeAll(keepingCapacity: true)
        readAgain.removeAll(keepingCapacity: true)
        for device in state.chains.keys.sorted() {
            // Whether one that was over before its epoch was has ended it all the same is asked once a session.
            if state.chains[device]?.isLate == true, !lateAsked.insert(device).inserted { continue }
            askNext(device)
        }
        applyAll()
        sweep()
    }

    /// Asks a chain for the first segment that was not read, also where those before it wait to be applied. When it was
    /// read to its end, what was let go of it is asked for again.
    mutating func askNext(_ device: DeviceID) {
        guard let chain = state.chains[device], !chain.hasEnded else { return }
        guard chain.epoch == state.epoch || chain.isLate || !state.retired.contains(device) else { return }
        guard let wanted = wanted(device, chain) else { return }
        let place = Place(kind: .segment, epoch: chain.epoch, device: device, number: wanted)
        if let span = spanFirst(over: place) { return get(span) }
        if !notThere.contains(place) {
            get(place)
        } else if wanted < ahead[device]?.firstUnread(after: chain.seen.number) ?? 0, let span = spanAgain(over: place)
        {
            get(span)
        }
        askAhead(place)
    }

    /// Asks for more behind a segment that is asked for: over a slow line each would take a way there and back. How
    /// many follows from how many there were: of one that is new nothing more than the next is asked.
    private mutating func askAhead(_ next: Place) {
        let count = min((brought[next.device] ?? 0) / 2, limits.asksAheadMax)
        let seen = state.chains[next.device]?.seen.number ?? 0
        guard count > 0, hasRoom, !notThere.contains(next), ahead[next.device]?.ending(after: seen) == nil else {
            return
        }
        for number in next.number + 1...next.number + count where ahead[next.device]?[number] == nil {
            let place = Place(kind: .segment, epoch: next.epoch, device: next.device, number: number)
            if !notThereAhead.contains(place) { get(place) }
        }
    }

    /// Returns the number that is to be read next of a chain; nil when none is.
    private mutating func wanted(_ device: DeviceID, _ chain: SyncState.Chain) -> UInt64? {
        let seen = chain.seen.number
        let unread = ahead[device]?.firstUnread(after: seen) ?? seen + 1
        let end = Place(kind: .segment, epoch: chain.epoch, device: device, number: unread)
        let isRead = notThere.contains(end) || ahead[device]?.ending(after: seen) != nil
        guard isRead else { return unread }
        let missing = ahead[device]?.firstMissing(after: seen) ?? seen + 1
        guard missing < unread else { return notThere.contains(end) ? unread : nil }
        return (missing == seen + 1 || hasRoom) && !isReadElsewhere(than: device) ? missing : nil
    }

    private var hasRoom: Bool { bytesAhead < limits.aheadMax }

    /// What is read ahead, in bytes of memory, roughly.
    @_spi(Simulation) public var bytesAhead: Int { ahead.values.reduce(0) { $0 + $1.size } }

    /// Returns whether another chain is still being read, which may hold the end of the epoch.
    func isReadElsewhere(than device: DeviceID) -> Bool {
        asked.contains { place in
            place.device != device && place.device != state.device && place.epoch == state.epoch
                && state.chains[place.device]?.epoch == state.epoch
        }
    }

    /// Asks for a span above a segment or span that is not there: looked for once a session, where a span was found,
    /// and where it is known that more is there. Only where none of any level is, something is hidden.
    private mutating func askAbove(_ place: Place, _ next: UInt64, _ chain: SyncState.Chain) {
        let device = place.device
        var level = 1
        if case .span(let below) = place.kind {
            guard place.number == span(below, over: next) else { return }
            level = below + 1
        } else {
            guard place.number == next else { return }
            guard spansAsked.insert(device).inserted || (known[device] ?? 0) >= next else { return }
        }
        if Self.levels.contains(level) {
            let number = span(level, over: next)
            get(Place(kind: .span(level: level), epoch: chain.epoch, device: device, number: number))
        } else if (known[device] ?? 0) >= next, !state.forked.contains(device) {
            suspected[device] = next
            suspect(.hidden(device), .hidden(device))
        }
    }

    /// Takes a store's answer.
    mutating func take(_ place: Place, _ answer: Answer) {
        asked.remove(place)
        if place.device == state.device {
            guard case .span(let level) = place.kind else { return takeOwn(place, answer) }
            return takeOwnSpan(place, level: level, answer)
        }
        guard let chain = state.chains[place.device], chain.epoch == place.epoch else { return }
        takeForeign(place, answer, chain)
        applyAll()
    }

    private mutating func takeForeign(_ place: Place, _ answer: Answer, _ chain: SyncState.Chain) {
        let (device, seen) = (place.device, chain.seen.number)
        let next = wanted(device, chain) ?? ahead[device]?.firstUnread(after: seen) ?? seen + 1
        switch answer {
        // What was asked for ahead is asked for again when its turn has come.
        case .failed, .absent, .unreadable:
            if place.kind == .segment, place.number > next {
                notThereAhead.insert(place)
                return
            }
        case .segment, .span: break
        }
        switch answer {
        case .failed:
            notThere.insert(place)
            if isSpanFirst(place) { return askNext(device) }
        case .absent:
            notThere.insert(place)
            if isSpanFirst(place) {
                if place.kind == .span(level: 1) { cameBySpan.remove(device) }
                return askNext(device)
            }
            // The pull that its owner allowed has come to its end; the next one is looked at again.
            if place.kind == .segment, place.number == seen + 1, (known[device] ?? 0) < place.number {
                allowed.remove(device)
            }
            askAbove(place, next, chain)
        case .unreadable:
            notThere.insert(place)
            // What it holds may lie there by itself.
            if isSpanFirst(place) { return askNext(device) }
            askAbove(place, next, chain)
            guard place.kind == .segment, place.number == next else { break }
            suspect(.unreadable(place), .unreadable(place))
            if !rules.contains(.tornIsNotYet), place.number == seen + 1 {
                state.chains[device]?.seen = Mark(number: place.number, digest: .zero)
                record()
            }
        case .segment(let opened):
            brought[device, default: 0] += 1
            keep(device, [opened])
            askNext(device)
        case .span(let segments):
            keep(device, segments)
            cameBySpan.insert(device)
            let holdsNext = segments.contains { $0.segment.place.number == next }
            if isSpanFirst(place), !holdsNext {
                leavesOut.insert(place)
                return askNext(device)
            }
            if holdsNext {
                // Where one span is, another may follow, whose segments nobody quotes any more.
                spansAsked.remove(device)
                askNext(device)
            } else {
                // It leaves out what is asked for.
                askAbove(place, next, chain)
            }
        }
    }

    private mutating func keep(_ device: DeviceID, _ segments: [OpenedSegment]) {
        var isNew = false
        // Of an object whose turn it is all is kept, whatever the room: it would be asked for again for each of its
        // segments.
        let turn = (state.chains[device]?.seen.number ?? 0) + 1
        let isTurn =
            hasRoom || segments.contains { $0.segment.place.number == turn } && !isReadElsewhere(than: device)
        for opened in segments {
            let place = opened.segment.place
            guard place.device == device, place.kind == .segment else { continue }
            if let other = ahead[device]?[place.number], other.digest != opened.digest { foundFork(device) }
            let seen = state.chains[device]?.seen.number ?? 0
            guard place.number > seen else { continue }
            ahead[device, default: ReadAhead()].read(opened, isKept: isTurn, after: seen)
            state.suspicions[.unreadable(place)] = nil
            if suspected[device] == place.number {
                suspected[device] = nil
                state.suspicions[.hidden(device)] = nil
            }
            known[device] = max(known[device] ?? 0, place.number)
            if place.epoch == state.epoch { isNew = learn(opened.segment) || isNew }
        }
        if isNew { record() }
    }

    /// Records how far another device has read a chain; where that is more than was found here, it is asked for again.
    private mutating func know(_ device: DeviceID, _ number: UInt64) {
        guard number > known[device] ?? 0 else { return }
        known[device] = number
        guard let chain = state.chains[device] else { return }
        let next = ahead[device]?.firstUnread(after: chain.seen.number) ?? chain.seen.number + 1
        if next <= number {
            notThere.remove(Place(kind: .segment, epoch: chain.epoch, device: device, number: next))
        }
    }

    /// Takes what a segment says about other devices, before its own turn has come.
    private mutating func learn(_ segment: Segment) -> Bool {
        var isNew = false
        for device in segment.vector.keys.sorted() where follow(device) {
            isNew = true
            if isStarted { askNext(device) }
        }
        for (device, mark) in segment.vector { know(device, mark.number) }
        if !segment.retired.isSubset(of: state.retired) {
            state.retired.formUnion(segment.retired)
            isNew = true
        }
        if state.retired.contains(state.device) {
            state.retired.remove(state.device)
            let old = state.device
            takeNewIdentity()
            state.retired.insert(old)
            isNew = true
        }
        for device in segment.forked.sorted() {
            isNew = follow(device) || isNew
            device == state.device ? wasSetBack(isForked: true) : foundFork(device)
        }
        if let own = segment.vector[state.device] {
            let reach = max(state.own.number, state.outgoing?.place.number ?? 0)
            let isOther = own.number == state.own.number && own.digest != state.own.digest
            if rules.contains(.forksFound), own.number > reach || isOther { wasSetBack(isForked: isOther) }
        }
        compare(segment)
        return isNew
    }

    /// Compares what a segment quotes with what was read here under these numbers.
    mutating func compare(_ segment: Segment) {
        for (device, mark) in segment.vector.sorted(by: { $0.key < $1.key }) {
            guard let chain = state.chains[device], chain.epoch == segment.place.epoch else { continue }
            let read =
                chain.seen.number == mark.number
                ? chain.seen.digest : ahead[device]?[mark.number]?.digest ?? applied[device]?[mark.number]
            if let read, read != mark.digest { foundFork(device) }
        }
    }
}
