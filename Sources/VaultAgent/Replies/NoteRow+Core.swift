// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentProtocol
internal import SearchText
internal import VaultCore
internal import VaultFormat

extension NoteRow {
    init(_ note: NoteSummary) {
        self.init()
        (id, shortID, revision) = (note.id.text, note.shortID, note.revision.text)
        (title, snippet, notebook, tags) = (note.title, note.snippet, note.notebook, note.tags)
        if isSecret { (title, snippet) = (note.titleIsSet ? title : "", "") }
        (created, modified, byteCount) = (note.created, note.modified, note.byteCount)
        place = ListPlace(note.place)
        (marks, isForked, hasAttachments) = (note.flags.marks, note.isForked, note.hasAttachments)
        (isPrivate, isLocked) = (note.protection != .none, note.protection == .locked)
        (isDamaged, hasSketches, state) = (note.isDamaged, note.hasSketches, note.upload)
    }

    init(_ note: Note, shortID: String, withSnippet: Bool) {
        self.init()
        (id, self.shortID, revision) = (note.id.text, shortID, note.revision.text)
        (title, notebook, tags) = (note.title, note.notebook, note.tags)
        if withSnippet && !isSecret {
            snippet = Snippet.plain(title: note.titleIsSet ? note.title : nil, body: note.body)
        }
        (created, modified, byteCount) = (note.created, note.modified, note.body.utf8.count)
        place = ListPlace(note.place)
        (marks, isForked, hasAttachments) = (note.flags.marks, note.isForked, !note.attachments.isEmpty)
        (isPrivate, state) = (note.protection != .none, note.upload)
    }
}

extension ChangedNotes {
    init(_ notes: [NoteSummary]) { self.init(notes.map { NoteRow($0) }) }
}

extension FoundNotes.Hit {
    init(_ hit: SearchHit) {
        self.init()
        note = NoteRow(hit.note)
        if hit.note.titleIsSet || !note.isSecret { titleHits = hit.titleHits }
        guard !note.isSecret else { return }
        note.snippet = hit.snippet
        snippetHits = hit.hits
    }
}

extension FoundNotes {
    /// Makes the reply about a page of hits.
    ///
    /// - Parameter before: notes on the pages before.
    init(_ page: SearchPage, before: Int) {
        self.init()
        (hits, self.before, hasMore, isCutShort) = (page.hits.map { Hit($0) }, before, page.hasMore, page.isCutShort)
    }
}

extension AttachmentRow {
    init(_ attachment: Attachment) {
        self.init()
        let details = attachment.details
        (id, name, kind, mediaType) = (attachment.id.text, details.name, details.kind, details.mediaType)
        (byteCount, created, caption) = (details.byteCount, details.created, details.caption)
        (width, height, isStripped) = (details.width, details.height, details.isStripped)
    }
}

extension ListPlace {
    init(_ place: NotePlace) {
        switch place {
        case .live: self = .live
        case .trash: self = .trash
        case .archive: self = .archive
        case .template: self = .template
        case .book: self = .book
        }
    }
}

extension NotePlace {
    init(_ place: ListPlace) {
        switch place {
        case .live: self = .live
        case .trash: self = .trash
        case .archive: self = .archive
        case .template: self = .template
        case .book: self = .book
        }
    }
}

extension NameList {
    init(_ names: [NameCount]) { self.init(names.map { Name($0.name, $0.count) }) }
}
