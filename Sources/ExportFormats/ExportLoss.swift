// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import VaultFormat

/// `ExportLoss` is something that the chosen format does not carry, and how often.
public struct ExportLoss: Sendable, Hashable {
    public let code: Code
    /// At least 1.
    public let count: Int

    public init(_ code: Code, count: Int) {
        self.code = code
        self.count = max(count, 1)
    }

    public enum Code: Int, Sendable, Hashable, CaseIterable {
        case privateNotes, protection, history, attachmentContents, attachmentDetails, captions, flags, dates, sources
        case renamedNotebooks, renamedAttachments, noteLinks, unrendered, unshownText, books

        /// A few words for a person; the count is printed with them.
        public var words: String {
            switch self {
            case .privateNotes: "private notes are locked and were left out"
            case .protection: "unlocked private notes were written without their own password"
            case .history: "older revisions were left out; this format has no history"
            case .attachmentContents: "attachments are only named; their contents were left out"
            case .attachmentDetails: "attachments lost their type or date added"
            case .captions: "captions of attachments were left out"
            case .flags:
                "notes lost their \(NoteFlag.allCases.filter { $0 != .trashed }.map(\.name).joined(separator: ", ")) or trash state"
            case .dates: "dates outside the years 0 to 9999 were moved to the nearest end"
            case .sources: "notes lost their import source"
            case .renamedNotebooks: "notebooks were renamed, because no folder can have their name"
            case .renamedAttachments: "attachments were renamed, because no file can have their name"
            case .noteLinks: "notes with links by title; the other program does not follow those"
            case .unrendered: "notes were written as plain text, because their Markdown could not be rendered"
            case .books: "books were written as notes; what is known of them stands in their texts"
            case .unshownText: "notes are followed by their text as typed, because Markdown does not show all of it"
            }
        }
    }
}

/// `LossCounter` counts losses while an export runs.
struct LossCounter {
    private var counts: [ExportLoss.Code: Int] = [:]

    mutating func add(_ code: ExportLoss.Code, _ count: Int = 1) {
        guard count > 0 else { return }
        counts[code, default: 0] += count
    }

    /// Counts what every format but JSON loses of a note: history, its own password, and dates that have no text.
    mutating func addCommon(_ note: ExportedNote) {
        add(.history, max(note.revisionCount, note.revisions.count))
        if note.book != nil { add(.books) }
        addDates(note)
    }

    /// Counts what JSON loses, too: the note's own password, and dates that have no text.
    mutating func addDates(_ note: ExportedNote) {
        if note.isPrivate { add(.protection) }
        let times = [note.created, note.modified] + note.attachments.map(\.created) + note.revisions.map(\.modified)
        for time in times where !RFC3339.times.contains(time) { add(.dates) }
    }

    /// The losses, in the order of their codes.
    var list: [ExportLoss] {
        counts.map { ExportLoss($0.key, count: $0.value) }.sorted { $0.code.rawValue < $1.code.rawValue }
    }
}
