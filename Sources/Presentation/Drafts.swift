// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

public import AgentProtocol
internal import Dates
internal import TerminalText

extension ListDrafts: Presented {
    public func present(_ reply: DraftList, on page: inout Page) {
        if page.style.json { return page.json(.answer([("drafts", .array(reply.drafts.map(\.json)))])) }
        for draft in reply.drafts {
            guard page.style.isTerminal else {
                page.tabbed([draft.id, DateStyle.rfc3339(draft.saved), draft.stateName, draft.shownTitle])
                continue
            }
            var line = StyledLine()
            line.append(String(draft.id.prefix(6)), .dim)
            line.append("  \(page.clock.text(draft.saved))  ")
            let remark = draft.remark
            line.append(draft.shownTitle, .bold, room: max(page.style.columns - line.columns - remark.count - 2, 8))
            if !remark.isEmpty { line.append("  " + remark, .dim) }
            page.output(line)
        }
        if page.style.isTerminal { page.talk("\(reply.drafts.count) draft\(reply.drafts.count == 1 ? "" : "s")") }
    }
}

extension ShowDraft: Presented {
    public func present(_ reply: DraftBody, on page: inout Page) {
        if page.style.json {
            return page.json(.answer([("text", .string(String(decoding: reply.text, as: UTF8.self)))]))
        }
        guard page.style.isTerminal else { return page.output(reply.text) }
        let shown = SafeText.safe(reply.text, .multiline)
        page.output(shown.last != 0x0A && !shown.isEmpty ? shown + [0x0A] : shown)
    }
}

extension DiscardDrafts: Presented {
    public func present(_ reply: DiscardedDrafts, on page: inout Page) {
        if page.style.json { return page.json(.answer([("discarded", .count(reply.count))])) }
        page.output(
            "discarded \(reply.count) draft\(reply.count == 1 ? "" : "s"); kept for a day (vault draft ls --all)\n")
    }
}

extension DraftList.Row {
    fileprivate var shownTitle: String { title.isEmpty ? "(new note)" : title }

    /// What a person is told to think of the draft.
    fileprivate var remark: String {
        if state == .open { return "an editor has it open" }
        if isLocked { return "of a private note: vault note unlock shows it" }
        if isDamaged { return "damaged: its file was changed" }
        return state == .discarded ? "discarded" : ""
    }

    fileprivate var json: JSONText {
        .object([
            ("id", .string(id)), ("note", note.map { .string($0) } ?? .null), ("title", .string(title)),
            ("state", .string(stateName)),
            ("begun", .date(begun)), ("saved", .date(saved)), ("byteCount", .count(byteCount)),
            ("damaged", .bool(isDamaged)),
        ])
    }
}
