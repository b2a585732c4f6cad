// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentProtocol
internal import VaultCore
internal import VaultFormat

extension Operations {
    func attaching(_ attaching: Attaching) throws(VaultError) -> Outcome? {
        switch attaching {
        case .put(let ref, let file): return try put(ref, file)
        case .commit(let ref): return try commitAttachments(ref)
        case .drop(let count): connection.attaching?.dropLast(Int(count))
        case .list(let ref, let kind):
            let all = try store.attachments(of: store.resolve(ref))
            answer.attachments(all.filter { kind == nil || $0.details.kind == kind })
        case .get(let ref, let name, let range): return try get(ref, name, range)
        case .describe(let ref, let name):
            let found = try attachment(ref, name)
            connection.send(.attachment, DescribedAttachment(details: found.details, shortID: String(found.id.text.prefix(8))).encoded)
        case .remove(let ref, let names): try remove(ref, names)
        case .rename(let ref, let name, let new):
            let found = try attachment(ref, name)
            answer.described(try store.describe(found.id, of: found.note, name: new), "renamed")
        case .caption(let ref, let name, let text):
            let found = try attachment(ref, name)
            answer.described(try store.describe(found.id, of: found.note, caption: text), "saved")
        case .tell(let ref):
            let note = try store.resolve(ref)
            answer.saved(try store.listed(note), with: try store.attachments(of: note))
        }
        return Outcome(.ok)
    }

    private func attachment(_ ref: String, _ name: String) throws(VaultError) -> Attachment {
        try store.attachment(name, of: store.resolve(ref))
    }

    private func put(_ ref: String, _ file: AddedFile) throws(VaultError) -> Outcome? {
        guard let passed = connection.handedOver else { return Outcome(.usage, "no file came with the request") }
        connection.handedOver = nil
        do throws(PassedDescriptor.Refusal) { try passed.checkReadable() } catch { return error.outcome }
        let note = try store.resolve(ref)
        if connection.attaching?.note != note { connection.attaching = AttachSession(note) }
        return start(try PutJob(store, note, file, passed))
    }

    private func commitAttachments(_ ref: String) throws(VaultError) -> Outcome {
        let note = try store.resolve(ref)
        guard let attaching = connection.attaching, attaching.note == note, !attaching.put.isEmpty else {
            return Outcome(.usage, "there is nothing to attach")
        }
        connection.attaching = nil
        let added = try store.attach(attaching.put, to: note)
        answer.attached(added, to: try store.shortID(note))
        return Outcome(.ok)
    }

    private func get(_ ref: String, _ name: String, _ range: ByteRange?) throws(VaultError) -> Outcome? {
        guard let passed = connection.handedOver else { return Outcome(.usage, "no file came with the request") }
        connection.handedOver = nil
        do throws(PassedDescriptor.Refusal) { try passed.checkWritable() } catch { return error.outcome }
        let found = try attachment(ref, name)
        return start(try GetJob(store.content(of: found.id, note: found.note), of: found.note, range, passed))
    }

    private func remove(_ ref: String, _ names: [String]) throws(VaultError) {
        let note = try store.resolve(ref)
        var found: [Attachment] = []
        for name in names { found.append(try store.attachment(name, of: note)) }
        _ = try store.detach(found.map(\.id), from: note)
        answer.detached(found)
    }
}

extension PassedDescriptor.Refusal {
    var outcome: Outcome {
        switch self {
        case .notAFileOrPipe: Outcome(.usage, "only a regular file or a pipe can be read or written", hint: "pipe it into '-' instead")
        case .wrongAccess: Outcome(.usage, "the file is not open in the mode that this request needs")
        case .appends: Outcome(.usage, "the file is open for appending only", hint: "use > in place of >>")
        }
    }
}
