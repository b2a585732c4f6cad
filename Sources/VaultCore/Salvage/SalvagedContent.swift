// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import SealedSQLite
internal import VaultCrypto
internal import VaultFormat

/// A `SalvagedContent` gives what was found to the code that makes a vault of it, and keeps account of what is lost.
final class SalvagedContent {
    private let damaged: DamagedVault
    private let index: SalvagedIndex
    private let chain: SalvagedChain
    private let missingEntryCount: Int
    private let knowsEnd: Bool
    private var shown = NoteHeads()
    private var kept: Set<AttachmentID> = []
    private var lostAttachments: [AttachmentID: SalvageReport.Attachment] = [:]
    private var lostDrafts: [DraftID] = []
    private let reader = ArchiveContent()
    private let asks: (UInt64) -> Bool
    /// Bytes of objects that were read.
    private var objectByteCount: UInt64 = 0

    /// Takes what was found.
    ///
    /// - Parameters:
    ///   - damaged: all of whose pages were read.
    ///   - goesOn: told how many bytes are read.
    init(_ damaged: DamagedVault, _ goesOn: @escaping (UInt64) -> Bool) {
        self.damaged = damaged
        asks = goesOn
        index = damaged.index
        let device = index.state?.device ?? index.entries.device ?? []
        let known = index.entries.all(of: device)
        let merged = SalvagedEntries.merged(known, index.entries.others(than: device))
        let last = max(index.state?.sequence ?? 0, index.entries.lastSequence(of: device))
        missingEntryCount = Int(clamping: last) - known.count
        knowsEnd = damaged.knowsEnd
        var listed: [NoteID: RevisionID] = [:]
        for note in damaged.index.listedNow { listed[note] = damaged.index.listedHead(of: note) }
        chain = SalvagedChain(
            merged, index.revisions.found.values.map { .init(id: $0.id, note: $0.note, made: $0.made) }, listed: listed,
            isComplete: knowsEnd && missingEntryCount == 0)
    }

    var isEmpty: Bool { index.revisions.found.isEmpty && index.drafts.isEmpty }

    func goesOn() -> Bool { asks(index.progress.total * UInt64(DamagedVault.pageByteCount) + objectByteCount) }

    /// Returns the history of the new vault, of a device that is new too.
    func entries() throws -> (device: [UInt8], all: [Entry]) {
        let device = try SecureRandom.bytes(Entry.deviceByteCount)
        let entries = try chain.entries(device: device)
        for entry in entries { shown.add(entry) }
        return (device, entries)
    }

    func archived(device: [UInt8]) -> ArchivedVault {
        let header = damaged.header
        let generation = max(damaged.generation, index.state?.generation ?? 0)
        return ArchivedVault(
            vaultID: header.vaultID, epoch: min(header.epoch, ArchivedVault.epochMax - 1),
            counter: min(header.counter, ArchivedVault.counterMax / 2),
            generation: min(generation, ArchivedVault.counterMax / 2), made: Machine.now, device: device)
    }

    /// Gives the attachments and the revisions of some entries. Attachments come before revisions, so that a record
    /// names none that is lost: nobody could open it.
    func give(_ entries: [Entry], to vault: VaultOfItems) throws {
        let found = index.revisions.found
        let notes = Set(entries.map(\.noteID))
        let drafts = index.drafts.sorted { $0.key.text < $1.key.text }.compactMap { id, row in
            let draft = SalvagedDrafts(damaged: damaged, notes: notes).draft(id, row)
            if draft == nil { lostDrafts.append(id) }
            return draft
        }
        let withDrafts = Set(drafts.compactMap(\.note))
        for entry in entries { try vault.take(.entry(entry)) }
        for (note, slot) in index.revisions.slots where notes.contains(note) || withDrafts.contains(note) {
            guard let slot = keyslot(slot.sealed, of: note) else { throw VaultError(.integrity) }
            try vault.take(.noteKeyslot(slot))
        }
        for (id, attachment) in index.attachments.sorted(by: { $0.key.text < $1.key.text }) {
            if notes.contains(attachment.record.noteID) { try give(attachment, id, to: vault) }
        }
        for entry in entries {
            guard let revision = found[entry.revisionID] else { throw VaultError(.integrity) }
            try vault.take(.revision(item(revision)))
        }
        for draft in drafts { try vault.take(.draft(draft)) }
        // An older revision may name what is gone for good reason.
        for note in notes {
            for attachment in shown[note]?.flatMap({ found[$0]?.attachments ?? [] }) ?? [] {
                if !kept.contains(attachment) { lose(attachment, of: note, name: nil) }
            }
        }
        lostDrafts += draftsWithoutRow()
    }

    /// Returns the files of drafts whose rows are lost, and their keys with them. Where neither a page nor the log is,
    /// a crash has left such files.
    private func draftsWithoutRow() -> [DraftID] {
        guard damaged.logIsLost || index.lostDraftCount > 0 else { return [] }
        let known = Set(index.drafts.keys.map(\.hex))
        let names = (try? damaged.directory.folderIfThere("drafts")?.names()) ?? []
        return names.filter { !known.contains($0) }.sorted().compactMap(Self.draft(named:))
    }

    private static func draft(named name: String) -> DraftID? {
        let digits = Array(name.utf8).compactMap { Character(Unicode.Scalar($0)).hexDigitValue }
        guard digits.count == 2 * DraftID.byteCount, name.utf8.count == digits.count else { return nil }
        return try? DraftID(
            stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) })
    }

    private func keyslot(_ sealed: [UInt8], of note: NoteID) -> NoteKeyslot? {
        index.layer.open(sealed, .noteKeyslot(note)).flatMap { try? Padme.unpad($0) }
            .flatMap { try? NoteKeyslot(parsing: $0) }
    }

    private func item(_ revision: SalvagedRevision) throws -> ArchivedRevision {
        // It opened before: the file was changed meanwhile.
        guard let opened = index.opened(revision) else { throw VaultError(.integrity) }
        let record: [UInt8]
        switch opened {
        case .plain(var plain):
            plain.mapAttachments { kept.contains($0) ? $0 : nil }
            record = plain.encoded
        case .sealedInside(let outer): record = outer.encoded
        }
        return ArchivedRevision(
            id: revision.id, noteID: revision.note, made: revision.made, isPrivate: opened.isPrivate, record: record)
    }

    // MARK: Attachments

    /// Gives all of a file or nothing: no record can say that a file was cut.
    private func give(_ found: SalvagedIndex.FoundAttachment, _ id: AttachmentID, to vault: VaultOfItems) throws {
        let record = found.record
        var failure: (any Error)?
        var left: UInt64?
        func passing(_ body: () throws -> Void) throws {
            do { try body() } catch {
                failure = error
                throw error
            }
        }
        do {
            let layer = try AttachmentSealer(layer: index.layer).outerLayer(record.object, id, epoch: found.epoch)
            let details = record.isPrivate ? nil : try AttachmentDetails(parsing: record.details)
            try unsafe reader.read(record, layer, in: ObjectFolder(damaged.directory)) { byteCount in
                guard details == nil || details?.byteCount == byteCount else { throw VaultError(.integrity) }
                let item = ArchivedAttachment(
                    id: id, noteID: record.noteID, isPrivate: record.isPrivate, details: record.details,
                    byteCount: byteCount)
                try passing { try vault.take(.attachment(item)) }
                left = byteCount
            } content: { bytes in
                try passing { unsafe try vault.take(bytes) }
                objectByteCount += UInt64(bytes.count)
                left = left.map { $0 - UInt64(bytes.count) }
                try passing { () throws(VaultError) in if !goesOn() { throw VaultError(.cancelled) } }
            }
            kept.insert(id)
        } catch {
            if let failure { throw failure }
            // All of the content came, and only what stands behind it is damaged.
            guard left != 0 else {
                kept.insert(id)
                return
            }
            vault.abandonAttachment()
            if record.isPrivate { try vault.addLost(record) }
            let details = record.isPrivate ? nil : try? AttachmentDetails(parsing: record.details)
            lose(id, of: record.noteID, name: details?.name)
        }
    }

    private func lose(_ id: AttachmentID, of note: NoteID, name: String?) {
        lostAttachments[id] = lostAttachments[id] ?? SalvageReport.Attachment(id: id, note: note, name: name)
    }

    // MARK: The report

    func report(_ counts: ArchiveCounts) -> SalvageReport {
        var report = SalvageReport()
        for verdict in chain.verdicts(shown).sorted(by: { $0.note.text < $1.note.text }) {
            switch verdict.state {
            case .whole:
                report.wholeCount += 1
                continue
            case .older: report.olderCount += 1
            case .lost: report.lostCount += 1
            }
            let revision = verdict.head.flatMap { index.revisions.found[$0] }
            let title = index.listedTitle(of: verdict.note) ?? revision.flatMap { index.title(of: $0) }
            report.notes.append(
                SalvageReport.Note(
                    id: verdict.note, state: verdict.state, title: title ?? "", revision: verdict.head,
                    made: revision?.made ?? 0))
        }
        report.lostAttachments = lostAttachments.values.sorted { $0.id.text < $1.id.text }
        report.lostDrafts = lostDrafts
        (report.missingEntryCount, report.knowsEnd) = (max(0, missingEntryCount), knowsEnd)
        report.logIsLost = damaged.logIsLost
        (report.pageCount, report.damagedPageCount) = (index.pages.newest.count, index.pages.lostPageCount)
        (report.frameCount, report.damagedFrameCount) = (index.pages.frameCount, index.pages.lostFrames)
        report.counts = counts
        return report
    }
}
