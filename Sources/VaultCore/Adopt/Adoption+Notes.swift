// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import GRDB
internal import TextReading
internal import VaultCrypto
internal import VaultFormat

extension Adoption {
    /// `Taken` says what becomes of a note.
    struct Taken {
        let note: NoteID
        let target: NoteID
        /// Nil when everything that counts is here.
        var kind: AdoptionReport.Kind?
        var refusal: AdoptionReport.Reason?
        var revisionCount = 0
        var attachmentCount = 0
        var hasLostFiles = false
    }

    struct Decision {
        var taken: Taken
        /// Nil when nothing is to be written.
        var plan: AdoptionPlan?
        /// Of a private note that is not here.
        var keyslot: NoteKeyslot?
        /// Attachments that the other copy does not have any more.
        var lost: Set<AttachmentID> = []
        /// Attachments that are another note's here, and go along with a copy of their own.
        var renamed: [AttachmentID: AttachmentID] = [:]
    }

    /// Decides what is to be written of a note, as the index is now.
    func decide(_ note: NoteID, _ files: AdoptedFiles?, _ index: some IndexAccess) throws -> Decision {
        let target = try own.target(of: note)
        var decision = Decision(taken: Taken(note: note, target: target))
        let slot = other.keyslot(of: note)
        let isPresent = try index.isPresent(target)
        let arrivals = try arrivals(note)
        guard !arrivals.isEmpty else { return decision }
        if let reason = try refusal(note, target, slot, isPresent: isPresent, arrivals, index) {
            decision.taken.refusal = reason
            return decision
        }
        let head = try isPresent ? index.headID(of: target) : nil
        let shown = try head.map { try index.projected(target, $0).record }
        let plan = try AdoptionPlan(
            own: own.entries(of: target), arrivals, isTrashedHere: shown?.flags.contains(.trashed) ?? false
        ) { arrival in
            guard slot == nil, let head, case .plain(let theirs) = try other.opened(arrival.source) else {
                return false
            }
            return saysTheSame(try index.revision(head, of: target), theirs)
        }
        guard !plan.steps.isEmpty else { return decision }
        guard plan.heads.count <= Transaction.headCountMax else { throw VaultError(.tooLarge) }
        decision.plan = plan
        if !isPresent { decision.keyslot = slot }
        decision.taken.kind =
            target != note && !isPresent
            ? .comesBack
            : !isPresent ? .added : plan.heads.count > max(1, plan.before.count) ? .twoVersions : .updated
        decision.taken.revisionCount = plan.steps.count
        try addFiles(to: &decision, files, index)
        return decision
    }

    private func addFiles(to decision: inout Decision, _ files: AdoptedFiles?, _ index: some IndexAccess) throws {
        let note = decision.taken.note
        let came = Dictionary(
            (files?.files ?? []).map { ($0.found.record.id, $0) }
        ) { first, _ in first }
        var isUnread = false
        for id in wantedAttachments(of: note) {
            if let file = came[id] {
                if file.sealed == nil {
                    isUnread = true
                    decision.lost.insert(id)
                } else {
                    decision.taken.attachmentCount += 1
                    if file.object.id != id { decision.renamed[id] = file.object.id }
                }
            } else if try index.home(of: id) == nil {
                // A dry run copies nothing.
                guard other.attachment(id, of: note) == nil else { continue }
                decision.lost.insert(id)
            }
        }
        let shown = decision.plan?.heads ?? []
        let wanted = Set(
            (decision.plan?.steps ?? []).filter { shown.contains($0.id) }.flatMap {
                other.index.revisions.found[$0.source]?.attachments ?? []
            })
        // An older text may name what is gone for good reason.
        let isPrivate = other.index.revisions.slots[note] != nil
        decision.taken.hasLostFiles =
            isUnread || (isPrivate ? !decision.lost.isEmpty : !decision.lost.isDisjoint(with: wanted))
    }

    /// Finds the revisions of a note that are not here, in their order, under the names that they have here.
    private func arrivals(_ note: NoteID) throws -> [AdoptionPlan.Arrival] {
        var arrivals: [AdoptionPlan.Arrival] = []
        var coming: Set<RevisionID> = []
        let target = try own.target(of: note)
        let here = Set(own.entries(of: target).lazy.filter { $0.operation.makesRevision }.map(\.revisionID))
        for entry in other.revisions[note] ?? [] {
            let (id, isKnown) = try own.target(of: entry.revisionID, note)
            guard !isKnown else { continue }
            let parents = try resolved(entry.parents, of: note) { here.contains($0) || coming.contains($0) }
            let opened = try other.opened(entry.revisionID)
            var arrival = AdoptionPlan.Arrival(
                source: entry.revisionID, id: id, operation: entry.operation, parents: parents,
                isTrashed: opened.face.flags.contains(.trashed))
            arrival.followsLostText = try entry.parents.contains {
                let parent = try own.target(of: $0, note).id
                return !here.contains(parent) && !coming.contains(parent)
            }
            arrivals.append(arrival)
            coming.insert(id)
        }
        return arrivals
    }

    /// Replaces each parent that is neither here nor arrives by what that parent was made from.
    private func resolved(
        _ parents: [RevisionID], of note: NoteID, isThere: (RevisionID) -> Bool
    ) throws -> [RevisionID] {
        var (found, seen): ([RevisionID], Set<RevisionID>) = ([], [])
        var next = Array(parents.reversed())
        while let parent = next.popLast() {
            guard seen.insert(parent).inserted else { continue }
            let id = try own.target(of: parent, note).id
            if isThere(id) { found.append(id) } else { next += (other.made[parent]?.parents ?? []).reversed() }
        }
        return found
    }

    /// Returns why a note cannot be taken over, or nil when it can.
    private func refusal(
        _ note: NoteID, _ target: NoteID, _ slot: NoteKeyslot?, isPresent: Bool, _ arrivals: [AdoptionPlan.Arrival],
        _ index: some IndexAccess
    ) throws -> AdoptionReport.Reason? {
        // What its password protects is bound to the note's name.
        if target != note, slot != nil { return .purgedPrivate }
        guard isPresent else { return nil }
        guard try index.isPrivate(target) == (slot != nil) else { return .privateInOne }
        guard let slot else { return nil }
        let known = try index.keyslot(target)
        guard known.keyEpoch == slot.keyEpoch else { return .otherPassword }
        if known.salt == slot.salt, known.wrappedKey == slot.wrappedKey { return nil }
        // Two passwords may open one key, or each a key of its own: the key itself tells.
        guard let keys = index.records.keyring[target]?.keys, let last = arrivals.last,
            case .sealedInside(let outer) = try other.opened(last.source),
            (try? index.records.open(outer, keys)) != nil
        else { return .otherPassword }
        return nil
    }

    private func saysTheSame(_ one: NoteRecord, _ other: NoteRecord) -> Bool {
        var same = other
        (same.modified, same.created) = (one.modified, one.created)
        return same == one
    }

    // MARK: Attachments

    /// Lists the attachments that are named by revisions which are not here; of a private note it lists all, since only
    /// its password tells which are named.
    func wantedAttachments(of note: NoteID) -> [AttachmentID] {
        let index = other.index
        if index.revisions.slots[note] != nil {
            return index.attachments.filter { $0.value.record.noteID == note }.keys.sorted { $0.text < $1.text }
        }
        var (wanted, seen): ([AttachmentID], Set<AttachmentID>) = ([], [])
        for entry in other.revisions[note] ?? [] {
            guard let known = try? own.target(of: entry.revisionID, note).isKnown, !known else { continue }
            for id in index.revisions.found[entry.revisionID]?.attachments ?? [] where seen.insert(id).inserted {
                wanted.append(id)
            }
        }
        return wanted
    }

    /// Prepares the files of a note that are to be copied before the note is taken over; nil when there are none.
    func missingFiles(of note: NoteID) throws(VaultError) -> AdoptedFiles? {
        guard !isTrial else { return nil }
        let wanted = wantedAttachments(of: note)
        guard !wanted.isEmpty else { return nil }
        return try vault.read { index in
            let target = try own.target(of: note)
            var files: [AdoptedFiles.File] = []
            for id in wanted {
                guard let found = other.attachment(id, of: note) else { continue }
                var name = id
                if let home = try index.home(of: id) {
                    // It is the other note's there as it is here, unless that one shows it: then this one gets its own.
                    guard !found.record.isPrivate, home != target, try index.shows(id, home) else { continue }
                    name = try AttachmentID(SecureRandom.bytes(AttachmentID.byteCount))
                }
                let object = try NewObject(name, note: target, in: vault.objects, vault.unfinished, vault.sealer, nil)
                files.append(AdoptedFiles.File(found: found, object: object))
            }
            return files.isEmpty ? nil : AdoptedFiles(other, files)
        }
    }
}

extension IndexAccess {
    /// Returns the note that an attachment belongs to; nil for an attachment that is not here.
    func home(of id: AttachmentID) throws -> NoteID? {
        try database.cachedStatement("SELECT note FROM attachment WHERE id = ?").row([id.bytes.blob]).map {
            try NoteID(try $0.bytes("note"))
        }
    }

    /// Tells whether the text that a note shows names an attachment; for a private note it is always true, since nobody
    /// can tell.
    fileprivate func shows(_ id: AttachmentID, _ note: NoteID) throws -> Bool {
        guard try !isPrivate(note) else { return true }
        return try optionalHead(of: note)?.record.attachments.contains(id) ?? false
    }
}

extension Transaction {
    /// Writes what a plan says: keyslot, attachments, revisions, entries, and the lists once.
    ///
    /// - Returns: size in bytes of what was sealed.
    private func writeRevisions(
        _ plan: AdoptionPlan, _ decision: Adoption.Decision, _ adoption: Adoption
    ) throws -> (byteCount: Int, wanted: [AttachmentID]) {
        let target = decision.taken.target
        var state = try IndexState.fetch(database)
        var byteCount = 0
        var wanted: [AttachmentID] = []
        for step in plan.steps {
            let made = try sealed(try adoption.other.opened(step.source), step, decision, adoption)
            let recorded = adoption.other.index.revisions.found[step.source]?.made ?? 0
            try database.cachedStatement("INSERT INTO revision(id, note, sealed, made) VALUES(?, ?, ?, ?)")
                .execute(arguments: [step.id.bytes.blob, target.bytes.blob, made.sealed.blob, recorded])
            try append(&state, step.operation, note: target, revision: step.id, parents: step.parents)
            byteCount += made.sealed.count
            wanted = made.shown.isPrivate ? [] : made.shown.record.attachments
        }
        try state.save(database)
        return (byteCount, wanted)
    }

    /// Seals a revision of the other copy under this vault's key.
    private func sealed(
        _ opened: RecordSealer.Opened, _ step: AdoptionPlan.Step, _ decision: Adoption.Decision, _ adoption: Adoption
    ) throws -> (sealed: [UInt8], shown: ProjectedNote) {
        switch opened {
        case .plain(var record):
            record.noteID = decision.taken.target
            record.mapAttachments { decision.lost.contains($0) ? nil : decision.renamed[$0] ?? $0 }
            // Its book may have come back under another identifier.
            if let place = record.bookPlace {
                record.bookPlace = BookPlace(
                    book: try adoption.own.target(of: place.book), chapter: place.chapter, position: place.position)
            }
            if step.leavesTrash { record.flags.remove(.trashed) }
            return (try records.seal(record, revision: step.id), ProjectedNote(record: record, isPrivate: false))
        case .sealedInside(var outer):
            if step.leavesTrash { outer.flags.remove(.trashed) }
            return (try records.seal(outer, revision: step.id), ProjectedNote(.sealedInside(outer)))
        }
    }

    /// Takes a note over.
    ///
    /// - Returns: size in bytes of what was sealed.
    func adopt(
        _ plan: AdoptionPlan, _ decision: Adoption.Decision, _ files: AdoptedFiles?, _ adoption: Adoption
    ) throws -> Int {
        let note = decision.taken.target
        if let slot = decision.keyslot { try save(slot) }
        if let files { try insert(files, to: note) }
        let old = try plan.before.last.map { try projected(note, $0) }
        let written = try writeRevisions(plan, decision, adoption)
        // What was another note's when it was shown last, and is this one's there.
        try rehome(written.wanted, to: note)
        try project(note, over: old)
        return written.byteCount
    }
}
