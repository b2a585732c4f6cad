// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import CSystemShims
internal import GRDB
internal import Glibc
internal import SealedObjects
internal import VaultCrypto
internal import VaultFormat

/// Takes what an archive consists of, in its order.
protocol ArchiveSink: AnyObject {
    func take(_ item: ArchiveItem) throws
    /// Bytes of the attachment that was the last item.
    func take(_ content: UnsafeRawBufferPointer) throws
}

/// Reads all of a vault: every item of an archive, with the vault's layer taken off. What does not open ends it.
final class ArchiveSource {
    private let index: FrozenIndex
    private let sink: any ArchiveSink
    private let content = ArchiveContent()
    private let drafts: ArchivedDrafts
    private(set) var counts = ArchiveCounts()
    /// The files of all attachments, in their order.
    private(set) var objects: [SnapshotList.Object] = []

    /// - Parameter drafts: gives the files of drafts, where they do not lie in a vault's folder.
    init(_ index: FrozenIndex, to sink: any ArchiveSink, drafts: ((DraftID) throws -> [UInt8]?)? = nil) {
        self.index = index
        self.sink = sink
        self.drafts = ArchivedDrafts(index, file: drafts)
    }

    /// - Throws: `VaultError.integrity`; what the sink throws.
    func run(made: Int64) throws {
        try give(.vault(index.archived(made: made)))
        try index.forEach("SELECT bytes FROM entry ORDER BY device, sequence") { row in
            try self.give(.entry(try Entry(parsing: row.bytes("bytes"))))
        }
        try index.forEach("SELECT note, sealed FROM noteKey ORDER BY note") {
            try self.give(.noteKeyslot(self.keyslot($0)))
        }
        try index.forEach("SELECT id, note, sealed, made FROM revision ORDER BY rowid") {
            try self.give(.revision(self.revision($0)))
        }
        try index.forEach("SELECT id, note, object, sealed FROM attachment ORDER BY rowid") {
            try self.giveAttachment($0)
        }
        try index.forEach("SELECT * FROM draft ORDER BY created, id") { try self.give(.draft(self.drafts.draft($0))) }
        try index.forEach("SELECT * FROM change ORDER BY id") { try self.give(.change(Self.change($0))) }
        try sink.take(.end(counts))
    }

    private func give(_ item: ArchiveItem) throws {
        counts.add(item.kind)
        try sink.take(item)
    }

    private func keyslot(_ row: Row) throws -> NoteKeyslot {
        let note = try NoteID(try row.bytes("note"))
        guard let padded = index.layer.open(try row.bytes("sealed"), .noteKeyslot(note)),
            let content = try? Padme.unpad(padded),
            let slot = try? NoteKeyslot(parsing: content), slot.noteID == note
        else { throw VaultError(.integrity) }
        return slot
    }

    private func revision(_ row: Row) throws -> ArchivedRevision {
        let id = try RevisionID(try row.bytes("id"))
        let note = try NoteID(try row.bytes("note"))
        let (record, isPrivate): ([UInt8], Bool)
        switch try RecordSealer(index.layer).openOuter(try row.bytes("sealed"), note: note, revision: id) {
        case .plain(let plain): (record, isPrivate) = (plain.encoded, false)
        case .sealedInside(let outer): (record, isPrivate) = (outer.encoded, true)
        }
        return ArchivedRevision(
            id: id, noteID: note, made: try row.integer("made"), isPrivate: isPrivate, record: record)
    }

    private func giveAttachment(_ row: Row) throws {
        let sealer = AttachmentSealer(layer: index.layer)
        let id = try AttachmentID(try row.bytes("id"))
        let note = try NoteID(try row.bytes("note"))
        let record = try sealer.open(try row.bytes("sealed"), id, note: note)
        guard record.object.bytes == (try row.bytes("object")) else { throw VaultError(.integrity) }
        objects.append(SnapshotList.Object(name: record.object, byteCount: record.fileByteCount))
        let layer = try sealer.outerLayer(record.object, id, epoch: index.header.epoch)
        try unsafe content.read(record, layer, in: ObjectFolder(index.directory)) { byteCount in
            try self.give(
                .attachment(
                    ArchivedAttachment(
                        id: id, noteID: note, isPrivate: record.isPrivate, details: record.details, byteCount: byteCount
                    )))
        } content: { bytes in
            unsafe try self.sink.take(bytes)
        }
    }

    private static func change(_ row: Row) throws -> ArchivedChange {
        ArchivedChange(
            id: try row.integer("id"), command: try row.integer("command"), kind: try row.text("kind"),
            made: try row.integer("made"),
            first: try row.integer("first"), last: try row.integer("last"))
    }
}

/// Reads objects without their vault's layer, in constant memory.
final class ArchiveContent {
    private static let byteCount = 1 << 20
    private var piece = [UInt8](repeating: 0, count: byteCount)

    deinit { unsafe piece.withUnsafeMutableBytes { unsafe vs_wipe($0.baseAddress!, $0.count) } }

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

    /// What fails here fails in the vault, not where it is written to.
    private static func mapped<Value>(_ body: () throws(ObjectError) -> Value) throws(VaultError) -> Value {
        do throws(ObjectError) { return try body() } catch {
            throw VaultError(error.code == .notAuthentic ? .integrity : .saveFailed)
        }
    }
}
