// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentProtocol
internal import TerminalText
internal import TextMerge
internal import VaultCore
internal import VaultFormat

/// Answers about history, undo, drafts and links.
extension Answer {
    // MARK: History

    func history(_ revisions: [RevisionSummary]) {
        if presentation.json { return json(.answer([("revisions", .array(revisions.enumerated().map { revision($0, $1, in: revisions) }))])) }
        for (number, revision) in revisions.enumerated() {
            let older = revisions.indices.contains(number + 1) ? revisions[number + 1].record : nil
            var line = StyledLine()
            line.append("@\(number)", revision.isHead ? .bold : .dim)
            line.pad(to: 5)
            line.append(String(revision.id.text.prefix(6)), .dim)
            line.append("  " + clock.text(revision.made) + "  ")
            line.append(RevisionChange.text(from: older, to: revision.record), room: max(columns - line.columns, 20))
            if revision.isHead && number > 0 { line.append("  [second version: vault merge]", .hit) }
            connection.output(presentation.isTerminal ? line.encoded(color: presentation.color) : tabbed(number, revision, older))
        }
    }

    private func tabbed(_ number: Int, _ revision: RevisionSummary, _ older: NoteRecord?) -> [UInt8] {
        let fields = ["@\(number)", revision.id.text, DateStyle.rfc3339(revision.made), RevisionChange.text(from: older, to: revision.record)]
        return Array((fields.map(SafeText.singleLine).joined(separator: "\t") + "\n").utf8)
    }

    private func revision(_ number: Int, _ revision: RevisionSummary, in all: [RevisionSummary]) -> JSONText {
        let older = all.indices.contains(number + 1) ? all[number + 1].record : nil
        return .object([
            ("id", .string(revision.id.text)), ("number", .int(Int64(number))), ("made", .date(revision.made)),
            ("head", .bool(revision.isHead)), ("title", .string(revision.title)),
            ("changes", .array(RevisionChange.list(from: older, to: revision.record).map { .string($0) })),
            ("byteCount", .int(Int64(revision.record.body.utf8.count))),
        ])
    }

    func thinned(_ thinning: Thinning, dryRun: Bool) {
        if presentation.json {
            return json(
                .answer([
                    ("dryRun", .bool(dryRun)), ("revisions", .int(Int64(thinning.revisions))), ("notes", .int(Int64(thinning.notes))),
                    ("byteCount", .int(Int64(thinning.byteCount))),
                ]))
        }
        let what = "\(Quantity.grouped(thinning.revisions)) old revision\(thinning.revisions == 1 ? "" : "s")"
        let of = Quantity.notes(shown: thinning.notes, total: thinning.notes)
        output("\(dryRun ? "would delete" : "deleted") \(what) of \(of), \(Quantity.bytes(thinning.byteCount))\n")
    }

    // MARK: Drafts

    func drafts(_ rows: [DraftRow]) {
        if presentation.json { return json(.answer([("drafts", .array(rows.map(\.json)))])) }
        for row in rows {
            guard presentation.isTerminal else {
                let fields = [row.draft.id.text, DateStyle.rfc3339(row.saved), row.state, row.shownTitle]
                output(fields.map(SafeText.singleLine).joined(separator: "\t") + "\n")
                continue
            }
            var line = StyledLine()
            line.append(row.id, .dim)
            line.append("  \(clock.text(row.saved))  ")
            line.append(row.shownTitle, .bold, room: max(columns - line.columns - row.remark.count - 2, 8))
            if !row.remark.isEmpty { line.append("  " + row.remark, .dim) }
            connection.output(line.encoded(color: presentation.color))
        }
        if presentation.isTerminal { connection.talk("\(rows.count) draft\(rows.count == 1 ? "" : "s")") }
    }

    func draftText(_ text: [UInt8]) {
        if presentation.json { return json(.answer([("text", .string(String(decoding: text, as: UTF8.self)))])) }
        let shown = presentation.isTerminal ? SafeText.safe(text, .multiline) : text
        connection.output(presentation.isTerminal && shown.last != 0x0A && !shown.isEmpty ? shown + [0x0A] : shown)
    }

    func discarded(_ count: Int) {
        if presentation.json { return json(.answer([("discarded", .int(Int64(count)))])) }
        output("discarded \(count) draft\(count == 1 ? "" : "s"); kept for a day (vault draft ls --all)\n")
    }

    /// How an edit ended.
    func edited(_ outcome: EditOutcome) -> Outcome {
        switch outcome {
        case .unchanged: saved([], "", as: "unchanged", talk: "nothing was changed")
        case .empty: saved([], "", as: "empty", talk: "nothing was written; no note was made")
        case .created(let note): saved([note], "saved", as: "created")
        case .saved(let note): saved([note], "saved", as: "saved")
        case .merged(let note):
            saved([note], "merged", as: "merged", talk: "vault: note: the note was changed meanwhile; both changes are in it")
        case .forked(let note):
            saved(
                [note], "saved", as: "forked",
                talk: "vault: warning: the note was changed meanwhile at the same place; both versions are kept\n"
                    + "vault: hint: vault merge \(note.shortID)")
        case .trashed(let note):
            saved(
                [note], "moved to the trash", as: "trashed",
                talk: presentation.json ? nil : "vault: hint: vault undo, or vault restore \(note.shortID)")
        }
        return Outcome(.ok)
    }

    private func saved(_ notes: [NoteSummary], _ word: String, as outcome: String, talk: String? = nil) {
        if presentation.json {
            json(.answerOfNotes([("outcome", .string(outcome)), ("notes", .array(notes.map { .note($0) }))]))
        } else {
            saved(notes, word)
        }
        if let talk { connection.talk(talk) }
    }
}
