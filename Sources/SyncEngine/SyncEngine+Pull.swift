// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

extension SyncEngine {
    /// Asks each chain for its next segment: one request a device when nothing is new.
    mutating func poll(live: Int) {
        guard isStarted else { return }
        self.live = live
        removals = 0
        asked.removeAll(keepingCapacity: true)
        for device in state.chains.keys.sorted() {
            // Whether one that was over before its epoch was has ended it all the same is asked once a session.
            if state.chains[device]?.isLate == true, !lateAsked.insert(device).inserted { continue }
            askNext(device)
        }
        sweep()
    }

    mutating func askNext(_ device: DeviceID) {
        guard let chain = state.chains[device], !held.contains(device), !chain.hasEnded else { return }
        guard chain.epoch == state.epoch || chain.isLate || !state.retired.contains(device) else { return }
        let next = chain.seen.number + 1
        guard stash[device]?[next] == nil else { return }
        get(Place(kind: .segment, epoch: chain.epoch, device: device, number: next))
    }

    /// Where a segment is not, a span may hold it: looked for once a session, where a span was found, and where it is
    /// known that more is there. Only where none of any level is, something is hidden.
    private mutating func askAbove(_ place: Place, _ chain: SyncState.Chain) {
        let (device, next) = (place.device, chain.seen.number + 1)
        guard stash[device]?[next] == nil else { return }
        var level = 1
        if case .span(let below) = place.kind {
            guard place.number == span(below, over: next) else { return }
            level = below + 1
        } else {
            guard place.number == next, spansAsked.insert(device).inserted || (known[device] ?? 0) >= next else {
                return
            }
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
        switch answer {
        case .failed: break
        case .absent:
            // The pull that its owner allowed has come to its end; the next one is looked at again.
            if place.kind == .segment, (known[place.device] ?? 0) < place.number { allowed.remove(place.device) }
            askAbove(place, chain)
        case .unreadable:
            askAbove(place, chain)
            guard place.kind == .segment, place.number == chain.seen.number + 1 else { break }
            suspect(.unreadable(place), .unreadable(place))
            if !rules.contains(.tornIsNotYet) {
                state.chains[place.device]?.seen = Mark(number: place.number, digest: .zero)
                record()
            }
        case .segment(let opened): receive(place.device, [opened])
        case .span(let segments):
            let next = chain.seen.number + 1
            if segments.contains(where: { $0.segment.place.number == next }) {
                // Where one span is, another may follow, whose segments nobody quotes any more.
                spansAsked.remove(place.device)
                receive(place.device, segments)
            } else {
                // It leaves out what is asked for.
                keep(place.device, segments)
                askAbove(place, chain)
            }
        }
    }

    private mutating func receive(_ device: DeviceID, _ segments: [OpenedSegment]) {
        keep(device, segments)
        applyAll()
        askNext(device)
    }

    private mutating func keep(_ device: DeviceID, _ segments: [OpenedSegment]) {
        var isNew = false
        for opened in segments {
            let place = opened.segment.place
            let seen = state.chains[device]?.seen.number ?? 0
            guard place.device == device, place.kind == .segment, place.number > seen else { continue }
            if let other = stash[device]?[place.number], other.digest != opened.digest { foundFork(device) }
            stash[device, default: [:]][place.number] = opened
            known[device] = max(known[device] ?? 0, place.number)
            if place.epoch == state.epoch { isNew = learn(opened.segment) || isNew }
        }
        if isNew { record() }
    }

    /// What a segment says about others counts before its own turn has come.
    private mutating func learn(_ segment: Segment) -> Bool {
        var isNew = false
        for device in segment.vector.keys { isNew = follow(device) || isNew }
        for (device, mark) in segment.vector { known[device] = max(known[device] ?? 0, mark.number) }
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

    private mutating func applyAll() {
        var isProgress = true
        while isProgress {
            isProgress = false
            for device in stash.keys.sorted() {
                let before = state.chains[device]?.seen
                while applyNext(device) { isProgress = true }
                // What waited for another chain goes on at once, not with the next poll.
                if state.chains[device]?.seen != before { askNext(device) }
            }
        }
    }

    private mutating func applyNext(_ device: DeviceID) -> Bool {
        guard let chain = state.chains[device], !chain.hasEnded, let opened = stash[device]?[chain.seen.number + 1]
        else { return false }
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
            stash[device] = stash[device]?.filter { $0.key > mark.number }
        }
    }

    private mutating func advance(_ opened: OpenedSegment) {
        let place = opened.segment.place
        state.suspicions[.hidden(place.device)] = nil
        state.suspicions[.unreadable(place)] = nil
        stash[place.device]?[place.number] = nil
        if stash[place.device]?.isEmpty == true { stash[place.device] = nil }
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
