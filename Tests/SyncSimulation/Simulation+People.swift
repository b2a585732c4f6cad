// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

@_spi(Simulation) import SyncEngine

extension Simulation {
    mutating func create(_ index: Int) {
        nextEdit += 1
        let content = NoteContent(text: nextEdit, field: nextEdit, edits: [nextEdit])
        vaults[index].write(Entry(id: identifier(), note: identifier(), parents: [], body: content.body))
    }

    /// A person edits what is shown, which is the last head.
    private mutating func change(_ index: Int, removes: Bool = false, _ change: (inout NoteContent) -> Void) {
        guard let note = vaults[index].notes.randomElement(using: &random), let head = vaults[index].heads(note).last,
            var content = vaults[index].content(head)
        else { return }
        // Whoever sees many heads ends the conflict.
        var parents = [head]
        if vaults[index].heads(note).count > 2 {
            parents = vaults[index].heads(note)
            let edits = parents.compactMap { vaults[index].content($0)?.edits }
            content.edits = Set(edits.joined()).sorted()
        }
        change(&content)
        vaults[index].write(
            Entry(id: identifier(), note: note, parents: parents, removes: removes, body: content.body))
    }

    mutating func edit(_ index: Int) {
        nextEdit += 1
        let number = nextEdit
        let isText = random.chance(30)
        change(index) { content in
            if isText { content.text = number } else { content.field = number }
            content.edits.append(number)
        }
    }

    mutating func flag(_ index: Int, _ isTrashed: Bool) {
        change(index, removes: isTrashed) { $0.isTrashed = isTrashed }
    }

    mutating func purge(_ index: Int) {
        guard let note = vaults[index].notes.randomElement(using: &random) else { return }
        purge(index, note)
    }

    private mutating func purge(_ index: Int, _ note: NoteID) {
        let heads = vaults[index].heads(note)
        guard !heads.isEmpty else { return }
        vaults[index].write(
            Entry(id: identifier(), note: note, kind: .purge, parents: heads, removes: true, body: []))
    }

    mutating func purgeMany(_ index: Int) {
        for _ in 0..<12 { create(index) }
        for note in vaults[index].notes.shuffled(using: &random).prefix(15) { purge(index, note) }
    }

    // MARK: Owners of devices

    mutating func restore(_ index: Int) {
        guard let backup = backups[index], backup.state.epoch == vaults[index].disk.state.epoch else { return }
        vaults[index].disk = backup
        vaults[index].restart(.restored)
        work(index, until: 40)
    }

    /// The vault's folder is copied to another machine, and both go on.
    mutating func copy(_ index: Int) {
        var copy = vaults[index]
        copy = SimulatedVault(index: vaults.count, state: copy.disk.state, rules: rules)
        copy.disk = vaults[index].disk
        copy.restart(.restored)
        vaults.append(copy)
        work(copy.index, until: 40)
    }

    /// A new device, from the remote alone.
    mutating func clone(_ index: Int) {
        let state = SyncState(device: identifier(), epoch: vaults[index].disk.state.epoch)
        let new = vaults.count
        vaults.append(SimulatedVault(index: new, state: state, rules: rules))
        vaults[new].restart(.started)
        work(new, until: 40)
        vaults[new].inbox.append(.poll(live: 0))
        work(new, until: 100)
    }

    /// One rotation at a time: two at once are the header's affair.
    mutating func rotate(_ index: Int) {
        guard vaults.allSatisfy({ $0.disk.state.epoch == 0 && $0.disk.state.cut == nil }), stolen.isEmpty else {
            return
        }
        vaults[index].inbox.append(.rotate)
        for vault in vaults { stolen[vault.disk.state.device] = vault.disk.state.own.number }
        work(index, until: 10)
        for _ in 0..<6 {
            vaults[index].inbox.append(.flush(heartbeat: false))
            work(index, until: 40)
        }
    }

    /// Whoever has the keys of the ended epoch writes under a device's next number.
    mutating func steal() {
        guard let device = stolen.keys.sorted().randomElement(using: &random), let victim = vaults.first,
            vaults.contains(where: { $0.disk.state.epoch > 0 })
        else { return }
        for vault in vaults where vault.disk.state.epoch == 0 { if vault.disk.state.device == device { return } }
        guard let note = victim.notes.first else { return }
        var last = Mark.none
        for number in 1...200 {
            let place = Place(kind: .segment, epoch: 0, device: device, number: UInt64(number))
            guard case .segment(let opened)? = store.objects[place] else { continue }
            last = Mark(number: UInt64(number), digest: opened.digest)
        }
        let entry = Entry(
            id: identifier(), note: note, parents: [], body: NoteContent(text: 9, field: 9, edits: []).body)
        thiefEntries.insert(entry.id)
        let place = Place(kind: .segment, epoch: 0, device: device, number: last.number + 1)
        let segment = Segment(place: place, previous: last.digest, entries: [entry])
        sealings += 1
        let digest = Digest(mixed(sealings), 7, sealings, 1)
        store.plant(place, .segment(OpenedSegment(segment: segment, digest: digest)))
    }

    /// The owner has lost a device, and says so on another.
    mutating func retire(_ index: Int) {
        let other = Int(random.next() % UInt64(vaults.count))
        guard other != index, vaults.count(where: { !$0.isGone }) > 2 else { return }
        if random.chance(50) { vaults[other].isGone = true }
        vaults[index].inbox.append(.retire(vaults[other].disk.state.device))
    }

    /// A machine goes back with everything that it knows, its pins too.
    mutating func setBack(_ index: Int) {
        guard let backup = backups[index] else { return }
        wasSetBack = true
        vaults[index].disk = backup
        vaults[index].restart(.started)
    }
}
