// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import CSystemShims
internal import GRDB
internal import Glibc
internal import SealedObjects
internal import VaultCrypto
internal import VaultFormat

/// An `ArchiveSink` takes what an archive consists of, in its order.
protocol ArchiveSink: AnyObject {
    func take(_ item: ArchiveItem) throws
    /// Takes bytes of the attachment that was the last item.
    func take(_ content: UnsafeRawBufferPointer) throws
}

/// An `ArchiveSource` reads all of a vault: every item of an archive, with the vault's layer taken off. What does not
/// open ends it.
final class ArchiveSource {
    private let index: FrozenIndex
    private let sink: any ArchiveSink
    private let content = ArchiveContent()
    private let drafts: ArchivedDrafts
    private(set) var counts = ArchiveCounts()
    /// The files of all attachments, in their order.
    private(set) var objects: [SnapshotList.Object] = []

    /// Prepares to read an index; nothing is read yet.
    ///
    /// - Parameter drafts: gives the files of drafts, where they do not lie in a vault's folder.
    init(_ index: FrozenIndex, to sink: any ArchiveSink, drafts: ((DraftID) throws -> [UInt8]?)? = nil) {
        self.index = index
        self.sink = sink
        self.drafts = ArchivedDrafts(index, file: drafts)
    }

    /// Gives all items of the vault to the sink.
    ///
    /// - Throws: `VaultError.integrity`; what the sink throws.
    func run(made: Int64) throws {
        try give(.vault(index.archived(made: made)))
        try index.forEach("SELECT bytes FROM entry ORDER BY device, sequence") { row in
            try self.give(.entry(try Entry(parsing: row.bytes("bytes"))))
        }
        try giveWaiting()
        try index.forEach("SELECT note, sealed FROM noteKey ORDER BY note") {
            try self.give(.noteKeyslot(ArchiveRows.keyslot($0, self.index.layer)))
        }
        try index.forEach("SELECT id, note, sealed, made FROM revision ORDER BY rowid") {
            try self.give(.revision(ArchiveRows.revision($0, self.index.layer)))
        }
        try index.forEach("SELECT id, note, object, sealed FROM attachment ORDER BY rowid") {
            try self.giveAttachment($0)
        }
        try index.forEach("SELECT * FROM draft ORDER BY created, id") { try self.give(.draft(self.drafts.draft($0))) }
        try index.forEach("SELECT * FROM change ORDER BY id") { try self.give(.change(ArchiveRows.change($0))) }
        try sink.take(.end(counts))
    }

    /// Gives what opens of a damaged index; attachments whose files do not open must be out of it (`tryFiles`).
    ///
    /// - Throws: `VaultError.integrity` for what opened a moment ago; what the sink throws.
    func run(_ survey: IndexSurvey, made: Int64) throws {
        func row(_ select: String, _ key: any DatabaseValueConvertible) throws -> Row {
            guard let row = survey.rows.row(select, [key]) else { throw VaultError(.integrity) }
            return row
        }
        try give(.vault(index.archived(made: made)))
        for entry in survey.chain.entries { try give(.entry(entry)) }
        for slot in survey.keptKeyslots { try give(.noteKeyslot(slot)) }
        for revision in survey.revisions {
            let found = try row("SELECT id, note, sealed, made FROM revision WHERE rowid = ?", revision.row)
            try give(.revision(ArchiveRows.revision(found, index.layer)))
        }
        let sealer = AttachmentSealer(layer: index.layer)
        for record in survey.attachments { try give(record, sealer) }
        for draft in survey.drafts {
            guard let row = survey.draftRow(draft) else { throw VaultError(.integrity) }
            try give(.draft(drafts.draft(row)))
        }
        for change in survey.keptChanges { try give(.change(change)) }
        try sink.take(.end(counts))
    }

    /// Gives an entry of the vault's own chain that drops each record that waits for its note to be unlocked: such
    /// records are in no archive.
    private func giveWaiting() throws {
        var (sequence, previous) = (index.state.sequence, index.state.chain)
        for entry in index.entriesThatWait() {
            sequence += 1
            let drop = Entry(
                device: index.state.device, sequence: sequence, operation: .drop, noteID: entry.noteID,
                revisionID: entry.revisionID, parents: [], previous: previous)
            previous = try Digest.sha256(drop.encoded)
            try give(.entry(drop))
        }
    }

    private func give(_ item: ArchiveItem) throws {
        counts.add(item.kind)
        try sink.take(item)
    }

    private func giveAttachment(_ row: Row) throws {
        let sealer = AttachmentSealer(layer: index.layer)
        try give(ArchiveRows.attachment(row, sealer), sealer)
    }

    private func give(_ record: AttachmentRecord, _ sealer: AttachmentSealer) throws {
        objects.append(SnapshotList.Object(name: record.object, byteCount: record.fileByteCount))
        let layer = try sealer.outerLayer(record.object, record.id, epoch: index.header.epoch)
        try unsafe content.read(record, layer, in: ObjectFolder(index.directory)) { byteCount in
            try self.give(
                .attachment(
                    ArchivedAttachment(
                        id: record.id, noteID: record.noteID, isPrivate: record.isPrivate, details: record.details,
                        byteCount: byteCount)))
        } content: { bytes in
            unsafe try self.sink.take(bytes)
        }
    }
}

/// `ArchiveContent` reads objects without their vault's layer, in constant memory.
final class ArchiveContent {
    private static let byteCount = 1 << 20
    private var piece = [UInt8](repeating: 0, count: byteCount)

    deinit { unsafe piece.withUnsafeMutableBytes { unsafe vs_wipe($0.baseAddress!, $0.count) } }

    /// Reads one object to its end.
    ///
    /// - Parameters:
    ///   - begin: gets the size of the content; of a private note that is its inner layer.
    ///   - content: gets all of it, in pieces.
    /// - Throws: `VaultError.integrity` for a file that is missing or not the one that the record names; `.saveFailed`
    ///   when the disk fails.
    func read(
        _ record: AttachmentRecord, _ layer: SealLayer, in folder: ObjectFolder, begin: (UInt64) throws -> Void,
        content: (UnsafeRawBufferPointer) throws -> Void
    ) throws {
        guard let file = try folder.open(record.object) else { throw VaultError(.integrity) }
        defer { close(file) }
        let reader = try Self.mapped { () throws(ObjectError) in
            try ObjectReader(
                outerLayerOf: file, layer, fileByteCount: record.fileByteCount, commitment: record.commitment)
        }
        try begin(reader.contentByteCount)
        var at: UInt64 = 0
        while at < reader.contentByteCount {
            let range = at..<min(at + UInt64(Self.byteCount), reader.contentByteCount)
            try unsafe piece.withUnsafeMutableBytes { raw in
                let target = unsafe UnsafeMutableRawBufferPointer(rebasing: raw[0..<range.count])
                try Self.mapped { () throws(ObjectError) in try unsafe reader.read(range, into: target) }
                try unsafe content(UnsafeRawBufferPointer(target))
            }
            at = range.upperBound
        }
        try Self.mapped { () throws(ObjectError) in try reader.checkEnd() }
    }

    /// Runs a read in the vault and throws what fails there as an error of the vault, not of what is written.
    private static func mapped<Value>(_ body: () throws(ObjectError) -> Value) throws(VaultError) -> Value {
        do throws(ObjectError) { return try body() } catch {
            throw VaultError(error.code == .notAuthentic ? .integrity : .saveFailed)
        }
    }
}
