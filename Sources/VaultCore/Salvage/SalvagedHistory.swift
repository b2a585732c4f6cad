// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import VaultCrypto
internal import VaultFormat

/// A `SalvagedHistory` is the history that belongs to what was found: the device's chain where it is unbroken, else a
/// new device's, which names every revision that is there.
///
/// An unbroken chain is kept as it is. What it names and no page has is taken out of it by new entries at its end: a
/// head gets a successor with the text of the newest revision that opens, a lost note is purged, other revisions are
/// dropped. A chain with a gap proves nothing of what follows the gap, so another device's takes its place
/// (docs/decisions/0025).
struct SalvagedHistory {
    /// A `Step` is an entry that is still to be written.
    struct Step {
        let operation: Entry.Operation
        let note: NoteID
        let revision: RevisionID
        let parents: [RevisionID]
        /// The revision whose content a new one has.
        var copyOf: RevisionID?
    }

    let device: [UInt8]
    /// The device's entries, unbroken from the first one on; none of a new device.
    let kept: [Entry]
    /// Entries of other devices, which are kept as they are.
    let others: [Entry]
    /// Whether it is a new device's.
    let isNew: Bool
    private(set) var steps: [Step] = []
    private(set) var loss = SalvageLoss()

    /// Where each revision was made, which revisions and notes were removed, and what the notes' heads are, as far as
    /// entries tell.
    private var expected: [RevisionID: NoteID] = [:]
    private var order: [RevisionID: Int] = [:]
    private var made: [RevisionID: Entry] = [:]
    private var dropped: Set<RevisionID> = []
    private var purges = PurgeReach([], NoteHeads())
    private var purgedNotes: Set<NoteID> = []
    private var namedByOthers: Set<RevisionID> = []
    private var heads = NoteHeads()
    private let stateIsKnown: Bool
    /// Whether the newest counters are there and name exactly this chain: nothing can have followed it then, unless
    /// they are old themselves.
    let endsAsStated: Bool
    /// Whether the counters lie on an older page and name this chain, and no newest page has anything that it does not
    /// name: the index as a whole is of an earlier moment, or of another copy of the vault. Then what it names is what
    /// there is.
    private let isOfItsTime: Bool

    /// Makes the history of what was found.
    ///
    /// - Parameter index: all of whose pages are read.
    init(_ index: SalvagedIndex) {
        // Where nothing says which device's vault it is, nobody goes on as any of them.
        let device = index.state?.device ?? index.entries.onlyDevice ?? []
        others = index.entries.others(than: device)
        let (chain, isUnbroken, endsAsStated) = Self.chain(index, device)
        stateIsKnown = index.state != nil
        self.endsAsStated = endsAsStated
        isOfItsTime =
            isUnbroken && index.state?.isOlder == true && UInt64(chain.count) == index.state?.sequence
            && Self.holdsNothingNewer(index, chain + others)
        let known = isUnbroken ? chain : index.entries.all(of: device)
        let named = Set((known + others).map(\.revisionID))
        let isWhole =
            isUnbroken && (stateIsKnown || index.revisions.found.values.allSatisfy { named.contains($0.id) })
        isNew = !isWhole
        kept = isWhole ? chain : []
        self.device = isWhole ? device : (try? SecureRandom.bytes(Entry.deviceByteCount)) ?? device
        let entries = SalvagedEntries.merged(known, others)
        for (number, entry) in entries.enumerated() { add(entry, number) }
        purges = PurgeReach(entries, heads)
        namedByOthers = Set(others.lazy.filter { $0.operation.makesRevision }.map(\.revisionID))
    }

    /// Returns whether entries or revisions are missing, so that older versions of pages are worth a look.
    static func isBroken(_ index: SalvagedIndex) -> Bool {
        let history = SalvagedHistory(index)
        return history.isNew
            || history.expected.contains { id, note in
                !history.isGone(id, of: note) && index.revisions.found[id] == nil
            }
    }

    /// Returns the chain as far as it goes, whether that is to its end, and whether the newest counters say so.
    private static func chain(
        _ index: SalvagedIndex, _ device: [UInt8]
    ) -> (entries: [Entry], isUnbroken: Bool, endsAsStated: Bool) {
        var (chain, digest) = index.entries.chain(of: device)
        let last = max(index.state?.sequence ?? 0, index.entries.lastSequence(of: device))
        var isUnbroken = !device.isEmpty && UInt64(chain.count) >= last
        guard let state = index.state else { return (chain, isUnbroken, false) }
        if UInt64(chain.count) == state.sequence { isUnbroken = isUnbroken && digest == state.chain }
        let endsAsStated = isUnbroken && UInt64(chain.count) == state.sequence && !state.isOlder
        // What a transaction without an end has left may lack its revisions.
        while let entry = chain.last, entry.sequence > state.sequence, entry.operation != .purge,
            entry.operation != .drop, index.revisions.found[entry.revisionID] == nil
        {
            chain.removeLast()
        }
        return (chain, isUnbroken, endsAsStated)
    }

    /// Returns whether entries name all that lies in newest pages: the older ones are of the same time then.
    private static func holdsNothingNewer(_ index: SalvagedIndex, _ entries: [Entry]) -> Bool {
        let (revisions, notes) = (Set(entries.map(\.revisionID)), Set(entries.map(\.noteID)))
        return index.revisions.found.values.allSatisfy { $0.isOlder || revisions.contains($0.id) }
            && index.listedNow.isSubset(of: notes)
    }

    private mutating func add(_ entry: Entry, _ number: Int) {
        heads.add(entry)
        switch entry.operation {
        case .purge: purgedNotes.insert(entry.noteID)
        case .statement: break
        case .drop:
            dropped.insert(entry.revisionID)
            expected[entry.revisionID] = nil
        case .create, .edit, .trash, .restore, .fork, .join:
            expected[entry.revisionID] = entry.noteID
            order[entry.revisionID] = number
            made[entry.revisionID] = entry
        }
    }

    /// Returns whether nothing of a note is left on purpose.
    private func isPurged(_ note: NoteID) -> Bool { purges.notes.contains(note) }

    /// Returns whether a revision was purged; of a note that was purged, all that no entry names count as purged too.
    private func isGone(_ revision: RevisionID, of note: NoteID) -> Bool {
        purgedNotes.contains(note) && (purges.revisions.contains(revision) || expected[revision] == nil)
    }

    /// Returns whether a revision that was found is one of the vault's now. One that no entry names counts only where
    /// entries are lost, and only if it lies in a page's newest version. Where entries may be lost, one of a note's
    /// purge may be: a row of an older page counts only if what is newest still names its note, or if all that can be
    /// known is of that time.
    func keeps(_ revision: SalvagedRevision, namedNow: Set<NoteID>) -> Bool {
        guard !isGone(revision.id, of: revision.note), !dropped.contains(revision.id) else { return false }
        guard !revision.isOlder || endsAsStated || isOfItsTime || namedNow.contains(revision.note) else {
            return false
        }
        guard let note = expected[revision.id] else { return isNew && !revision.isOlder }
        return note == revision.note
    }

    /// Returns the history with what has to be added to it, and what is lost.
    func completed(_ index: SalvagedIndex) -> SalvagedHistory {
        var done = self
        let groups = Dictionary(grouping: index.revisions.found.values, by: \.note).mapValues { sorted($0) }
        done.tellLosses(index, groups)
        if isNew {
            let notes = groups.keys.sorted {
                (groups[$0]?.last?.made ?? 0, $0.text) < (groups[$1]?.last?.made ?? 0, $1.text)
            }
            for note in notes { done.writeAnew(groups[note] ?? []) }
            done.loss.historyIsNew = true
        } else {
            done.takeOut(index, groups)
        }
        return done
    }

    /// Returns revisions in the order in which they were made. Entries know it, and where they are lost the times do.
    private func sorted(_ revisions: [SalvagedRevision]) -> [SalvagedRevision] {
        guard !revisions.allSatisfy({ order[$0.id] != nil }) else {
            return revisions.sorted { order[$0.id] ?? 0 < order[$1.id] ?? 0 }
        }
        return revisions.sorted { ($0.made, order[$0.id] ?? 0, $0.id.text) < ($1.made, order[$1.id] ?? 0, $1.id.text) }
    }

    // MARK: What is lost

    private mutating func tellLosses(_ index: SalvagedIndex, _ groups: [NoteID: [SalvagedRevision]]) {
        var missing: [NoteID: Int] = [:]
        for (id, note) in expected where !isGone(id, of: note) && index.revisions.found[id] == nil {
            missing[note, default: 0] += 1
        }
        var notes = Set(missing.keys)
        // Where entries are lost, lists may name a note that they no longer do.
        if isNew { notes.formUnion(index.listRows.keys.filter { !isPurged($0) }) }
        notes.formUnion(index.revisions.withoutKeyslot.filter { !isPurged($0) })
        for note in notes.sorted(by: { $0.text < $1.text }) {
            // What it was called before it became private is not told.
            let isClosed = index.revisions.withoutKeyslot.contains(note)
            let title = isClosed && !index.listedNow.contains(note) ? nil : index.listedTitle(of: note)
            let count = missing[note] ?? 0
            guard let left = groups[note], let newest = left.last else {
                add(note, isClosed ? .keyslot : .gone, title, count)
                continue
            }
            let shown = heads[note]?.last ?? index.listedHead(of: note)
            if let shown, index.revisions.found[shown] == nil, order[shown] != nil || isNew {
                add(note, .olderVersion, title ?? index.title(of: newest), count, made: newest.made)
            } else if count > 0 {
                add(note, .history, title ?? index.title(of: newest), count)
            }
        }
        for note in index.revisions.uncertainSlots.sorted(by: { $0.text < $1.text }) where groups[note] != nil {
            add(note, .olderKeyslot, index.listedTitle(of: note), 0)
        }
        for (note, left) in groups {
            let lost = left.last?.attachments.filter { index.attachments[$0] == nil }.count ?? 0
            if lost > 0 { add(note, .attachment, index.listedTitle(of: note), lost) }
        }
        loss.drafts = index.lostDraftCount
        let named = loss.notes.reduce(0) { $1.kind == .attachment ? $0 + $1.count : $0 }
        loss.attachments = max(0, index.unnamedObjectCount - named)
    }

    private mutating func add(
        _ note: NoteID, _ kind: SalvageLoss.Kind, _ title: String?, _ count: Int, made: Int64 = 0
    ) {
        loss.notes.append(SalvageLoss.Note(id: note, kind: kind, title: title, count: count, made: made))
    }

    // MARK: What is written

    /// Writes a new device's entries for a note: as the old ones had it, where they are there, else one after the
    /// other.
    private mutating func writeAnew(_ revisions: [SalvagedRevision]) {
        var heads: [RevisionID] = []
        for revision in revisions {
            let known = made[revision.id]
            // What another device's entry makes needs no other.
            if namedByOthers.contains(revision.id) {
                heads.removeAll { known?.parents.contains($0) ?? false }
                heads.append(revision.id)
                continue
            }
            let operation: Entry.Operation
            var parents: [RevisionID]
            if heads.isEmpty {
                (operation, parents) = (.create, [])
            } else if let known, known.operation == .fork {
                // It was no successor of what was shown then.
                (operation, parents) = (.fork, known.parents.filter { heads.dropLast().contains($0) })
            } else {
                parents = known?.parents.filter { heads.contains($0) } ?? []
                if parents.isEmpty { parents = heads.suffix(1) }
                operation = known.map { $0.operation == .create ? .edit : $0.operation } ?? .edit
            }
            heads.removeAll { parents.contains($0) }
            heads.append(revision.id)
            steps.append(
                Step(operation: operation, note: revision.note, revision: revision.id, parents: parents))
        }
    }

    /// Ends the chain with entries for what it names and nobody has.
    private mutating func takeOut(_ index: SalvagedIndex, _ groups: [NoteID: [SalvagedRevision]]) {
        var missing: [NoteID: [RevisionID]] = [:]
        for (id, note) in expected where !isGone(id, of: note) && index.revisions.found[id] == nil {
            missing[note, default: []].append(id)
        }
        for (note, lost) in missing.sorted(by: { $0.key.text < $1.key.text }) {
            let known = heads[note] ?? []
            guard let left = groups[note], let newest = left.last else {
                if let revision = Self.newRevision() {
                    steps.append(Step(operation: .purge, note: note, revision: revision, parents: known))
                }
                continue
            }
            let lostHeads = known.filter { lost.contains($0) }
            if !lostHeads.isEmpty, let revision = Self.newRevision() {
                let base = left.last { known.contains($0.id) }?.id
                let step = Step(
                    operation: .edit, note: note, revision: revision, parents: lostHeads + (base.map { [$0] } ?? []),
                    copyOf: base ?? newest.id)
                steps.append(step)
            }
            for id in lost.sorted(by: { order[$0] ?? 0 < order[$1] ?? 0 }) {
                steps.append(Step(operation: .drop, note: note, revision: id, parents: []))
            }
        }
    }

    private static func newRevision() -> RevisionID? {
        (try? SecureRandom.bytes(RevisionID.byteCount)).flatMap { try? RevisionID($0) }
    }
}
