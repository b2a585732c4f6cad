// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

public import AgentProtocol
internal import Dates
internal import TerminalText
internal import VaultFormat

extension ListHistory: Presented {
    public func present(_ reply: NoteHistory, on page: inout Page) {
        if page.style.json {
            return page.json(.answer([("revisions", .array(reply.revisions.enumerated().map { $1.json(number: $0) }))]))
        }
        for (number, revision) in reply.revisions.enumerated() {
            guard page.style.isTerminal else {
                page.tabbed(["@\(number)", revision.id, DateStyle.rfc3339(revision.made), revision.words])
                continue
            }
            var line = StyledLine()
            line.append("@\(number)", revision.isHead ? .bold : .dim)
            line.pad(to: 5)
            line.append(String(revision.id.prefix(6)), .dim)
            line.append("  " + page.clock.text(revision.made) + "  ")
            line.append(revision.words, room: max(page.style.columns - line.columns, 20))
            if revision.isHead && number > 0 { line.append("  [second version: vault merge]", .hit) }
            page.output(line)
        }
    }
}

extension CompareRevisions: Presented {
    /// Presents words that were taken away and added on a terminal; a unified diff, which patch(1) reads, elsewhere.
    public func present(_ reply: ComparedRevisions, on page: inout Page) {
        if page.style.json {
            return page.json(
                .answer([
                    ("from", reply.from.map { .string($0) } ?? .null), ("to", .string(reply.to)),
                    ("changes", .array(reply.changes.map { .string($0.words) })),
                    ("diff", .string(String(decoding: reply.unified, as: UTF8.self))),
                ]))
        }
        guard byWord else {
            return page.output(page.style.isTerminal ? SafeText.safe(reply.unified, .multiline) : reply.unified)
        }
        let from = reply.from.map { String($0.prefix(6)) } ?? "nothing"
        var line = StyledLine()
        line.append("\(from) \u{2192} \(reply.to.prefix(6)): " + reply.changes.words, .dim)
        page.output(line)
        for hunk in reply.hunks { page.output(DiffRenderer.text(hunk.pieces, color: page.style.color)) }
    }
}

extension UndoCommands: Presented {
    public func present(_ reply: UndoneChanges, on page: inout Page) {
        if reply.isPreview { page.wouldUndo(reply) } else { page.undone(reply, "undone", "undid") }
    }
}

extension RedoCommands: Presented {
    public func present(_ reply: UndoneChanges, on page: inout Page) { page.undone(reply, "redone", "redid") }
}

extension ThinHistory: Presented {
    public func present(_ reply: ThinnedHistory, on page: inout Page) {
        if page.style.json {
            return page.json(
                .answer([
                    ("dryRun", .bool(dryRun)), ("revisions", .count(reply.revisions)), ("notes", .count(reply.notes)),
                    ("byteCount", .count(reply.byteCount)), ("awaited", .count(reply.awaited)),
                ]))
        }
        let what = "\(Quantity.grouped(reply.revisions)) old revision\(reply.revisions == 1 ? "" : "s")"
        let of = Quantity.notes(shown: reply.notes, total: reply.notes)
        page.output("\(dryRun ? "would delete" : "deleted") \(what) of \(of), \(Quantity.bytes(reply.byteCount))\n")
        guard reply.awaited > 0 else { return }
        let more = reply.awaited == 1 ? "1 more stays" : "\(Quantity.grouped(reply.awaited)) more stay"
        page.talk("\(more) until all devices have read what came after: vault device ls")
    }
}

extension Page {
    fileprivate mutating func undone(_ reply: UndoneChanges, _ key: String, _ verb: String) {
        if style.json {
            let list = reply.changes.map { change in
                JSONText.object([
                    ("kind", .string(change.kind)), ("made", .date(change.made)),
                    ("notes", .array(change.notes.map { .string($0) })),
                ])
            }
            return json(.answer([(key, .array(list))]))
        }
        for change in reply.changes { output("\(verb): \(words(change))\n") }
    }

    /// Prints what would be undone before the question, on standard error: standard output is for what was done.
    fileprivate mutating func wouldUndo(_ reply: UndoneChanges) {
        for change in reply.changes { talk("would undo: " + words(change)) }
        let more = reply.moreCount
        if more > 0 { talk("would undo: \(Quantity.grouped(more)) older change\(more == 1 ? "" : "s")") }
        guard reply.leavingCount > 0 else { return }
        let leaving =
            reply.leavingCount == 1 ? "1 note would leave" : "\(Quantity.grouped(reply.leavingCount)) notes would leave"
        talk("\(leaving) the list, for the trash or the archive")
    }

    /// Returns `edit of "Shopping list" (3:01 PM)`. Of a private note that is locked nothing is told but its
    /// identifier.
    private func words(_ change: UndoneChanges.Change) -> String {
        let named = change.named.map(\.words)
        let others = change.noteCount - named.count
        let list =
            others > 0
            ? named.joined(separator: ", ") + " and \(Quantity.grouped(others)) other notes"
            : named.joined(separator: ", ")
        let isNew = change.kind == "new"
        let what = isNew ? list.hasPrefix("\"") ? "new note" : "new" : SafeText.singleLine(change.kind) + " of"
        return "\(what) \(list) (\(clock.text(change.made)))"
    }
}

extension UndoneChanges.NamedNote {
    fileprivate var words: String {
        if isLocked { return "private note \(shortID)" }
        guard !title.isEmpty else { return "note \(shortID)" }
        return "\"" + SafeText.singleLine(title.count > 60 ? title.prefix(59) + "…" : title) + "\""
    }
}

extension NoteHistory.Revision {
    fileprivate func json(number: Int) -> JSONText {
        .object([
            ("id", .string(id)), ("number", .count(number)), ("made", .date(made)), ("head", .bool(isHead)),
            ("title", .string(title)),
            ("changes", .array(changes.map { .string($0.words) })), ("byteCount", .count(byteCount)),
            ("damaged", .bool(isDamaged)),
        ])
    }

    fileprivate var words: String { isDamaged ? "damaged: does not open" : changes.words }
}

extension [RevisionChange] {
    fileprivate var words: String { map(\.words).joined(separator: ", ") }
}

extension RevisionChange {
    /// What it changed, in a few words.
    var words: String {
        switch kind {
        case .first: "first revision, \(Quantity.bytes(Int(amount)))"
        case .text:
            amount == 0
                ? "text, same size" : "text \(amount > 0 ? "+" : "-")\(Quantity.bytes(Int(clamping: amount.magnitude)))"
        case .title: amount == 0 ? "title removed" : "title \"\(name)\""
        case .intoNotebook: "to \(name)"
        case .outOfNotebook: "out of \(name)"
        case .tagRemoved: "-#\(name)"
        case .tagAdded: "+#\(name)"
        case .attachmentsAdded: "\(amount) attachment\(amount == 1 ? "" : "s") added"
        case .attachmentsRemoved: "\(amount) attachment\(amount == 1 ? "" : "s") removed"
        case .attachmentsReordered: "attachments in another order"
        case .flag(let flag, let isSet): flag.change(isSet: isSet)
        case .book: name
        case .none: "no change"
        }
    }
}

/// `DiffRenderer` shows changes word by word: red and struck out what was taken away, green what was added; without
/// colour `[-…-]` and `{+…+}`.
enum DiffRenderer {
    static func text(_ pieces: [ComparedRevisions.Piece], color: Bool) -> [UInt8] {
        var bytes = color ? Array("\u{1B}[2m···\u{1B}[0m\n".utf8) : Array("···\n".utf8)
        for piece in pieces {
            let text = SafeText.safe(piece.text, .multiline)
            switch piece.kind {
            case .same: bytes += text
            case .removed: bytes += marked(text, color ? ("\u{1B}[31;9m", "\u{1B}[0m") : ("[-", "-]"))
            case .added: bytes += marked(text, color ? ("\u{1B}[32m", "\u{1B}[0m") : ("{+", "+}"))
            }
        }
        if bytes.last != 0x0A { bytes.append(0x0A) }
        return bytes
    }

    /// Marks end at a line's end and begin again in the next: a terminal's colour must not run over it.
    private static func marked(_ text: [UInt8], _ marks: (String, String)) -> [UInt8] {
        var result: [UInt8] = []
        for (number, line) in text.split(separator: 0x0A, omittingEmptySubsequences: false).enumerated() {
            if number > 0 { result.append(0x0A) }
            if !line.isEmpty { result += Array(marks.0.utf8) + line + Array(marks.1.utf8) }
        }
        return result
    }
}
