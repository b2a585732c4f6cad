// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import VaultCrypto
internal import VaultFormat

/// An `ItemCheck` checks what must be true of all items of a vault together, wherever they go: into a new vault, or
/// nowhere. It checks the chain's hashes and numbers, that each revision it names is there, and that what a note shows
/// has its attachments.
struct ItemCheck {
    private let device: [UInt8]
    private let hasOthers: Bool
    /// What was lost is known and told elsewhere: a note may name an attachment that is not there.
    private let isOfSalvage: Bool
    private var ledger = RevisionLedger()
    private var heads = NoteHeads()
    /// The last own entry of each note; where there are other devices', when its newest revision came.
    private(set) var positions: [NoteID: UInt64] = [:]
    private var hasOtherDevices = false
    private var chains = EntryChains()
    /// The SHA-256 of the vault's own last entry, and its number.
    var chain: [UInt8] { chains.end(of: device).digest }
    var sequence: UInt64 { chains.end(of: device).sequence }
    private(set) var keyEpochs: [NoteID: UInt32] = [:]
    private(set) var counts = ArchiveCounts()
    private var attachments: Set<AttachmentID> = []
    private var drafts: Set<DraftID> = []
    private var changes: Set<Int64> = []
    private var headRevisions: Set<RevisionID>?
    private var headsTaken = 0
    /// What heads name: one that is not shown now can be shown tomorrow.
    private var wanted: Set<AttachmentID> = []

    /// Begins a check that has seen no item.
    ///
    /// - Parameter hasOthers: whether entries of other devices are allowed, and joins and statements.
    init(device: [UInt8], hasOthers: Bool, isOfSalvage: Bool = false) {
        self.device = device
        self.hasOthers = hasOthers
        self.isOfSalvage = isOfSalvage
    }

    /// Checks the next item.
    ///
    /// - Throws: `VaultError.integrity`.
    mutating func take(_ item: ArchiveItem) throws {
        counts.add(item.kind)
        switch item {
        case .entry(let entry): try take(entry)
        case .noteKeyslot(let slot):
            guard keyEpochs.updateValue(slot.keyEpoch, forKey: slot.noteID) == nil else {
                throw VaultError(.integrity)
            }
        case .revision(let revision): try take(revision)
        case .attachment(let attachment): try take(attachment)
        case .draft(let draft): try take(draft)
        case .change(let change):
            // What undo walks through must be there.
            guard change.id > 0, change.command > 0, change.first >= 1, change.first <= change.last,
                UInt64(change.last) <= sequence, changes.insert(change.id).inserted
            else { throw VaultError(.integrity) }
        case .vault, .end: break
        }
    }

    /// Notes that have heads, in no order.
    var notes: [NoteID] { heads.notes.filter { heads(of: $0)?.isEmpty == false } }

    /// Returns the heads of a note, with the one that is shown last. What this device has let go of, of what others
    /// wrote, is none.
    func heads(of note: NoteID) -> [RevisionID]? { hasOthers ? ledger.heads(of: note) : heads[note] }

    private var allHeads: Set<RevisionID> { Set(heads.notes.flatMap { heads(of: $0) ?? [] }) }

    /// Checks at the end that nothing is missing.
    ///
    /// - Throws: `VaultError.integrity` when something is missing.
    func end() throws {
        let known = headRevisions ?? allHeads
        // A head that the chain dropped is missing, though the ledger does not ask for it any more.
        guard ledger.missing().isEmpty, !ledger.contradictsItself, headsTaken == known.count,
            isOfSalvage || wanted.isSubset(of: attachments)
        else { throw VaultError(.integrity) }
    }

    /// Takes an attachment that is known, and whose content is lost.
    ///
    /// - Throws: `VaultError.integrity` for one that is there.
    mutating func takeLost(_ attachment: AttachmentID) throws(VaultError) {
        guard attachments.insert(attachment).inserted else { throw VaultError(.integrity) }
    }

    /// Takes back an attachment whose content did not come.
    mutating func takeBack(_ attachment: ArchivedAttachment) {
        attachments.remove(attachment.id)
        counts.attachments -= 1
    }

    private mutating func take(_ entry: Entry) throws {
        guard hasOthers || entry.device == device && entry.operation != .join && entry.operation != .statement,
            entry.device != device || chains.isNext(entry), try chains.take(entry, entry.encoded)
        else {
            throw VaultError(.integrity)
        }
        if entry.device != device {
            if !hasOtherDevices { positions = [:] }
            hasOtherDevices = true
        } else if entry.operation != .drop, !hasOtherDevices {
            positions[entry.noteID] = sequence
        }
        ledger.add(entry)
        heads.add(entry)
    }

    /// Checks a revision: what an archive says of it must be what stands in it, as for an index's rows.
    private mutating func take(_ revision: ArchivedRevision) throws {
        guard ledger.takeSeen(revision.id, of: revision.noteID),
            (keyEpochs[revision.noteID] != nil) == revision.isPrivate
        else { throw VaultError(.integrity) }
        let known = headRevisions ?? allHeads
        headRevisions = known
        if hasOtherDevices { positions[revision.noteID] = counts.revisions }
        let isHead = known.contains(revision.id)
        if isHead { headsTaken += 1 }
        if revision.isPrivate {
            // Under another key epoch than its keyslot's nobody could open it.
            guard let outer = try? PrivateRecord(parsing: revision.record), outer.noteID == revision.noteID,
                outer.keyEpoch == keyEpochs[revision.noteID]
            else { throw VaultError(.integrity) }
            return
        }
        guard let record = try? NoteRecord(parsing: revision.record), record.noteID == revision.noteID else {
            throw VaultError(.integrity)
        }
        if isHead { wanted.formUnion(record.attachments) }
    }

    private mutating func take(_ attachment: ArchivedAttachment) throws {
        guard (keyEpochs[attachment.noteID] != nil) == attachment.isPrivate,
            attachment.isPrivate
                || (try? AttachmentDetails(parsing: attachment.details))?.byteCount == attachment.byteCount,
            attachments.insert(attachment.id).inserted
        else { throw VaultError(.integrity) }
    }

    /// Checks a draft: a private note's draft is sealed inside and shows nothing of itself, and an ordinary one's is
    /// not.
    private mutating func take(_ draft: ArchivedDraft) throws {
        let isPrivate = draft.note.map { keyEpochs[$0] != nil } ?? false
        guard drafts.insert(draft.id).inserted, draft.isSealedInside == isPrivate,
            !isPrivate || (draft.title == nil && draft.notebook.isEmpty && draft.tags.isEmpty),
            draft.tags.utf8.count(where: { $0 == 0x0A }) < NoteRecord.tagCountMax,
            draft.tags.split(separator: "\n").allSatisfy({ $0.utf8.count <= NoteRecord.titleByteCountMax })
        else { throw VaultError(.integrity) }
        switch draft.content {
        case .text(let text):
            if let text, (try? DraftText(parsing: text)) == nil { throw VaultError(.integrity) }
        case .sealedInside(let wrapped, _): _ = try DraftWrap.parts(of: wrapped)
        }
    }
}
