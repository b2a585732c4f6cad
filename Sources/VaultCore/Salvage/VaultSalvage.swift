// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import Glibc
internal import SealedObjects
internal import SealedSQLite
internal import VaultCrypto
internal import VaultFormat

/// Makes a new vault of what a damaged one still holds: under another name until all of it is there, with a key and an
/// identity of its own, and with the ID of the damaged one, which private notes are bound to.
///
/// It gives the items of an archive to what makes vaults of archives, so that a vault that was salvaged is checked as
/// one that was restored. Private notes come without their passwords: their keyslots and inner layers stay as they are.
/// Spec: docs/format.md §23.
public enum VaultSalvage {
    /// - Parameters:
    ///   - path: must not exist, or be an empty directory.
    ///   - goesOn: told how many bytes are read; false ends the work.
    /// - Throws: `VaultError.integrity` when nothing at all opened; what cannot be written. Then nothing is left at the
    ///   path, and never is anything changed in the damaged vault.
    public static func run(
        _ damaged: DamagedVault, to path: [UInt8], _ owner: borrowing NewOwner, pins: PinStore = PinStore(),
        goesOn: @escaping (UInt64) -> Bool = { _ in true }
    ) throws -> SalvageReport {
        try FrozenIndex.mapped {
            try NewVaultFolder.refuseExisting(path)
            let byteCount = UInt64(DamagedVault.pageByteCount)
            while damaged.index.step() {
                guard goesOn(damaged.index.progress.done * byteCount) else { throw VaultError(.cancelled) }
            }
            let content = SalvagedContent(damaged)
            guard !content.isEmpty else { throw VaultError(.integrity) }
            let entries = try content.entries()
            let vault = try VaultOfItems(
                content.archived(device: entries.device), at: path, owner, pins, of: damaged.header.identity,
                isCopy: true, isOfSalvage: true,
                goesOn: { _ in goesOn(damaged.index.progress.total * byteCount + content.objectByteCount) })
            try content.give(entries.all, to: vault)
            let made = try vault.finish()
            return content.report(made.counts)
        }
    }
}

/// Gives what was found to whoever makes a vault of it, and keeps account of what is lost.
final class SalvagedContent {
    private let damaged: DamagedVault
    private let index: SalvagedIndex
    private let chain: SalvagedChain
    private let missingEntryCount: Int
    private let knowsEnd: Bool
    private var shown = NoteHeads()
    private var kept: Set<AttachmentID> = []
    private var lostAttachments: [SalvageReport.Attachment] = []
    private var lostDrafts: [DraftID] = []
    /// Bytes of objects that were read.
    private(set) var objectByteCount: UInt64 = 0

    /// - Parameter damaged: all of whose pages were read.
    init(_ damaged: DamagedVault) {
        self.damaged = damaged
        index = damaged.index
        let device = index.state?.device ?? index.entries.device ?? []
        let known = index.entries.all(of: device)
        let last = max(index.state?.sequence ?? 0, index.entries.lastSequence(of: device))
        missingEntryCount = Int(clamping: last) - known.count
        knowsEnd = index.state.map { !$0.isOlder } ?? false
        var listed: [NoteID: RevisionID] = [:]
        for note in damaged.index.listedNow { listed[note] = damaged.index.listedHead(of: note) }
        chain = SalvagedChain(
            known, index.revisions.found.values.map { .init(id: $0.id, note: $0.note, made: $0.made) }, listed: listed,
            isComplete: knowsEnd && missingEntryCount == 0)
    }

    var isEmpty: Bool { index.revisions.found.isEmpty && index.drafts.isEmpty }

    /// The history of the new vault, of a device that is new too.
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

    /// Attachments come before revisions, so that a record names none that is lost: nobody could open it.
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
        for revision in found.values where notes.contains(revision.note) {
            for attachment in revision.attachments where !kept.contains(attachment) {
                lose(attachment, of: revision.note, name: nil)
            }
        }
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
            plain.attachments.removeAll { !kept.contains($0) }
            record = plain.encoded
        case .sealedInside(let outer): record = outer.encoded
        }
        return ArchivedRevision(
            id: revision.id, noteID: revision.note, made: revision.made, isPrivate: opened.isPrivate, record: record)
    }

    // MARK: Attachments

    /// All of a file or nothing: no record can say that a file was cut.
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
            try unsafe ArchiveContent().read(record, layer, in: ObjectFolder(damaged.directory)) { byteCount in
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
            let details = record.isPrivate ? nil : try? AttachmentDetails(parsing: record.details)
            lose(id, of: record.noteID, name: details?.name)
        }
    }

    private func lose(_ id: AttachmentID, of note: NoteID, name: String?) {
        guard !lostAttachments.contains(where: { $0.id == id }) else { return }
        lostAttachments.append(SalvageReport.Attachment(id: id, note: note, name: name))
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
        report.lostAttachments = lostAttachments
        report.lostDrafts = lostDrafts
        (report.missingEntryCount, report.knowsEnd) = (max(0, missingEntryCount), knowsEnd)
        (report.pageCount, report.damagedPageCount) = (index.pages.newest.count, index.pages.lostPages.count)
        (report.frameCount, report.damagedFrameCount) = (index.pages.frameCount, index.pages.lostFrames)
        report.counts = counts
        return report
    }
}
