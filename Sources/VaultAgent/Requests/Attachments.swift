// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentProtocol
internal import VaultCore
internal import VaultFormat

extension OperationTable {
    static let attachments: [any Handled.Type] = [
        PutAttachment.self, CommitAttachments.self, DropAttachments.self, ListAttachments.self,
        GetAttachment.self, DescribeAttachment.self, ShowThumbnail.self, RemoveAttachments.self, RenameAttachment.self,
        CaptionAttachment.self, ShowAttached.self,
    ]
}

extension PutAttachment: Handled {
    func run(in work: RequestContext) throws(VaultError) -> Outcome? {
        guard let passed = work.takePassed() else { return RequestContext.noFile }
        do throws(PassedDescriptor.Refusal) { try passed.checkReadable() } catch { return error.outcome }
        let note = try work.store.notes.resolve(ref)
        if work.connection.attaching?.note != note { work.connection.attaching = AttachSession(note) }
        return work.start(try PutJob(work.store, note, file, passed, isRecording: isRecording))
    }
}

extension CommitAttachments: Handled {
    func run(in work: RequestContext) throws(VaultError) -> Outcome? {
        let note = try work.store.notes.resolve(ref)
        guard let attaching = work.connection.attaching, attaching.note == note, !attaching.put.isEmpty else {
            return Outcome(.usage, "there is nothing to attach")
        }
        work.connection.attaching = nil
        let name = try work.store.notes.shortID(note)
        let added = try work.store.attachments.add(attaching.put, to: note)
        work.reply(AttachmentList(name, added.map { AttachmentRow($0) }))
        return Outcome(.ok)
    }
}

extension DropAttachments: Handled {
    func run(in work: RequestContext) throws(VaultError) -> Outcome? {
        work.connection.attaching?.dropLast(Int(count))
        return Outcome(.ok)
    }
}

extension ListAttachments: Handled {
    func run(in work: RequestContext) throws(VaultError) -> Outcome? {
        let note = try work.store.notes.resolve(ref)
        let all = try work.store.attachments.all(of: note).filter { kind == nil || $0.details.kind == kind }
        work.reply(AttachmentList(try work.store.notes.shortID(note), all.map { AttachmentRow($0) }))
        return Outcome(.ok)
    }
}

extension GetAttachment: Handled {
    func run(in work: RequestContext) throws(VaultError) -> Outcome? {
        guard let passed = work.takePassed() else { return RequestContext.noFile }
        do throws(PassedDescriptor.Refusal) { try passed.checkWritable() } catch { return error.outcome }
        let found = try work.attachment(ref, name)
        return work.start(
            try GetJob(work.store.attachments.content(of: found.id, note: found.note), of: found.note, range, passed))
    }
}

extension DescribeAttachment: Handled {
    func run(in work: RequestContext) throws(VaultError) -> Outcome? {
        let found = try work.attachment(ref, name)
        work.connection.send(
            .attachment, DescribedAttachment(details: found.details, shortID: String(found.id.text.prefix(8))).encoded)
        return Outcome(.ok)
    }
}

extension ShowThumbnail: Handled {
    func run(in work: RequestContext) throws(VaultError) -> Outcome? {
        work.start(ThumbnailJob(work.store, try work.attachment(ref, name)))
    }
}

extension RemoveAttachments: Handled {
    func run(in work: RequestContext) throws(VaultError) -> Outcome? {
        let note = try work.store.notes.resolve(ref)
        var found: [AttachmentID] = []
        for name in names { found.append(try work.store.attachments.identifier(name, of: note)) }
        // One that does not open is removed as well, and not described.
        let readable = try work.store.attachments.readable(of: note).filter { found.contains($0.id) }
        let name = try work.store.notes.shortID(note)
        _ = try work.store.attachments.remove(found, from: note)
        work.reply(AttachmentList(name, readable.map { AttachmentRow($0) }))
        return Outcome(.ok)
    }
}

extension RenameAttachment: Handled {
    func run(in work: RequestContext) throws(VaultError) -> Outcome? {
        let found = try work.attachment(ref, name)
        let note = try work.store.notes.shortID(found.note)
        do throws(VaultError) {
            let described = try work.store.attachments.describe(found.id, of: found.note, name: to)
            work.reply(AttachmentList(note, [AttachmentRow(described)]))
            return Outcome(.ok)
        } catch {
            guard error.code == .exists else { throw error }
            return Outcome(
                .conflict, "the note has an attachment of that name already", hint: "vault attach ls \(note)")
        }
    }
}

extension CaptionAttachment: Handled {
    func run(in work: RequestContext) throws(VaultError) -> Outcome? {
        let found = try work.attachment(ref, name)
        let note = try work.store.notes.shortID(found.note)
        work.reply(
            AttachmentList(
                note, [AttachmentRow(try work.store.attachments.describe(found.id, of: found.note, caption: caption))]))
        return Outcome(.ok)
    }
}

extension ShowAttached: Handled {
    func run(in work: RequestContext) throws(VaultError) -> Outcome? {
        let note = try work.store.notes.resolve(ref)
        work.reply(
            AttachedNote(
                NoteRow(try work.store.notes.listed(note)),
                try work.store.attachments.all(of: note).map { AttachmentRow($0) }))
        return Outcome(.ok)
    }
}

extension RequestContext {
    static let noFile = Outcome(.usage, "no file came with the request")

    /// Returns the descriptor that came with the request; the caller closes it.
    func takePassed() -> PassedDescriptor? {
        defer { connection.handedOver = nil }
        return connection.handedOver
    }

    fileprivate func attachment(_ ref: String, _ name: String) throws(VaultError) -> Attachment {
        try store.attachments.find(name, of: store.notes.resolve(ref))
    }
}

extension PassedDescriptor.Refusal {
    var outcome: Outcome {
        switch self {
        case .notAFileOrPipe:
            Outcome(.usage, "only a regular file or a pipe can be read or written", hint: "pipe it into '-' instead")
        case .wrongAccess: Outcome(.usage, "the file is not open in the mode that this request needs")
        case .appends: Outcome(.usage, "the file is open for appending only", hint: "use > in place of >>")
        }
    }
}
