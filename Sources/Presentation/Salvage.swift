// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

public import AgentProtocol
internal import Dates
internal import TerminalText

extension SalvageVault: Presented {
    public func present(_ reply: SalvagedVault, on page: inout Page) {
        if page.style.json { return page.json(reply.json) }
        for note in reply.notes { page.output(note.line) }
        let unlisted = reply.olderCount + reply.lostCount - reply.notes.count
        if unlisted > 0 { page.output("and \(Quantity.grouped(unlisted)) more notes\n") }
        for file in reply.lostAttachments {
            let name = file.name.isEmpty ? file.id : "'\(SafeText.singleLine(file.name))'"
            page.output("lost: attachment \(name) of note \(file.note)\n")
        }
        let more = reply.lostAttachmentCount - reply.lostAttachments.count
        if more > 0 { page.output("and \(Quantity.grouped(more)) more attachments\n") }
        for draft in reply.lostDrafts { page.output("lost: draft \(draft)\n") }
        page.output(
            "\(Quantity.grouped(reply.wholeCount)) whole, \(Quantity.grouped(reply.olderCount)) with an older text, "
                + "\(Quantity.grouped(reply.lostCount)) lost; \(reply.contents.words)\n")
        tell(reply, on: &page)
    }

    private func tell(_ reply: SalvagedVault, on page: inout Page) {
        let damage = [
            (reply.damagedPages, "damaged pages"), (reply.damagedFrames, "damaged log frames"),
            (reply.missingEntries, "missing entries of the history"),
        ].filter { $0.0 > 0 }.map { "\(Quantity.grouped($0.0)) \($0.1)" }
        if !damage.isEmpty { page.talk("vault: note: in the damaged index: \(damage.joined(separator: ", "))") }
        if reply.isLogLost {
            page.talk(
                "vault: note: the log, which holds the last changes of the damaged vault, is gone or cannot be read")
        }
        if reply.mayLackNotes {
            page.talk("vault: note: part of the history is lost: notes that are not listed here may be missing")
        }
        page.talk("vault: note: the damaged vault was not changed; the new one has an identity and a key of its own")
    }
}

extension SalvagedVault.Note {
    fileprivate var line: String {
        let shown = title.isEmpty ? "" : " \(SafeText.singleLine(title))"
        switch state {
        case .older:
            let time = made > 0 ? " of \(DateStyle.rfc3339(made))" : ""
            return "older text\(time): note \(id)\(shown)\n"
        case .lost: return "lost: note \(id)\(shown)\n"
        }
    }

    fileprivate var json: JSONText {
        .object([
            ("id", .string(id)), ("title", .string(title)), ("state", .string("\(state)")),
            ("revision", revision.map { .string($0) } ?? .null), ("made", made > 0 ? .date(made) : .null),
        ])
    }
}

extension SalvagedVault {
    /// Whether there may have been notes that nothing names any more.
    fileprivate var mayLackNotes: Bool { missingEntries > 0 || !knowsEnd }

    fileprivate var json: JSONText {
        let files = lostAttachments.map { file in
            JSONText.object([
                ("id", .string(file.id)), ("note", .string(file.note)),
                ("name", file.name.isEmpty ? .null : .string(file.name)),
            ])
        }
        return .answer(
            [
                ("complete", .bool(isWhole)), ("whole", .count(wholeCount)), ("older", .count(olderCount)),
                ("lost", .count(lostCount)), ("incomplete", .array(notes.map(\.json))),
                ("lostAttachments", .array(files)), ("lostAttachmentCount", .count(lostAttachmentCount)),
                ("lostDrafts", .array(lostDrafts.map { .string($0) })), ("missingEntries", .count(missingEntries)),
                ("endKnown", .bool(knowsEnd)), ("notesMayBeMissing", .bool(mayLackNotes)),
                ("logLost", .bool(isLogLost)), ("pages", .count(pages)),
                ("damagedPages", .count(damagedPages)), ("frames", .count(frames)),
                ("damagedFrames", .count(damagedFrames)),
            ] + contents.fields)
    }
}
