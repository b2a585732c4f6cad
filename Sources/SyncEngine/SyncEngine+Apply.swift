// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// What was read is applied when its turn has come: in the order of its chain, after what its writer had read, and not
/// beyond the end of its epoch.
extension SyncEngine {
    mutating func applyAll() {
        guard !ahead.isEmpty else { return }
        learnEndings()
        var isProgress = true
        while isProgress {
            isProgress = false
            for device in ahead.keys.sorted() {
                while applyNext(device) { isProgress = true }
                // What waited for another chain, or for room, goes on at once, not with the next poll.
                askNext(device)
            }
        }
    }

    /// Takes the ends of the epoch that were read, whatever else they wait for: of what lies beyond its cut nothing
    /// more is taken.
    private mutating func learnEndings() {
        guard rules.contains(.epochCut) else { return }
        for device in ahead.keys.sorted() {
            guard let chain = state.chains[device], chain.epoch == state.epoch,
                let ending = ahead[device]?.ending(after: chain.seen.number), learn(ending)
            else { continue }
            record()
            effects.append(.needKey(ending.header))
        }
    }

    /// Returns whether a segment lies within the cuts of all endings of this epoch, and all before it was taken.
    private func isWithinCuts(_ segment: Segment, _ chain: SyncState.Chain) -> Bool {
        guard rules.contains(.epochCut), chain.epoch == state.epoch, chain.taken == nil else { return false }
        return state.endings.values.allSatisfy { ending in
            ending.epoch != state.epoch || segment.place.number <= ending.cut[segment.place.device] ?? 0
        }
    }

    private mutating func applyNext(_ device: DeviceID) -> Bool {
        guard let chain = state.chains[device], !chain.hasEnded, let opened = ahead[device]?[chain.seen.number + 1]
        else { return false }
        let segment = opened.segment
        if isScanned(chain), !isWithinCuts(segment, chain) { return scan(opened) }
        guard !held.contains(device), !rules.contains(.epochCut) || !isReadElsewhere(than: device) else { return false }
        if segment.previous != chain.seen.digest, !state.forked.contains(device) {
            if rules.contains(.tornIsNotYet) { foundFork(device) }
            if rules.contains(.forksFound) { return false }
        }
        guard !rules.contains(.causalOrder) || segment.isWholeState || missing(segment).isEmpty else { return false }
        guard guardAllows(segment, of: device) else { return false }
        let forked = state.forked
        compare(segment)
        // A chain that says two things is read again first.
        guard state.forked == forked else { return true }
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

    /// Counts as read what the chains say that a whole state names: it has said that too.
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
        if suspected[place.device] == nil { state.suspicions[.hidden(place.device)] = nil }
        state.suspicions[.unreadable(place)] = nil
        ahead[place.device]?.remove(place.number)
        applied[place.device, default: [:]][place.number] = opened.digest
        state.chains[place.device]?.seen = Mark(number: place.number, digest: opened.digest)
        if opened.segment.nextHeader != nil {
            state.chains[place.device]?.hasEnded = true
            // Nothing behind it is taken: what was read ahead holds no room.
            ahead[place.device] = nil
        }
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
            guard device != state.device, device != segment.place.device, !state.forked.contains(device),
                !segment.forked.contains(device)
            else { return false }
            let chain = state.chains[device]
            return (chain?.taken ?? chain?.seen ?? .none).number < mark.number
        }.keys.sorted()
    }

    private mutating func guardAllows(_ segment: Segment, of device: DeviceID) -> Bool {
        // A note that goes to the trash and is purged goes once.
        let notes = Set(segment.entries.lazy.filter(\.removes).map(\.note))
        guard rules.contains(.massGuard), !notes.isEmpty, !allowed.contains(device) else { return true }
        let all = removed.union(notes)
        guard all.count > max(limits.removalsMin, live / 10) else {
            removed = all
            return true
        }
        held.insert(device)
        alarm(.massChange(device, count: all.count))
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
