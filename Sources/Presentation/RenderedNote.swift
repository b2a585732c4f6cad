// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentProtocol
internal import VaultFormat

/// `RenderedNote` holds what a note shows of itself in a list or above its body.
struct RenderedNote: Sendable {
    /// The shortest prefix that names it.
    var shortID: String
    var fullID: String
    var title: String
    /// Byte ranges of `title.utf8` that a search found.
    var titleHits: [Range<Int>] = []
    var snippet = ""
    var snippetHits: [Range<Int>] = []
    /// Milliseconds since 1970, UTC.
    var created: Int64
    var updated: Int64
    /// Size of the body in bytes.
    var byteCount = 0
    var notebook = ""
    var tags: [String] = []
    /// Of its place and its marks, as `NoteFlag` has them.
    var flags: [NoteFlag] = []
    var isForked = false
    /// It has a password of its own.
    var isPrivate = false
    var isLocked = false
    var hasAttachments = false
    var hasSketches = false
    var isDamaged = false
    var state = UploadState.persisted

    /// Shown where a note has no text to be called by.
    static let untitled = "(untitled)"
    /// Shown in place of a title that its owner keeps to themselves.
    static let privateNote = "Private note"
    var unnamed: String { isLocked ? Self.privateNote : Self.untitled }

    /// Notebook, tags and trash in the order of every view.
    var labels: [String] {
        let marks =
            [(isDamaged, "[damaged]")] + flags.compactMap(\.label).map { (true, $0) } + [
                (isForked, "[two versions]"), (isPrivate, isLocked ? "[locked]" : "[private]"),
                (hasAttachments, "[attachments]"), (hasSketches, "[sketch]"), (state == .pending, "[not uploaded]"),
            ]
        return marks.filter(\.0).map(\.1) + (notebook.isEmpty ? [] : [notebook]) + tags.map { "#\($0)" }
    }
}

extension RenderedNote {
    init(_ note: NoteRow) {
        self.init(
            shortID: note.shortID, fullID: note.id, title: note.title, snippet: note.snippet, created: note.created,
            updated: note.modified,
            byteCount: note.byteCount, notebook: note.notebook, tags: note.tags,
            flags: (note.place.flag.map { [$0] } ?? []) + NoteFlag.marks.filter { note.marks.contains($0) },
            isForked: note.isForked, isPrivate: note.isPrivate,
            isLocked: note.isLocked,
            hasAttachments: note.hasAttachments, hasSketches: note.hasSketches, isDamaged: note.isDamaged,
            state: note.state)
    }

    init(_ hit: FoundNotes.Hit) {
        self.init(hit.note)
        (snippetHits, titleHits) = (hit.snippetHits, hit.titleHits)
    }
}
