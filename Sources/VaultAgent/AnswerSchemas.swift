// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentProtocol
internal import Glibc
internal import SearchText
internal import TerminalText
internal import VaultCore
internal import VaultCrypto
internal import VaultFormat

// What `--json` answers. Documented in docs/cli.md; a field is added without a new number; one that changes its meaning or goes brings one.

extension JSONText {
    /// A whole answer: the schema's number first.
    static func answer(_ fields: [(key: String, value: JSONText)]) -> JSONText { .object([("schema", .int(1))] + fields) }

    /// Of answers that hold notes. 2: `hasAttachments` says what `attachments` said in lists, and `attachments` is a list of objects.
    static let notesSchema: Int64 = 2

    static func answerOfNotes(_ fields: [(key: String, value: JSONText)]) -> JSONText { .object([("schema", .int(notesSchema))] + fields) }

    static func notes(_ notes: [JSONText], total: Int?, more: Bool, isComplete: Bool) -> JSONText {
        .answerOfNotes([
            ("notes", .array(notes)), ("total", total.map { .int(Int64($0)) } ?? .null), ("more", .bool(more)), ("complete", .bool(isComplete)),
        ])
    }

    /// - Parameter attachments: nil where they are not told one by one.
    static func note(_ note: NoteSummary, snippet: String? = nil, attachments: [Attachment]? = nil) -> JSONText {
        let told = attachments.map { all in [("attachments", JSONText.array(all.map { .attachment($0) }))] } ?? []
        return .object(
            [
                ("id", .string(note.id.text)), ("shortID", .string(note.shortID)), ("revision", .string(note.revision.text)),
                ("title", .string(note.title)), ("created", .date(note.created)), ("updated", .date(note.modified)),
                ("notebook", .string(note.notebook)), ("tags", .array(note.tags.map { .string($0) })),
                ("trashed", .bool(note.isTrashed)), ("place", .string(note.place.name)), ("pinned", .bool(note.isPinned)),
                ("forked", .bool(note.isForked)), ("private", .bool(note.protection != .none)), ("locked", .bool(note.protection == .locked)),
                ("hasAttachments", .bool(note.hasAttachments)),
                ("state", .string("persisted")), ("snippet", .string(snippet ?? note.snippet)), ("byteCount", .int(Int64(note.byteCount))),
            ] + told)
    }

    static func note(_ note: Note, _ attachments: [Attachment], shortID: String) -> JSONText {
        .object([
            ("id", .string(note.id.text)), ("shortID", .string(shortID)), ("revision", .string(note.revision.text)), ("title", .string(note.title)),
            ("created", .date(note.created)), ("updated", .date(note.modified)), ("notebook", .string(note.notebook)),
            ("tags", .array(note.tags.map { .string($0) })), ("trashed", .bool(note.isTrashed)), ("place", .string(note.place.name)),
            ("pinned", .bool(note.isPinned)), ("forked", .bool(note.isForked)), ("private", .bool(note.protection != .none)),
            ("hasAttachments", .bool(!attachments.isEmpty)), ("attachments", .array(attachments.map { .attachment($0) })),
            ("state", .string("persisted")),
            ("snippet", .string(Snippet.plain(title: note.titleIsSet ? note.title : nil, body: note.body))), ("body", .string(note.body)),
            ("byteCount", .int(Int64(note.body.utf8.count))),
        ])
    }

    static func check(_ report: CheckReport, rebuilt: Int?) -> JSONText {
        .answer([
            ("clean", .bool(report.problems.isEmpty)),
            (
                "problems",
                .array(
                    report.problems.map { problem in
                        .object([("kind", .string(problem.kind.rawValue)), ("note", problem.noteID.map { .string($0.text) } ?? .null)])
                    })
            ),
            ("notes", .int(Int64(report.notes))), ("revisions", .int(Int64(report.revisions))),
            ("entries", .int(Int64(report.entries))), ("pages", .int(Int64(report.pages))),
            ("attachments", .int(Int64(report.attachments))), ("orphans", .int(Int64(report.orphans))), ("removed", .int(Int64(report.removed))),
            ("foreign", .array(report.foreign.prefix(100).map { .string($0) })), ("rebuilt", rebuilt.map { .int(Int64($0)) } ?? .null),
        ])
    }
}

/// What `vault status` tells of an open vault.
struct VaultStatus {
    let store: VaultStore
    let counts: (notes: NoteCounts, generation: UInt64)
    let drafts: Int
    let left: (idle: Double, max: Double)
    /// How far a rotation is, in percent; nil when none is under way.
    var rotation: Int?
    /// Why it stands still.
    var rotationFailure = ""
    /// Words of notes that became private are still to be removed.
    var wordsLeft = false
    var lastCheck: LastCheck?

    var json: JSONText {
        let header = store.header
        let slot = header.keyslots.first { $0.kind.isDerived }
        return .answer([
            ("state", .string("unlocked")), ("agentPID", .int(Int64(getpid()))), ("vault", .string(store.directoryText)),
            ("vaultID", .string(header.vaultID.hex)), ("copyID", header.copyID.map { .string($0.hex) } ?? .null),
            ("notes", .int(Int64(counts.notes[.live]))), ("archived", .int(Int64(counts.notes[.archive]))),
            ("trashed", .int(Int64(counts.notes[.trash]))), ("drafts", .int(Int64(drafts))),
            ("generation", .int(Int64(clamping: counts.generation))), ("epoch", .int(Int64(header.epoch))),
            ("readOnly", .bool(store.isReadOnly)), ("idleSecondsLeft", .int(Int64(left.idle))),
            ("maxSecondsLeft", .int(Int64(left.max))), ("memoryLocked", .bool(store.keysAreLocked)),
            ("rotationPercent", rotation.map { .int(Int64($0)) } ?? .null),
            ("rotationFailure", rotationFailure.isEmpty ? .null : .string(rotationFailure)),
            ("kdf", slot.map(Self.cost) ?? .null), ("wordsLeft", .bool(wordsLeft)),
            ("lastCheck", lastCheck.map { .object([("made", .date($0.made)), ("problems", .int(Int64($0.problems)))]) } ?? .null),
        ])
    }

    private static func cost(_ slot: Keyslot) -> JSONText {
        .object([
            ("memoryKiB", .int(Int64(slot.memoryKiB))), ("iterations", .int(Int64(slot.iterations))),
            ("parallelism", .int(Int64(slot.parallelism))),
        ])
    }

    /// A few aligned lines for people.
    var text: String {
        let others = [(counts.notes[.archive], "archived"), (counts.notes[.trash], "in the trash")].filter { $0.0 > 0 }
        let more = others.map { ", \(Quantity.grouped($0.0)) \($0.1)" }.joined()
        var lines = [
            ("vault", SafeText.singleLine(store.directoryText)), ("state", store.isReadOnly ? "unlocked, read-only" : "unlocked"),
            ("notes", Quantity.grouped(counts.notes[.live]) + more),
            ("locks", "after \(Self.duration(left.idle)) idle, in \(Self.duration(left.max)) at the latest"),
            ("agent", "pid \(getpid())"),
        ]
        if let rotation {
            let trouble = rotationFailure.isEmpty ? "" : ", stopped: " + rotationFailure
            lines.append(("keys", "re-encrypting, \(rotation) %\(trouble): vault rotate --resume"))
        }
        if wordsLeft { lines.append(("words", "of notes that became private are partly still on the disk")) }
        if let lastCheck {
            let found = lastCheck.problems == 0 ? "no problems" : "\(lastCheck.problems) problem\(lastCheck.problems == 1 ? "" : "s"): vault check"
            lines.append(("check", "\(DateStyle.rfc3339(lastCheck.made)), \(found)"))
        }
        if drafts > 0 { lines.append(("drafts", "\(drafts): vault draft ls")) }
        if !store.keysAreLocked { lines.append(("note", "keys could not be locked in memory (ulimit -l); they may reach swap")) }
        return lines.map { $0.0.padded(to: 7) + $0.1 + "\n" }.joined()
    }

    private static func duration(_ seconds: Double) -> String {
        let minutes = Int((seconds / 60).rounded(.up))
        return minutes < 100 ? "\(minutes) min" : "\(minutes / 60) h \(minutes % 60) min"
    }
}

extension String {
    fileprivate func padded(to count: Int) -> String { self + String(repeating: " ", count: max(0, count - self.count)) }
}

extension NotePlace {
    /// In JSON and in filters.
    var name: String {
        switch self {
        case .live: "live"
        case .trash: "trash"
        case .archive: "archive"
        case .template: "template"
        }
    }
}
