// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

@_spi(Simulation) import SyncEngine

extension Simulation {
    /// All faults end, everybody reads and speaks some more; then all must have the same.
    mutating func settle() {
        isSettling = true
        store.becomeFaultless()
        for round in 0..<14 {
            for index in vaults.indices where !vaults[index].isGone {
                now += 400
                vaults[index].restart(.started)
                work(index, until: 4000)
                if round == 2, store.hasRewound { vaults[index].inbox.append(.repair) }
                // Nobody but the owner can say that an identity is over which a device has forgotten.
                if round == 4 { ghosts += vaults.filter(\.isGone).map(\.disk.state.device) }
                if round == 5 { vaults[index].inbox += ghosts.map { .retire($0) } }
                // The device that has rotated the keys was set back, and does not know that it owes the whole state.
                if round == 4, !vaults.contains(where: \.engine.state.isWhole) {
                    vaults[index].inbox.append(.speakFirst)
                }
                for _ in 0..<4 {
                    vaults[index].inbox.append(.poll(live: vaults[index].live))
                    work(index, until: 4000)
                    vaults[index].inbox.append(.flush(heartbeat: round < 8))
                    work(index, until: 4000)
                }
                for _ in 0..<30 where !vaults[index].engine.isIdle && failures.isEmpty && round < 13 {
                    let before = vaults[index].engine.state
                    vaults[index].inbox.append(.flush(heartbeat: false))
                    work(index, until: 4000)
                    if vaults[index].engine.state == before { break }
                }
            }
            if !failures.isEmpty { return }
        }
        check()
    }

    private mutating func check() {
        let here = vaults.filter { !$0.isGone }
        guard let first = here.first else { return }
        for vault in here {
            if vault.disk.state.outgoing != nil || Int(vault.disk.state.sentThrough) < vault.disk.log.count {
                fail(
                    "device \(vault.index) has not sent all: \(vault.disk.state.sentThrough) of \(vault.disk.log.count)"
                )
            }
        }
        for vault in here.dropFirst() {
            let (one, other) = (first.disk.state, vault.disk.state)
            if one.epoch != other.epoch || one.header != other.header { fail("devices are in different epochs") }
            let missing = first.disk.order.count { vault.disk.entries[$0] == nil }
            let more = vault.disk.order.count { first.disk.entries[$0] == nil }
            if missing + more > 0 { fail("devices differ: \(missing) entries here, \(more) there") }
            for note in first.notes where first.heads(note) != vault.heads(note) {
                fail("heads of a note differ")
                break
            }
        }
        checkEdits(first)
        checkJoins(first)
        checkStore(here)
    }

    /// Each edit that was sent is in a head, or a purge reached it.
    private mutating func checkEdits(_ vault: SimulatedVault) {
        var shown: [NoteID: Set<UInt32>] = [:]
        for note in vault.notes {
            for head in vault.heads(note) { shown[note, default: []].formUnion(vault.content(head)?.edits ?? []) }
        }
        var purged: [NoteID: Set<RevisionID>] = [:]
        for entry in vault.disk.entries.values where entry.kind == .purge {
            for parent in entry.parents {
                purged[entry.note, default: []].formUnion(vault.disk.graphs[entry.note]?.ancestors(parent) ?? [])
            }
        }
        let others = vaults.contains { $0.isGone }
        let stored = stored(vault.disk.state).subtracting(thiefEntries)
        if stored.contains(where: { vault.disk.entries[$0] == nil }) { fail("what lies in the store is not there") }
        for (id, entry) in published where entry.kind == .revision && !thiefEntries.contains(id) {
            guard vault.disk.entries[id] != nil else {
                if !others, !wasSetBack, scenario.thieves == 0 { fail("what was sent is not there") }
                continue
            }
            if purged[entry.note]?.contains(id) == true { continue }
            let edits = NoteContent(entry.body).edits
            if !edits.allSatisfy({ shown[entry.note]?.contains($0) == true }) { fail("an edit is lost") }
        }
    }

    /// The entries of all that the store shows of an epoch.
    private func stored(_ state: SyncState) -> Set<RevisionID> {
        var found: Set<RevisionID> = []
        for (address, object) in store.objects {
            guard address.place.epoch == state.epoch, address.header == state.header ?? .zero else { continue }
            switch object {
            case .segment(let opened): found.formUnion(opened.segment.entries.map(\.id))
            case .span(let segments): for opened in segments { found.formUnion(opened.segment.entries.map(\.id)) }
            case .card, .torn: break
            }
        }
        return found
    }

    /// A segment may go when all have read it that its writer knows of, and that are not over.
    mutating func checkRemoval(_ index: Int, _ place: Place) {
        guard place.kind == .segment, scenario.setbacks == 0 else { return }
        let writer = vaults[index].engine.state
        for vault in vaults where vault.index != index && !vault.isGone {
            let state = vault.engine.state
            guard writer.chains[state.device]?.epoch == place.epoch, !writer.retired.contains(state.device) else {
                continue
            }
            if state.chains[place.device]?.seen.number ?? 0 < place.number { fail("a segment went that was not read") }
        }
    }

    private mutating func checkJoins(_ vault: SimulatedVault) {
        var made: Set<[RevisionID]> = []
        let joins = vaults.reduce(into: Set()) { $0.formUnion($1.joins) }
        for (id, entry) in vault.disk.entries where joins.contains(id) {
            counts.joins += 1
            if !made.insert(entry.parents).inserted { fail("the same heads were joined twice, under two names") }
        }
        for note in vault.notes { counts.conflicts += max(0, vault.heads(note).count - 1) }
    }

    /// What a new device would find: every segment of a chain that is followed, or a span over it.
    private mutating func checkStore(_ here: [SimulatedVault]) {
        guard let first = here.first else { return }
        for vault in here where vault.engine.passedByAll(vault.engine.state.device) + 12 < vault.engine.state.own.number
        {
            fail("nothing may ever be removed")
        }
        let state = first.engine.state
        var clone = SimulatedVault(
            index: vaults.count, state: SyncState(device: identifier(), epoch: state.epoch, header: state.header),
            rules: rules)
        clone.restart(.started)
        vaults.append(clone)
        work(clone.index, until: 4000)
        for _ in 0..<6 {
            vaults[clone.index].inbox.append(.poll(live: 0))
            work(clone.index, until: 4000)
        }
        let missing = first.disk.order.count { vaults[clone.index].disk.entries[$0] == nil }
        if missing > 0, !vaults.contains(where: \.isGone) { fail("a new device misses \(missing) entries") }
        vaults.removeLast()
    }

    // MARK: Alarms

    mutating func raise(_ index: Int, _ alarm: Alarm) {
        counts.alarms += 1
        vaults[index].alarms.insert(alarm)
        switch alarm {
        case .massChange(let device, _):
            guard isSettling || random.chance(50) else { break }
            vaults[index].isAllowed = true
            vaults[index].inbox.append(.allow(device))
        case .unreadable: break
        case .forked:
            counts.forks += 1
            if scenario.forksAreFalse, !store.hasLied { falseAlarm("a fork") }
        case .setBack:
            counts.forks += 1
            if scenario.setbacks == 0, !store.hasLied { falseAlarm("a device that was set back") }
        case .hidden: if !store.hasLied { falseAlarm("something hidden") }
        case .lost: if !store.hasLied { falseAlarm("something lost") }
        }
    }

    private mutating func falseAlarm(_ what: String) {
        counts.falseAlarms += 1
        fail("a false alarm: \(what)")
    }

    mutating func count() { counts.runs = 1 }
}
