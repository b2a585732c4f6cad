// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import VaultCrypto
internal import VaultFormat

/// `ContentDigests` keeps of a vault what tells one state of it from another: the digest of each revision and of each
/// attachment's content, and the chain.
final class ContentDigests: ArchiveSink {
    struct Revision {
        let note: NoteID
        let digest: [UInt8]
        /// Of a private note, which of its keys.
        let keyEpoch: UInt32?
    }

    struct Attachment {
        let note: NoteID
        /// Empty for a private one.
        let name: String
        let keyEpoch: UInt32?
        var digest: [UInt8] = []
    }

    private(set) var revisions: [RevisionID: Revision] = [:]
    private(set) var attachments: [AttachmentID: Attachment] = [:]
    /// Hashes of the entries of all devices.
    private(set) var entries: Set<[UInt8]> = []
    /// Revisions that entries name.
    private(set) var named: Set<RevisionID> = []
    private(set) var heads = NoteHeads()
    /// What entries let go of: of a revision, or of a note with all of them.
    private(set) var dropped: Set<RevisionID> = []
    private(set) var purged: Set<NoteID> = []
    private var keyEpochs: [NoteID: UInt32] = [:]
    private var running: (id: AttachmentID, digest: RunningDigest, left: UInt64)?

    func take(_ item: ArchiveItem) throws {
        switch item {
        case .entry(let entry): try take(entry)
        case .noteKeyslot(let slot): keyEpochs[slot.noteID] = slot.keyEpoch
        case .revision(let revision):
            revisions[revision.id] = Revision(
                note: revision.noteID, digest: try Digest.sha256(revision.record),
                keyEpoch: revision.isPrivate ? keyEpochs[revision.noteID] ?? 0 : nil)
        case .attachment(let attachment):
            let details = attachment.isPrivate ? nil : try? AttachmentDetails(parsing: attachment.details)
            attachments[attachment.id] = Attachment(
                note: attachment.noteID, name: details?.name ?? "",
                keyEpoch: attachment.isPrivate ? keyEpochs[attachment.noteID] ?? 0 : nil)
            running = (attachment.id, try RunningDigest(), attachment.byteCount)
            if attachment.byteCount == 0 { try endAttachment() }
        case .vault, .draft, .change, .end: break
        }
    }

    func take(_ content: UnsafeRawBufferPointer) throws {
        guard let now = running else { return }
        try unsafe now.digest.add(content)
        running?.left -= min(UInt64(content.count), now.left)
        if running?.left == 0 { try endAttachment() }
    }

    private func endAttachment() throws {
        guard let now = running else { return }
        running = nil
        attachments[now.id]?.digest = try now.digest.finish()
    }

    private func take(_ entry: Entry) throws {
        entries.insert(try Digest.sha256(entry.encoded))
        heads.add(entry)
        switch entry.operation {
        case .purge: purged.insert(entry.noteID)
        case .drop: dropped.insert(entry.revisionID)
        case .create, .edit, .trash, .restore, .fork, .join: named.insert(entry.revisionID)
        case .statement: break
        }
    }
}
