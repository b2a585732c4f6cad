// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

extension SyncEngine {
    /// Asks each chain for its next segment: one request a device when nothing is new.
    mutating func poll(live: Int) {
        guard isStarted else { return }
        self.live = live
        removals = 0
        asked.removeAll(keepingCapacity: true)
        ends.removeAll(keepingCapacity: true)
        for device in state.chains.keys.sorted() {
            // Whether one that was over before its epoch was has ended it all the same is asked once a session.
            if state.chains[device]?.isLate == true, !lateAsked.insert(device).inserted { continue }
            askNext(device)
        }
        sweep()
    }

    /// Asks a chain for the first segment that was not read, also where those before it wait to be applied: an epoch
    /// may end there.
    mutating func askNext(_ device: DeviceID) {
        guard let chain = state.chains[device], !held.contains(device), !chain.hasEnded else { return }
        guard chain.epoch == state.epoch || chain.isLate || !state.retired.contains(device) else { return }
        let next = firstUnread(device, chain)
        let isFull = (ahead[device]?.size ?? 0) >= limits.aheadMax / state.chains.count
        guard ends[device] != next, next == chain.seen.number + 1 || !isFull else { return }
        guard ahead[device]?.ending(after: chain.seen.number) == nil else { return }
        get(Place(kind: .segment, epoch: chain.epoch, device: device, number: next))
    }

    private mutating func firstUnread(_ device: DeviceID, _ chain: SyncState.Chain) -> UInt64 {
        ahead[device]?.firstUnread(after: chain.seen.number) ?? chain.seen.number + 1
    }

    /// Where a segment is not, a span may hold it: looked for once a session, where a span was found, and where it is
    /// known that more is there. Only where none of any level is, something is hidden.
    private mutating func askAbove(_ place: Place, _ chain: SyncState.Chain) {
        let (device, next) = (place.device, firstUnread(place.device, chain))
        var level = 1
        if case .span(let below) = place.kind {
            guard place.number == span(below, over: next) else { return }
            level = below + 1
        } else {
            guard place.number == next else { return }
            ends[device] = next
            guard spansAsked.insert(device).inserted || (known[device] ?? 0) >= next else { return }
        }
        if Self.levels.contains(level) {
            let number = span(level, over: next)
            get(Place(kind: .span(level: level), epoch: chain.epoch, device: device, number: number))
        } else if (known[device] ?? 0) >= next, !state.forked.contains(device) {
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
        switch answer {
        case .failed: break
        case .absent:
            // The pull that its owner allowed has come to its end; the next one is looked at again.
            if place.kind == .segment, (known[place.device] ?? 0) < place.number { allowed.remove(place.device) }
            askAbove(place, chain)
        case .unreadable:
            let isNext = place.kind == .segment && place.number == firstUnread(place.device, chain)
            askAbove(place, chain)
            guard isNext else { break }
            suspect(.unreadable(place), .unreadable(place))
            if !rules.contains(.tornIsNotYet), place.number == chain.seen.number + 1 {
                state.chains[place.device]?.seen = Mark(number: place.number, digest: .zero)
                record()
            }
        case .segment(let opened):
            keep(place.device, [opened])
            askNext(place.device)
        case .span(let segments):
            let next = firstUnread(place.device, chain)
            keep(place.device, segments)
            if segments.contains(where: { $0.segment.place.number == next }) {
                // Where one span is, another may follow, whose segments nobody quotes any more.
                spansAsked.remove(place.device)
                askNext(place.device)
            } else {
                // It leaves out what is asked for.
                askAbove(place, chain)
            }
        }
    }

    private mutating func keep(_ device: DeviceID, _ segments: [OpenedSegment]) {
        var isNew = false
        for opened in segments {
            let place = opened.segment.place
            let seen = state.chains[device]?.seen.number ?? 0
            guard place.device == device, place.kind == .segment, place.number > seen else { continue }
            if let other = ahead[device]?[place.number], other.digest != opened.digest { foundFork(device) }
            ahead[device, default: ReadAhead()].insert(opened)
            know(device, place.number)
            if place.epoch == state.epoch { isNew = learn(opened.segment) || isNew }
        }
        if isNew { record() }
    }

    /// More is there than was found before: it is asked for again.
    private mutating func know(_ device: DeviceID, _ number: UInt64) {
        guard number > known[device] ?? 0 else { return }
        known[device] = number
        if let end = ends[device], end <= number { ends[device] = nil }
    }

    /// What a segment says about others counts before its own turn has come.
    private mutating func learn(_ segment: Segment) -> Bool {
        var isNew = false
        for device in segment.vector.keys { isNew = follow(device) || isNew }
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
        for (device, mark) in segment.vector.sorted(by: { $0.key < $1.key }) {
            guard let seen = state.chains[device]?.seen, seen.number == mark.number else { continue }
            if seen.digest != mark.digest { foundFork(device) }
        }
        return isNew
    }

    /// Applies what was read and whose turn has come. Where it is read that the epoch ends, nothing beyond the cut is
    /// applied before that ending is.
    private mutating func applyAll() {
        guard !ahead.isEmpty else { return }
        for ending in endingsAhead() { apply(through: ending.cut) }
        if endingsAhead().isEmpty { apply(through: nil) }
    }

    /// Endings of this epoch that were read and not applied. The one that counts is the first.
    private mutating func endingsAhead() -> [Ending] {
        guard !state.isEnded, rules.contains(.epochCut) else { return [] }
        var endings: [Ending] = []
        for device in ahead.keys where !state.forked.contains(device) {
            guard let chain = state.chains[device], chain.epoch == state.epoch else { continue }
            if let ending = ahead[device]?.ending(after: chain.seen.number) { endings.append(ending) }
        }
        return endings.sorted { $0.header < $1.header }
    }

    private mutating func apply(through cut: [DeviceID: UInt64]?) {
        var isProgress = true
        while isProgress {
            isProgress = false
            for device in ahead.keys.sorted() {
                let before = state.chains[device]?.seen
                while isWithin(cut, device), applyNext(device) { isProgress = true }
                // What waited for another chain goes on at once, not with the next poll.
                if state.chains[device]?.seen != before { askNext(device) }
            }
        }
    }

    private func isWithin(_ cut: [DeviceID: UInt64]?, _ device: DeviceID) -> Bool {
        guard let cut, let chain = state.chains[device], chain.epoch == state.epoch else { return true }
        return chain.seen.number < cut[device] ?? 0
    }

    /// Another chain that is still being read may hold the end of the epoch.
    private func isReadElsewhere(than device: DeviceID) -> Bool {
        asked.contains { place in
            guard place.device != device, let chain = state.chains[place.device] else { return false }
            return place.epoch == state.epoch && chain.epoch == state.epoch && !state.forked.contains(place.device)
        }
    }

    private mutating func applyNext(_ device: DeviceID) -> Bool {
        guard let chain = state.chains[device], !chain.hasEnded, let opened = ahead[device]?[chain.seen.number + 1]
        else { return false }
        guard !rules.contains(.epochCut) || !isReadElsewhere(than: device) else { return false }
        let segment = opened.segment
        if isScanned(chain) { return scan(opened) }
        if segment.previous != chain.seen.digest, !state.forked.contains(device) {
            if rules.contains(.tornIsNotYet) { foundFork(device) }
            if rules.contains(.forksFound) { return false }
        }
        guard !rules.contains(.causalOrder) || segment.isWholeState || missing(segment).isEmpty else { return false }
        guard guardAllows(segment, of: device) else { return false }
        advance(opened)
        if !segment.isPart || !rules.contains(.partsPassNothing) {
            state.chains[device]?.passed = segment.vector.mapValues(\.number)
        }
        if segment.isWholeState { takeWholeState(segment) }
        let isNew = learn(segment.ending)
        commit(segment)
        if isNew, let header = segment.nextHeader { effects.append(.needKey(header)) }
        return true
    }

    /// What the chains say that it names, it has said too.
    private mutating func takeWholeState(_ segment: Segment) {
        state.isWhole = true
        for (device, mark) in segment.vector where device != state.device && !state.forked.contains(device) {
            guard let chain = state.chains[device], chain.seen.number < mark.number else { continue }
            state.chains[device]?.seen = mark
            ahead[device]?.remove(through: mark.number)
        }
    }

    private mutating func advance(_ opened: OpenedSegment) {
        let place = opened.segment.place
        state.suspicions[.hidden(place.device)] = nil
        state.suspicions[.unreadable(place)] = nil
        ahead[place.device]?.remove(place.number)
        if ahead[place.device]?.isEmpty == true { ahead[place.device] = nil }
        state.chains[place.device]?.seen = Mark(number: place.number, digest: opened.digest)
        if opened.segment.nextHeader != nil { state.chains[place.device]?.hasEnded = true }
    }

    /// Reads a segment of a chain whose epoch has ended: nothing beyond the cut is taken but another ending.
    private mutating func scan(_ opened: OpenedSegment) -> Bool {
        let device = opened.segment.place.device
        if rules.contains(.epochCut), let chain = state.chains[device], chain.taken == nil {
            state.chains[device]?.taken = chain.seen
        }
        advance(opened)
        let isNew = learn(opened.segment.ending)
        if rules.contains(.epochCut) { record() } else { commit(opened.segment) }
        if isNew, let header = opened.segment.nextHeader { effects.append(.needKey(header)) }
        return true
    }

    private mutating func commit(_ segment: Segment) {
        let (device, number) = (segment.place.device, segment.place.number)
        if rules.contains(.commitWithNumber) {
            effects.append(.commit(device, number, segment.entries, state))
        } else {
            record()
            effects.append(.commit(device, number, segment.entries, nil))
        }
        if state.forked.contains(device), !segment.entries.isEmpty { retellForked(device) }
    }

    /// Returns the devices of which the writer of a segment had read something that this device has not.
    private func missing(_ segment: Segment) -> [DeviceID] {
        segment.vector.filter { device, mark in
            device != state.device && !state.forked.contains(device) && !segment.forked.contains(device)
                && (state.chains[device]?.seen.number ?? 0) < mark.number
        }.keys.sorted()
    }

    private mutating func guardAllows(_ segment: Segment, of device: DeviceID) -> Bool {
        let count = segment.entries.count(where: \.removes)
        guard rules.contains(.massGuard), count > 0, !allowed.contains(device) else { return true }
        guard removals + count > max(limits.removalsMin, live / 10) else {
            removals += count
            return true
        }
        held.insert(device)
        alarm(.massChange(device, count: removals + count))
        return false
    }

    mutating func allow(_ device: DeviceID) {
        allowed.insert(device)
        held.remove(device)
        told = told.filter { if case .massChange(device, _) = $0 { false } else { true } }
        applyAll()
        askNext(device)
    }
}
