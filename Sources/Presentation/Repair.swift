// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

public import AgentProtocol
internal import Dates
internal import TerminalText

extension RepairVault: Presented {
    public func present(_ reply: RepairedVault, on page: inout Page) {
        if page.style.json { return page.json(reply.json) }
        guard !reply.hasFoundNothing else { return page.output("no problems found; nothing was changed\n") }
        for name in reply.mended { page.output("mended: \(SafeText.singleLine(name))\n") }
        if reply.isRebuilt {
            let notes = Quantity.notes(shown: reply.notes, total: reply.notes)
            page.output("rebuilt: the index, \(notes), \(Quantity.grouped(reply.revisions)) revisions\n")
        }
        for loss in reply.losses { page.output("lost: \(loss.sentence)\n") }
        if reply.lostDrafts > 0 {
            page.output("lost: \(reply.lostDrafts) unfinished edit\(reply.lostDrafts == 1 ? "" : "s")\n")
        }
        if reply.lostAttachments > 0 {
            let plural = reply.lostAttachments == 1 ? "" : "s"
            page.output("lost: \(Quantity.grouped(reply.lostAttachments)) attachment\(plural) of unknown notes\n")
        }
        if reply.oldPages > 0 {
            let pages = "\(Quantity.grouped(reply.oldPages)) page\(reply.oldPages == 1 ? "" : "s") of the index"
            page.output("lost: \(pages); an earlier version was found in their place\n")
        }
        if reply.lostChanges > 0 {
            page.output("lost: the last \(Quantity.grouped(reply.lostChanges)) changes, which are in no page\n")
        }
        if reply.isLogLost {
            page.output("lost: the log cannot be read; what was written last may be missing\n")
        }
        if reply.isEndUnknown {
            page.output("lost: the end of the history is not known: changes may be missing\n")
        }
        for problem in reply.remaining {
            page.output("not mended: \(problem.kind.sentence)\(problem.note.map { " (note \($0))" } ?? "")\n")
        }
        if reply.isHistoryNew {
            page.output(
                "lost: part of the history: notes that are not listed here may be missing, and nothing can be undone\n"
            )
        }
        if reply.relocked > 0 {
            page.output("note: \(Quantity.grouped(reply.relocked)) private notes are locked again\n")
        }
        if let kept = reply.kept {
            page.output(
                "note: the damaged index is kept in the vault's folder as \(SafeText.singleLine(kept)); remove it when you no longer need it\n"
            )
        }
        if reply.isComplete { page.output("nothing is lost\n") }
    }
}

extension RepairedVault.Loss {
    /// One line for people.
    fileprivate var sentence: String {
        let name = title.map { "'\(SafeText.singleLine($0))' (note \(note))" } ?? "note \(note)"
        switch kind {
        case .gone: return "\(name): no revision of it is left"
        case .keyslot: return "\(name): it is private, and its protected text is gone"
        case .olderVersion: return "\(name): its newest revision; it is shown as it was \(DateStyle.rfc3339(made))"
        case .history: return "\(name): \(count) earlier revision\(count == 1 ? "" : "s"); its text is whole"
        case .attachment: return "\(name): \(count) attachment\(count == 1 ? "" : "s")"
        case .olderKeyslot: return "\(name): it is private, and may open only with an earlier password"
        }
    }

    fileprivate var json: JSONText {
        .object([
            ("kind", .string("\(kind)")), ("note", .string(note)), ("title", title.map { .string($0) } ?? .null),
            ("count", .count(count)), ("shownFrom", made == 0 ? .null : .date(made)),
        ])
    }
}

extension RepairedVault {
    fileprivate var json: JSONText {
        .answer([
            ("complete", .bool(isComplete)), ("changed", .bool(isRebuilt || !mended.isEmpty)),
            ("mended", .array(mended.map { .string($0) })), ("rebuilt", .bool(isRebuilt)), ("notes", .count(notes)),
            ("revisions", .count(revisions)), ("kept", kept.map { .string($0) } ?? .null),
            ("losses", .array(losses.map(\.json))), ("lostDrafts", .count(lostDrafts)),
            ("lostPages", .count(lostPages)), ("lostChanges", .count(lostChanges)), ("logLost", .bool(isLogLost)),
            ("endUnknown", .bool(isEndUnknown)),
            ("notesMayBeMissing", .bool(isEndUnknown || isLogLost || isHistoryNew)),
            ("lostAttachments", .count(lostAttachments)),
            ("historyIsNew", .bool(isHistoryNew)),
            (
                "remaining",
                .array(
                    remaining.map { problem in
                        .object([
                            ("kind", .string("\(problem.kind)")), ("note", problem.note.map { .string($0) } ?? .null),
                        ])
                    })
            ), ("relocked", .count(relocked)), ("oldPages", .count(oldPages)),
        ])
    }
}
