// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import SealedSQLite
internal import VaultFormat

/// A `SalvagedRevision` is a revision that opens under the vault's key, and where its row lies.
struct SalvagedRevision {
    let id: RevisionID
    let note: NoteID
    /// When it was recorded, in milliseconds since 1970, UTC; 0 when that is not known.
    let made: Int64
    /// Of a private note's; 0 of an ordinary one's.
    let keyEpoch: UInt32
    /// Attachments that it names; of a private note's nobody knows.
    let attachments: [AttachmentID]
    let position: PageSalvage.Position
    /// It lies in a page that a newer version has taken the place of.
    let isOlder: Bool

    var isPrivate: Bool { keyEpoch > 0 }
}

/// A `SalvagedKeyslot` is a private note's keyslot as it lies in the index.
struct SalvagedKeyslot {
    let sealed: [UInt8]
    let keyEpoch: UInt32
    let isOlder: Bool
    /// Grows with the place in the log, so with the time.
    let order: UInt64
}

/// `SalvagedRevisions` holds the revisions that were found, one version of each: rows hold a revision's identifier
/// and where it lies, not its content.
struct SalvagedRevisions {
    private(set) var found: [RevisionID: SalvagedRevision] = [:]
    /// Other versions of the same rows, as pages held them before.
    private var others: [RevisionID: [SalvagedRevision]] = [:]
    private(set) var keyslots: [NoteID: [SalvagedKeyslot]] = [:]
    /// The keyslot that counts of each private note, once `settle` has run.
    private(set) var slots: [NoteID: SalvagedKeyslot] = [:]
    /// Private notes whose keyslot may be one of before a change of the password: another one opens the same key, or
    /// only an older page still has one.
    private(set) var uncertainSlots: Set<NoteID> = []
    /// Private notes of which everything is there but what their password opens.
    private(set) var withoutKeyslot: Set<NoteID> = []

    /// Adds a version of a revision. The newest versions come first.
    mutating func add(_ revision: SalvagedRevision) {
        guard let known = found[revision.id] else {
            found[revision.id] = revision
            return
        }
        // Only another form of it is of use: what became private was not always so.
        guard known.keyEpoch != revision.keyEpoch else { return }
        others[revision.id, default: []].append(revision)
    }

    mutating func add(_ slot: SalvagedKeyslot, of note: NoteID) {
        guard let same = keyslots[note]?.firstIndex(where: { $0.sealed == slot.sealed }) else {
            keyslots[note, default: []].append(slot)
            return
        }
        // The second copy of the row: what counts is where it was written last.
        guard let known = keyslots[note]?[same], known.isOlder == slot.isOlder, known.order < slot.order else { return }
        keyslots[note]?[same] = slot
    }

    /// Keeps of each revision the version that is of its note's kind: an ordinary one, or under the key that the note's
    /// keyslot opens. A text of before its note became private does not come back, also where the keyslot is lost: then
    /// the note is.
    ///
    /// - Parameter listed: whether the newest lists call a note private; nil where they do not name it.
    mutating func settle(listed isListedPrivate: (NoteID) -> Bool?) {
        var (newest, all): ([NoteID: Set<UInt32>], [NoteID: Set<UInt32>]) = ([:], [:])
        for revision in found.values {
            all[revision.note, default: []].insert(revision.keyEpoch)
            if !revision.isOlder { newest[revision.note, default: []].insert(revision.keyEpoch) }
        }
        let epochs = all.merging(newest) { $1 }
        for note in keyslots.keys { settleSlot(of: note, epochs[note] ?? []) }
        let closed = Set(
            epochs.keys.filter { note in
                guard slots[note] == nil else { return false }
                if isListedPrivate(note) == true { return true }
                // Where nothing newest speaks for an ordinary note, one that was ever private stays so.
                let isOrdinary = isListedPrivate(note) == false && newest[note] == nil
                return !isOrdinary && epochs[note]?.contains { $0 > 0 } == true
            })
        for (id, revision) in found {
            guard !closed.contains(revision.note) else {
                found[id] = nil
                withoutKeyslot.insert(revision.note)
                continue
            }
            let wanted = slots[revision.note]?.keyEpoch ?? 0
            guard revision.keyEpoch != wanted else { continue }
            found[id] = others[id]?.first { $0.keyEpoch == wanted }
            if found[id] == nil, wanted == 0 { withoutKeyslot.insert(revision.note) }
        }
        for revision in found.values { withoutKeyslot.remove(revision.note) }
        others = [:]
    }

    private mutating func settleSlot(of note: NoteID, _ epochs: Set<UInt32>) {
        let versions = keyslots[note] ?? []
        let present = versions.filter { !$0.isOlder }
        if let counts = present.max(by: { Self.isLess($0, $1, epochs) }) {
            slots[note] = counts
            if present.count(where: { $0.keyEpoch == counts.keyEpoch }) > 1 { uncertainSlots.insert(note) }
        } else if let older = versions.filter({ epochs.contains($0.keyEpoch) })
            .max(by: { Self.isLess($0, $1, epochs) })
        {
            slots[note] = older
            uncertainSlots.insert(note)
        }
    }

    /// Returns whether one keyslot counts less than another. One that opens what is there counts before one that does
    /// not, then the later key, then what was written last.
    private static func isLess(_ one: SalvagedKeyslot, _ other: SalvagedKeyslot, _ epochs: Set<UInt32>) -> Bool {
        let (first, second) = (epochs.contains(one.keyEpoch), epochs.contains(other.keyEpoch))
        guard first == second else { return second }
        return (one.keyEpoch, one.order) < (other.keyEpoch, other.order)
    }

    /// Leaves revisions out: of purged notes, thinned out, or known to nobody.
    mutating func keep(_ isWanted: (SalvagedRevision) -> Bool) { found = found.filter { isWanted($0.value) } }
}
