// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import SearchText
internal import TextReading
internal import VaultCrypto
public import VaultFormat

/// `InMemoryPersistence` keeps notes in memory, for tests and previews: it behaves like the sealed vault and keeps
/// nothing.
public actor InMemoryPersistence: LocalPersistence {
    private struct Head {
        var revision: RevisionID
        var record: NoteRecord
        var files: [Attachment] = []
    }
    private var contents: [AttachmentID: [UInt8]] = [:]
    /// In the order of changes, the newest last.
    private var heads: [Head] = []

    public init() {}

    public func getNotes() throws(VaultError) -> [Note] {
        // Changes of one millisecond keep their order, as rows do in the vault.
        let live = heads.enumerated().filter { !$0.element.record.flags.contains(.trashed) }
        return live.sorted { ($0.element.record.modified, $0.offset) > ($1.element.record.modified, $1.offset) }
            .map { Self.note($0.element) }
    }

    public func save(_ draft: NoteDraft) throws(VaultError) -> Note {
        guard !draft.body.isEmpty || draft.title != nil else { throw VaultError(.empty) }
        let now = Machine.now
        var record = NoteRecord(
            noteID: try newNoteID(), created: draft.created ?? draft.modified ?? now,
            modified: draft.modified ?? now, body: draft.body)
        record.title = draft.title
        record.tags = NoteNames.tags(draft.tags)
        record.notebook = NoteNames.notebook(draft.notebook)
        record.source = draft.source
        return try append(record)
    }

    public func update(_ note: Note) throws(VaultError) -> Note {
        let index = try index(of: note.id)
        let old = heads[index].record
        var record = old
        record.body = note.body
        record.title = note.titleIsSet ? note.title : nil
        record.tags = note.tags
        record.notebook = note.notebook
        guard !record.body.isEmpty || record.title != nil else { throw VaultError(.empty) }
        var files = heads[index].files
        for content in note.added {
            let attachment = try keep(content, of: note.id, besides: files)
            files.append(attachment)
            record.attachments.append(attachment.id)
        }
        guard record != old else { return Self.note(heads[index]) }
        record.modified = max(Machine.now, old.modified)
        return try append(record, replacing: index, files: files)
    }

    public func delete(_ id: NoteID) throws(VaultError) {
        let index = try index(of: id)
        var record = heads[index].record
        guard record.flags.insert(.trashed).inserted else { return }
        _ = try append(record, replacing: index)
    }

    /// Returns the content of one of a note's attachments.
    public func content(of attachment: Attachment) throws(VaultError) -> [UInt8] {
        guard let bytes = contents[attachment.id] else { throw VaultError(.noAttachment) }
        return bytes
    }

    private func keep(_ content: AddedContent, of note: NoteID, besides files: [Attachment]) throws(VaultError)
        -> Attachment
    {
        let id = try Self.newID(AttachmentID.byteCount) { bytes throws(FormatError) in try AttachmentID(bytes) }
        let name = AttachmentName.unused(
            AttachmentName.clean(content.name), among: Set(files.map { TagKey.bytes($0.name) }))
        var details = AttachmentDetails(
            kind: content.kind, name: name, mediaType: content.mediaType, byteCount: UInt64(content.bytes.count),
            created: Machine.now)
        details.caption = content.caption
        contents[id] = content.bytes
        return Attachment(id: id, note: note, details: details, fileByteCount: 0, isPrivate: false)
    }

    private func append(_ record: NoteRecord, replacing index: Int? = nil, files: [Attachment] = []) throws(VaultError)
        -> Note
    {
        guard record.isWithinLimits else { throw VaultError(.tooLarge) }
        let head = Head(revision: try newRevisionID(), record: record, files: files)
        if let index { heads.remove(at: index) }
        heads.append(head)
        return Self.note(head)
    }

    private func index(of id: NoteID) throws(VaultError) -> Int {
        guard let index = heads.firstIndex(where: { $0.record.noteID == id }) else { throw VaultError(.notFound) }
        return index
    }

    /// Makes an identifier of random bytes; identifiers of zeros alone do not exist.
    private static func newID<ID>(_ byteCount: Int, _ parsed: ([UInt8]) throws(FormatError) -> ID) throws(VaultError)
        -> ID
    {
        let bytes = try VaultError.mapping { () throws(CryptoError) in try SecureRandom.bytes(byteCount) }
        guard let id = try? parsed(bytes) else { preconditionFailure("the random generator gave zeros alone") }
        return id
    }

    private func newNoteID() throws(VaultError) -> NoteID {
        try Self.newID(NoteID.byteCount) { bytes throws(FormatError) in try NoteID(bytes) }
    }

    private func newRevisionID() throws(VaultError) -> RevisionID {
        try Self.newID(RevisionID.byteCount) { bytes throws(FormatError) in try RevisionID(bytes) }
    }

    private static func note(_ head: Head) -> Note {
        let record = head.record
        return Note(
            id: record.noteID, revision: head.revision,
            title: NoteTitle.display(title: record.title, body: record.body),
            titleIsSet: record.title != nil, body: record.body, tags: record.tags, notebook: record.notebook,
            created: record.created,
            modified: record.modified, place: NotePlace(record.flags), attachments: record.attachments,
            files: head.files)
    }
}
