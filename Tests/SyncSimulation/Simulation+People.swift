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
        guard let backup = backups[index] else { return }
        goBack(index, backup)
        ghosts.append(backup.state.device)
        vaults[index].restart(.restored)
        work(index, until: 40)
    }

    private mutating func goBack(_ index: Int, _ backup: SimulatedVault.Disk) {
        let device = vaults[index].disk.state.device
        if device != backup.state.device { ghosts.append(device) }
        vaults[index].disk = backup
        vaults[index].given = nil
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
        let source = vaults[index].disk.state
        let state = SyncState(device: identifier(), epoch: source.epoch, header: source.header)
        let new = vaults.count
        vaults.append(SimulatedVault(index: new, state: state, rules: rules))
        vaults[new].disk.headers = vaults[index].disk.headers
        vaults[new].restart(.born)
        work(new, until: 40)
        vaults[new].inbox.append(.poll(live: 0))
        work(new, until: 100)
    }

    /// Another device may be at it too, or have done it without this one having heard.
    mutating func rotate(_ index: Int) {
        let here = vaults[index].disk.state
        guard here.epoch < 2, !here.isEnded else { return }
        // Of two ends of one epoch neither branch may go on to another end before the devices have met: decision 0045.
        let others = vaults.map(\.disk.state)
        if here.epoch == 0, others.contains(where: { $0.epoch > 1 }) { return }
        if here.epoch > 0, !others.allSatisfy({ $0.epoch == here.epoch && $0.header == here.header }) { return }
        let header = Digest(random.next(), random.next(), 0, 1)
        headers.insert(header)
        vaults[index].inbox.append(.rotate(header))
        for vault in vaults where vault.disk.state.epoch == vaults[index].disk.state.epoch {
            let device = vault.disk.state.device
            stolen[device] = vault.address(Place(kind: .card, epoch: vault.disk.state.epoch, device: device))
        }
        work(index, until: 10)
        for _ in 0..<6 {
            vaults[index].inbox.append(.flush(heartbeat: false))
            work(index, until: 40)
        }
    }

    /// Whoever has the keys of an ended epoch writes under a device's next number: entries, or another end.
    mutating func steal() {
        guard let device = stolen.keys.sorted().randomElement(using: &random), let stolen = stolen[device],
            let note = vaults[0].notes.first
        else { return }
        let epoch = stolen.place.epoch
        guard vaults.contains(where: { $0.disk.state.epoch > epoch }),
            !vaults.contains(where: { $0.disk.state.epoch == epoch && $0.disk.state.device == device })
        else { return }
        var last = Mark.none
        func address(_ number: UInt64) -> Address {
            Address(
                place: Place(kind: .segment, epoch: epoch, device: device, number: number), header: stolen.header)
        }
        for number in 1...200 as ClosedRange<UInt64> {
            guard case .segment(let opened)? = store.objects[address(number)] else { continue }
            last = Mark(number: number, digest: opened.digest)
        }
        let entry = Entry(
            id: identifier(), note: note, parents: [], body: NoteContent(text: 9, field: 9, edits: []).body)
        thiefEntries.insert(entry.id)
        let place = address(last.number + 1)
        let segment = Segment(
            place: place.place, previous: last.digest,
            nextHeader: random.chance(30) ? Digest(0, random.next(), 0, 2) : nil, entries: [entry])
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
        goBack(index, backup)
        vaults[index].restart(.started)
    }
}
