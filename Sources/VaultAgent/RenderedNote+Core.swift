// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentProtocol
internal import Foundation
internal import VaultCore
internal import VaultFormat

extension RenderedNote {
    init(_ note: NoteSummary) {
        self.init(
            shortID: note.shortID, fullID: note.id.text, title: note.title, snippet: note.snippet, created: note.created,
            updated: note.modified, byteCount: note.byteCount, notebook: note.notebook, tags: note.tags, isTrashed: note.isTrashed,
            isPinned: note.isPinned, isArchived: note.place == .archive, isForked: note.isForked, isPrivate: note.protection != .none,
            isLocked: note.protection == .locked, hasAttachments: note.hasAttachments)
    }

    init(_ hit: SearchHit) {
        self.init(hit.note)
        snippet = hit.snippet
        snippetHits = hit.hits
        titleHits = hit.titleHits
    }

    init(_ note: Note, shortID: String) {
        self.init(
            shortID: shortID, fullID: note.id.text, title: note.title, created: note.created, updated: note.modified,
            byteCount: note.body.utf8.count, notebook: note.notebook, tags: note.tags, isTrashed: note.isTrashed,
            isPinned: note.isPinned, isArchived: note.place == .archive, isForked: note.isForked, isPrivate: note.protection != .none)
    }
}

extension RenderingClock {
    /// The client's time zone, or the system's when it names none or one that is not known.
    init(_ presentation: Presentation, now: Int64) {
        let zone = presentation.timeZone.isEmpty ? TimeZone.current : TimeZone(identifier: presentation.timeZone) ?? TimeZone.current
        let style: DateStyle =
            switch presentation.dateStyle {
            case .classic: .classic
            case .iso: .iso
            case .relative: .relative
            }
        self.init(style: style, now: now) { zone.secondsFromGMT(for: Date(timeIntervalSince1970: Double($0) / 1000)) }
    }
}

extension NotePlace {
    init(_ place: ListPlace) {
        switch place {
        case .live: self = .live
        case .trash: self = .trash
        case .archive: self = .archive
        case .template: self = .template
        }
    }
}
