// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import GRDB
internal import SealedSQLite
internal import VaultFormat

/// An `IndexSurvey` finds what opens of an index with damaged pages, and what does not, by note. It knows only what
/// rows say: an attachment's file is for the caller to try, who says which are lost.
final class IndexSurvey {
    let index: FrozenIndex
    let rows: TolerantRows
    private let goesOn: () throws -> Void
    private(set) var keyslots: [NoteID: NoteKeyslot] = [:]
    private(set) var revisions: [MendedChain.Revision] = []
    private(set) var attachments: [AttachmentRecord] = []
    private(set) var drafts: [DraftID] = []
    private(set) var changes: [ArchivedChange] = []
    private(set) var chain: MendedChain
    var lostAttachments: [(note: NoteID, name: String)] = []
    var lostIDs: Set<AttachmentID> = []
    /// Attachments whose rows were read, whatever became of them.
    private var foundIDs: Set<AttachmentID> = []
    var titles: [NoteID: String] = [:]
    var lostDrafts: [NoteID?] = []
    var foundEntryCount: UInt64 = 0
    var changesAreWhole = true
    var othersAreWhole = true
    /// Where the newest revision that opens lies, of each note that has one.
    var lastRows: [NoteID: Int64] = [:]

    /// Reads all tables of the index.
    ///
    /// - Parameters:
    ///   - draftFiles: gives the files of drafts, where they do not lie in a vault's folder.
    ///   - goesOn: asked now and then; what it throws ends the work.
    init(
        _ index: FrozenIndex, draftFiles: ((DraftID) throws -> [UInt8]?)? = nil,
        goesOn: @escaping () throws -> Void = {}
    ) throws {
        self.index = index
        self.goesOn = goesOn
        rows = TolerantRows(index, goesOn: goesOn)
        chain = try MendedChain([], [], device: index.state.device)
        let found = try readEntries(of: index.state.device, last: sequence)
        foundEntryCount = UInt64(found.count)
        let others = try readOthers()
        try readKeyslots()
        try readRevisions()
        chain = try MendedChain(found, others: others, revisions, device: index.state.device)
        let mended = chain
        revisions.removeAll { mended.isGone($0.id, of: $0.note) }
        for revision in revisions { lastRows[revision.note] = revision.row }
        try readAttachments()
        try readDrafts(ArchivedDrafts(index, file: draftFiles))
        try readChanges()
    }

    // MARK: Tables

    private var sequence: Int64 { Int64(clamping: index.state.sequence) }

    /// Reads the entries of other devices, as far as one leads to the next.
    private func readOthers() throws -> [Entry] {
        var others: [Entry] = []
        var device: [UInt8] = []
        while true {
            let next: [UInt8]?
            do { next = try index.database.queue.inDatabase { try EntryWalk.device($0, after: device) } } catch {
                othersAreWhole = false
                break
            }
            guard let next else { break }
            // Of a sound table they rise; where an old page leads back this would never end.
            guard device.lexicographicallyPrecedes(next) else {
                othersAreWhole = false
                break
            }
            device = next
            guard device != index.state.device else { continue }
            let end = rows.row("SELECT max(sequence) AS last FROM entry WHERE device = ?", [device.blob])
            others += try readEntries(of: device, last: (try? end?.integer("last")) ?? sequence) {
                self.othersAreWhole = false
            }
        }
        return others
    }

    private func readEntries(of device: [UInt8], last: Int64, _ lost: () -> Void = {}) throws -> [Entry] {
        var found: [Entry] = []
        let isWhole = try rows.forEach(
            "SELECT sequence, bytes FROM entry WHERE device = ? AND sequence >= ? ORDER BY sequence", by: "sequence",
            last: last, [device.blob]
        ) { row in
            guard let entry = try? Entry(parsing: row.bytes("bytes")), entry.device == device,
                Int64(clamping: entry.sequence) == (try? row.integer("sequence"))
            else { return }
            found.append(entry)
            if found.count % 4096 == 0 { try self.goesOn() }
        }
        if !isWhole { lost() }
        return found
    }

    private func readKeyslots() throws {
        for table in [SpareTable.noteKey.rawValue, SpareTable.noteKey.spare] {
            let select = "SELECT note, sealed FROM \(table)"
            if try rows.forEachKeyed(select, by: "note", { self.takeKeyslot($0) }) { return }
        }
    }

    private func takeKeyslot(_ row: Row) {
        guard let slot = try? ArchiveRows.keyslot(row, index.layer), keyslots[slot.noteID] == nil else { return }
        keyslots[slot.noteID] = slot
    }

    private func readRevisions() throws {
        let last = rows.last("revision", of: "rowid", byIndex: "revisionByNote", orAbove: sequence)
        try rows.forEach(
            "SELECT rowid AS number, id, note, sealed, made FROM revision WHERE rowid >= ? ORDER BY rowid",
            by: "number", last: last
        ) { row in
            if self.revisions.count % 1024 == 0 { try self.goesOn() }
            guard let revision = try? ArchiveRows.revision(row, self.index.layer),
                let number = try? row.integer("number"),
                try self.isSound(revision)
            else { return }
            self.revisions.append(MendedChain.Revision(row: number, id: revision.id, note: revision.noteID))
        }
    }

    /// Tells whether a revision is sealed the way its note is: a private one opens only with its note's keyslot.
    private func isSound(_ revision: ArchivedRevision) throws -> Bool {
        let note = revision.noteID
        guard revision.isPrivate else { return keyslots[note] == nil }
        for table in [SpareTable.noteKey.rawValue, SpareTable.noteKey.spare] where keyslots[note] == nil {
            let row = rows.row("SELECT note, sealed FROM \(table) WHERE note = ?", [note.bytes.blob])
            if let row { takeKeyslot(row) }
        }
        guard let slot = keyslots[note], let outer = try? PrivateRecord(parsing: revision.record) else { return false }
        return outer.keyEpoch == slot.keyEpoch
    }

    private func readAttachments() throws {
        let last = rows.last("attachment", of: "rowid", byIndex: "attachmentByNote", orAbove: sequence + 4096)
        let isWhole = try rows.forEach(
            "SELECT rowid AS number, id, note, object, sealed FROM attachment WHERE rowid >= ? ORDER BY rowid",
            by: "number", last: last
        ) { try self.takeAttachment($0) }
        if !isWhole {
            let table = SpareTable.attachment.spare
            _ = try rows.forEachKeyed("SELECT id, note, object, sealed FROM \(table)", by: "id") {
                try self.takeAttachment($0)
            }
        }
        let known = Set(attachments.map(\.id))
        let byID = Dictionary(revisions.map { ($0.id, $0.row) }) { first, _ in first }
        for (note, last) in lastRows.sorted(by: { $0.value < $1.value }) {
            try goesOn()
            // Which row is the newest says nothing of heads where another device's came later.
            let heads = (chain.formerHeads[note] ?? []).compactMap { byID[$0] }
            for row in heads.isEmpty ? [last] : heads {
                for id in record(in: row)?.attachments ?? [] where !known.contains(id) { lose(id, of: note, "") }
            }
        }
    }

    private func takeAttachment(_ row: Row) throws {
        if attachments.count % 1024 == 0 { try goesOn() }
        let id = (try? row.bytes("id")).flatMap { try? AttachmentID($0) }
        let note = (try? row.bytes("note")).flatMap { try? NoteID($0) }
        guard let id, let note, foundIDs.insert(id).inserted else { return }
        guard let record = try? ArchiveRows.attachment(row, AttachmentSealer(layer: index.layer)),
            lastRows[note] != nil, record.isPrivate == (keyslots[note] != nil)
        else { return lose(id, of: note, "") }
        attachments.append(record)
    }

    private func readDrafts(_ archived: ArchivedDrafts) throws {
        var seen: Set<[UInt8]> = []
        for table in [SpareTable.draft.rawValue, SpareTable.draft.spare] {
            let isWhole = try rows.forEachKeyed("SELECT * FROM \(table)", by: "id") { row in
                guard try seen.insert(row.bytes("id")).inserted else { return }
                guard let draft = try? archived.draft(row),
                    draft.isSealedInside == (draft.note.map { self.keyslots[$0] != nil } ?? false),
                    !draft.isSealedInside || draft.note.map({ self.keepsKeyslot(of: $0) }) ?? false
                else {
                    return self.lostDrafts.append(
                        (try? row.optionalBytes("note")).flatMap { $0 }.flatMap { try? NoteID($0) })
                }
                self.drafts.append(draft.id)
            }
            if isWhole { return }
        }
        // How many there were, nothing tells.
        lostDrafts.append(nil)
    }

    /// Returns the row of a draft that was found.
    func draftRow(_ id: DraftID) -> Row? {
        [SpareTable.draft.rawValue, SpareTable.draft.spare].lazy
            .compactMap { self.rows.row("SELECT * FROM \($0) WHERE id = ?", [id.bytes.blob]) }.first
    }

    private func readChanges() throws {
        let last = rows.last("change", of: "id", orAbove: Int64(clamping: index.state.generation))
        changesAreWhole = try rows.forEach("SELECT * FROM change WHERE id >= ? ORDER BY id", by: "id", last: last) {
            row in
            if self.changes.count % 1024 == 0 { try self.goesOn() }
            self.changes.append(try ArchiveRows.change(row))
        }
    }

    // MARK: What is lost

    private func lose(_ id: AttachmentID, of note: NoteID, _ name: String) {
        guard lostIDs.insert(id).inserted else { return }
        lostAttachments.append((note, name))
    }

    /// Says that an attachment's file does not open.
    func lose(_ record: AttachmentRecord) {
        attachments.removeAll { $0.id == record.id }
        let details = record.isPrivate ? nil : try? AttachmentDetails(parsing: record.details)
        lose(record.id, of: record.noteID, details?.name ?? "")
    }

    /// Reads the files of all attachments to their ends, and passes over those that do not open.
    func tryFiles() throws {
        let (content, sealer) = (ArchiveContent(), AttachmentSealer(layer: index.layer))
        for record in attachments {
            try goesOn()
            do {
                let layer = try sealer.outerLayer(record.object, record.id, epoch: index.header.epoch)
                try unsafe content.read(record, layer, in: ObjectFolder(index.directory)) { _ in
                } content: { _ in
                    try self.goesOn()
                }
            } catch let error as VaultError where error.code != .cancelled { lose(record) }
        }
    }
}
