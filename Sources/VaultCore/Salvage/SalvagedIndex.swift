// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import SealedSQLite
internal import VaultCrypto
internal import VaultFormat

/// A `SalvagedIndex` is what is left of an index whose pages or trees are damaged: every row that can still be told to
/// be one of the vault's.
///
/// Rows are recognised by what authenticates, not by the tree that they hang in. It is read in steps; what it keeps in
/// memory are identifiers and positions, so a row is read again when somebody wants it. What the chain of entries names
/// and no page has is in `loss`. Spec: docs/format.md §23.
///
/// ```swift
/// let index = try SalvagedIndex(pages, header, keys, in: directory)
/// while index.step() {}
/// for revision in index.revisions.found.values { let sealed = index.sealed(revision) … }
/// ```
///
/// Sealed values are as they lay there: they open with `layer` and `records`.
final class SalvagedIndex {
    /// A `FoundAttachment` is an attachment's row.
    struct FoundAttachment {
        let record: AttachmentRecord
        let sealed: [UInt8]
        /// Of the key that its file is under.
        let epoch: UInt32
        let isOlder: Bool
    }

    let pages: PageSalvage
    let header: Header
    let keys: VaultKeys
    /// Opens rows, under the key of the epoch before too while a rotation runs.
    private(set) var layer: VaultLayer
    private(set) var records: RecordSealer
    /// The row about a rotation that runs, as it was found; it opens.
    private(set) var rotation: SalvagedRecord?

    private(set) var entries = SalvagedEntries()
    private(set) var revisions = SalvagedRevisions()
    private(set) var attachments: [AttachmentID: FoundAttachment] = [:]
    private(set) var thumbnails: [AttachmentID: PageSalvage.Position] = [:]
    private(set) var drafts: [DraftID: SalvagedRecord] = [:]
    /// By slot: what keyslots are called; and those that the header had when it was the same as what was told.
    private(set) var keyslots: [[UInt8]: SalvagedRecord] = [:]
    private(set) var agreedKeyslots: Set<[UInt8]> = []
    private(set) var changes: [Int64: SalvagedRecord] = [:]
    /// What entries say besides revisions, by their names.
    private(set) var statements: [RevisionID: SalvagedRecord] = [:]
    private(set) var pendingUnlinks: [[UInt8]: Int64] = [:]
    private(set) var state: SalvagedState?
    /// Rows of the lists, which may tell what a lost note was called.
    private(set) var listRows: [NoteID: PageSalvage.Position] = [:]
    private(set) var listedNow: Set<NoteID> = []
    /// What is to be written as the vault's history, once all is read.
    private(set) var history: SalvagedHistory?
    /// What could not be found; whole once all is read.
    var loss: SalvageLoss { history?.loss ?? SalvageLoss() }

    /// Files of attachments that no row names, where pages are lost.
    private(set) var unnamedObjectCount = 0
    /// Pages that a manifest vouches for.
    var vouchedPageCount: UInt32 = 0
    let directory: VaultDirectory
    private var phase = Phase.survey
    private static let stepPages = 200

    private enum Phase {
        case survey
        case rotation(next: Int)
        case newest(next: Int)
        case older([PageSalvage.Version], next: Int)
        case done
    }

    /// Begins with pages of which none is read.
    ///
    /// - Parameters:
    ///   - header: verified; its epoch is the index's.
    ///   - directory: the vault's, where objects and drafts lie.
    /// - Throws: `VaultError.libraryFailed`, `.selfTestFailed`.
    init(_ pages: PageSalvage, _ header: Header, _ keys: VaultKeys, in directory: VaultDirectory) throws(VaultError) {
        self.pages = pages
        self.header = header
        self.keys = keys
        self.directory = directory
        (layer, records) = try VaultError.translating {
            let layer = try VaultLayer(keys, vaultID: header.vaultID, epoch: header.epoch)
            return (layer, try RecordSealer(layer))
        }
    }

    /// Pages that were read, and how many there are to be read.
    var progress: (done: UInt64, total: UInt64) {
        let total = pages.progress.total
        switch phase {
        case .survey: return (pages.progress.done, 2 * total)
        case .rotation: return (total, 2 * total)
        case .newest(let next): return (total + UInt64(next), 2 * total)
        case .older, .done: return (2 * total, 2 * total)
        }
    }

    /// Reads a little more; false when all is read and `history` is there.
    func step() -> Bool {
        switch phase {
        case .survey:
            if !pages.survey(pageCount: Self.stepPages) {
                phase = header.epoch > 1 ? .rotation(next: 0) : .newest(next: 0)
            }
        case .rotation(let next):
            let end = min(next + Self.stepPages, pages.newest.count)
            for version in pages.newest[next..<end] where rotation == nil { findRotation(version) }
            phase = end < pages.newest.count && rotation == nil ? .rotation(next: end) : .newest(next: 0)
        case .newest(let next):
            let end = min(next + Self.stepPages, pages.newest.count)
            for version in pages.newest[next..<end] { collect(version, isOlder: false) }
            phase = end < pages.newest.count ? .newest(next: end) : afterNewest()
        case .older(let versions, let next):
            let end = min(next + Self.stepPages, versions.count)
            for version in versions[next..<end] { collect(version, isOlder: true) }
            phase = end < versions.count ? .older(versions, next: end) : settled()
        case .done: return false
        }
        if case .done = phase { return false }
        return true
    }

    /// Returns what follows the newest versions. Older ones are looked at only when something is missing: they are of
    /// before.
    private func afterNewest() -> Phase {
        let older = pages.older
        guard lacksPages || SalvagedHistory.isBroken(self), !older.isEmpty else { return settled() }
        return .older(older, next: 0)
    }

    private func settled() -> Phase {
        revisions.settle { isListedPrivate($0) }
        let history = SalvagedHistory(self)
        let namedNow = listedNow.union(revisions.found.values.lazy.filter { !$0.isOlder }.map(\.note))
        revisions.keep { history.keeps($0, namedNow: namedNow) }
        keepAttachments()
        self.history = history.completed(self)
        return .done
    }

    // MARK: What a row is

    private func findRotation(_ version: PageSalvage.Version) {
        pages.forEachCell(of: version) { cell in
            guard case .rotation? = SalvagedRow(cell) else { return }
            for (record, _) in pages.records(of: cell) { take(rotation: record) }
        }
    }

    /// Takes the key before, as `RotationState.previousKeys` does: a row that is bound to an older header is of a
    /// rotation that has ended.
    private func take(rotation record: SalvagedRecord) {
        guard rotation == nil, let wrapped = record.blob(1), let counter = record.integer(2), counter >= 0,
            UInt64(counter) >= header.counter,
            let root = layer.openCurrentKey(
                wrapped, RotationState.place(previousEpoch: header.epoch - 1, counter: UInt64(counter))),
            let previous = try? VaultKeys(root),
            let both = try? VaultLayer(keys, vaultID: header.vaultID, epoch: header.epoch, previous: previous),
            let opening = try? RecordSealer(both)
        else { return }
        (rotation, layer, records) = (record, both, opening)
    }

    private func collect(_ version: PageSalvage.Version, isOlder: Bool) {
        pages.forEachCell(of: version) { cell in
            guard let row = SalvagedRow(cell) else { return }
            for (record, position) in pages.records(of: cell) where take(row, record, position, isOlder) { return }
        }
    }

    /// Takes a row if it is one of the vault's.
    ///
    /// - Returns: whether it is one.
    private func take(
        _ row: SalvagedRow, _ record: SalvagedRecord, _ position: PageSalvage.Position, _ isOlder: Bool
    ) -> Bool {
        switch row {
        case .revision: return take(revision: record, position, isOlder)
        case .entry:
            if let device = record.blob(0), let sequence = record.integer(1), let bytes = record.blob(2) {
                entries.add(bytes, device: device, sequence: sequence)
            }
        case .noteKey: return take(noteKey: record, position, isOlder)
        case .attachment: return take(attachment: record, isOlder)
        case .thumbnail: if let id = Self.attachmentID(record) { thumbnails[id] = thumbnails[id] ?? position }
        case .draft: return take(draft: record, isOlder)
        case .keyslot:
            if let slot = record.blob(0), header.keyslots.contains(where: { $0.slotID == slot }) {
                keyslots[slot] = keyslots[slot] ?? record
            }
        case .change: if let id = record.rowID, !isOlder { changes[id] = changes[id] ?? record }
        case .agreedKeyslot where record.integer(1) == Int64(header.epoch):
            if let slot = record.blob(0) { agreedKeyslots.insert(slot) }
        case .statement:
            if let name = StatementRow(record)?.name { statements[name] = statements[name] ?? record }
        case .state:
            guard var found = SalvagedState(record), !isOlder || state == nil else { break }
            found.isOlder = isOlder
            if found.generation > state?.generation ?? 0 { state = found }
        case .rotation, .agreedKeyslot: break
        case .pendingUnlink:
            if let object = record.blob(0), let made = record.integer(1), made > Self.timeMin, !isOlder {
                pendingUnlinks[object] = made
            }
        case .note:
            guard let id = record.blob(1).flatMap({ try? NoteID($0) }) else { return false }
            listRows[id] = listRows[id] ?? position
            if !isOlder { listedNow.insert(id) }
        }
        return true
    }

    /// An index over attachments' objects has numbers of rows where the table has times: these are of after 2001.
    private static let timeMin: Int64 = 1_000_000_000_000

    private func take(revision record: SalvagedRecord, _ position: PageSalvage.Position, _ isOlder: Bool) -> Bool {
        guard let id = record.blob(0).flatMap({ try? RevisionID($0) }),
            let note = record.blob(1).flatMap({ try? NoteID($0) }), let sealed = record.blob(2),
            let opened = try? records.openOuter(sealed, note: note, revision: id)
        else { return false }
        var keyEpoch: UInt32 = 0
        if case .sealedInside(let outer) = opened { keyEpoch = outer.keyEpoch }
        revisions.add(
            SalvagedRevision(
                id: id, note: note, made: max(0, record.integer(3) ?? 0), keyEpoch: keyEpoch,
                attachments: opened.isPrivate ? [] : opened.face.attachments, position: position, isOlder: isOlder))
        return true
    }

    private func take(
        noteKey record: SalvagedRecord, _ position: PageSalvage.Position, _ isOlder: Bool
    ) -> Bool {
        guard let note = record.blob(0).flatMap({ try? NoteID($0) }), let sealed = record.blob(1),
            let content = layer.open(sealed, .noteKeyslot(note)).flatMap({ try? Padme.unpad($0) }),
            let slot = try? NoteKeyslot(parsing: content), slot.noteID == note
        else { return false }
        revisions.add(
            SalvagedKeyslot(sealed: sealed, keyEpoch: slot.keyEpoch, isOlder: isOlder, order: position.order), of: note)
        return true
    }

    private func take(attachment record: SalvagedRecord, _ isOlder: Bool) -> Bool {
        guard let id = Self.attachmentID(record), let note = record.blob(1).flatMap({ try? NoteID($0) }),
            let sealed = record.blob(3), let opened = try? AttachmentSealer(layer: layer).open(sealed, id, note: note),
            opened.object.bytes == record.blob(2)
        else { return false }
        guard attachments[id] == nil else { return true }
        // A row without the column is of before there was one, so before any rotation but the one that runs.
        let epoch = record.integer(4).flatMap { UInt32(exactly: $0) } ?? header.epoch - (rotation == nil ? 0 : 1)
        attachments[id] = FoundAttachment(record: opened, sealed: sealed, epoch: epoch, isOlder: isOlder)
        return true
    }

    private func take(draft record: SalvagedRecord, _ isOlder: Bool) -> Bool {
        guard let id = record.blob(0).flatMap({ try? DraftID($0) }), let wrapped = record.blob(1) else { return false }
        // Its key is not looked at: it stays sealed.
        let opens =
            wrapped.count > DraftWrap.ordinaryByteCount
            ? layer.open(wrapped, .draftKey(id)) != nil : layer.openKey(wrapped, .draftKey(id)) != nil
        guard opens else { return false }
        if isOlder, directory.existingFolder("drafts")?.identity(id.hex) == nil { return true }
        drafts[id] = drafts[id] ?? record
        return true
    }

    private static func attachmentID(_ record: SalvagedRecord) -> AttachmentID? {
        record.blob(0).flatMap { try? AttachmentID($0) }
    }

    // MARK: Afterwards

    /// Keeps the attachments of notes that are there; of an older page only while the file is there, and no two with
    /// one file.
    private func keepAttachments() {
        let notes = Set(revisions.found.values.map(\.note))
        let objects = ObjectFolder(directory)
        unnamedObjectCount = countUnnamed(objects)
        attachments = attachments.filter { _, found in
            guard notes.contains(found.record.noteID),
                found.record.isPrivate == (revisions.slots[found.record.noteID] != nil)
            else { return false }
            return !found.isOlder || objects.contains(found.record.object)
        }
        var seen: Set<[UInt8]> = []
        for (id, found) in attachments.sorted(by: { !$0.value.isOlder && $1.value.isOlder })
        where !seen.insert(found.record.object.bytes).inserted {
            attachments[id] = nil
        }
        for object in seen { pendingUnlinks[object] = nil }
    }
}
