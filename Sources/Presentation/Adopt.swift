// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

public import AgentProtocol
internal import TerminalText

extension AdoptVault: Presented {
    public func present(_ reply: AdoptedVault, on page: inout Page) {
        if page.style.json { return page.json(reply.json(isTrial: dryRun)) }
        for note in reply.taken { page.output(note.line(isTrial: dryRun)) }
        let unlisted =
            reply.added + reply.updated + reply.twoVersions + reply.comesBack + reply.refused - reply.taken.count
        if unlisted > 0 { page.output("and \(Quantity.grouped(unlisted)) more notes\n") }
        if dryRun {
            for note in reply.onlyHere { page.output(note.lineOfOurs) }
            let more = reply.onlyHereCount - reply.onlyHere.count
            if more > 0 { page.output("and \(Quantity.grouped(more)) more notes that the other copy lacks\n") }
        }
        page.output(reply.summary(isTrial: dryRun))
        tell(reply, on: &page)
    }

    private func tell(_ reply: AdoptedVault, on page: inout Page) {
        if reply.purgedHere > 0 {
            page.talk(
                "vault: note: \(Quantity.grouped(reply.purgedHere)) of its notes were purged here and stay purged")
        }
        if reply.purgedThere > 0 {
            page.talk("vault: note: \(Quantity.grouped(reply.purgedThere)) notes were purged there and stay here")
        }
        if reply.drafts > 0 {
            page.talk(
                "vault: note: \(Quantity.grouped(reply.drafts)) unfinished edits stay there: vault salvage DIR -o NEWDIR"
            )
        }
        if reply.missingEntries > 0 || !reply.knowsEnd {
            page.talk(
                "vault: note: part of its history is lost: it may have had notes that are not listed here")
        }
        if reply.hasOlderKey {
            page.talk(
                "vault: note: it opens with a key that was replaced here; anyone with that key could have written it")
        }
        if reply.twoVersions > 0, !dryRun {
            page.talk("vault: note: vault merge ID merges the two versions of a note, vault history ID lists them")
        }
    }
}

extension AdoptedVault {
    fileprivate func summary(isTrial: Bool) -> String {
        guard hasChanges || refused > 0 else {
            return "nothing in it is new: nothing \(isTrial ? "would be" : "was") changed\n"
        }
        let parts = [
            (added, "added"), (updated, "updated"), (twoVersions, "with two versions"),
            (comesBack, "back as new notes"),
            (unchanged, "unchanged"), (refused, "refused"),
        ].filter { $0.0 > 0 }.map { "\(Quantity.grouped($0.0)) \($0.1)" }
        let files = attachments > 0 ? "; \(Quantity.grouped(attachments)) attachments" : ""
        return (isTrial ? "would be: " : "") + parts.joined(separator: ", ") + files + "\n"
    }

    fileprivate func json(isTrial: Bool) -> JSONText {
        .answer([
            ("complete", .bool(isComplete)), ("changed", .bool(hasChanges && !isTrial)), ("dryRun", .bool(isTrial)),
            ("added", .count(added)), ("updated", .count(updated)), ("twoVersions", .count(twoVersions)),
            ("comesBack", .count(comesBack)), ("refused", .count(refused)), ("unchanged", .count(unchanged)),
            ("taken", .array(taken.map { $0.json(isOurs: false) })), ("onlyHereCount", .count(onlyHereCount)),
            ("onlyHere", .array(onlyHere.map { $0.json(isOurs: true) })), ("purgedHere", .count(purgedHere)),
            ("purgedThere", .count(purgedThere)), ("revisions", .count(revisions)),
            ("attachments", .count(attachments)), ("drafts", .count(drafts)),
            ("missingEntries", .count(missingEntries)), ("endKnown", .bool(knowsEnd)),
            ("damagedPages", .count(damagedPages)), ("olderKey", .bool(hasOlderKey)),
        ])
    }
}

extension AdoptedVault.Note {
    private var name: String { "note \(id)" + (title.map { " " + SafeText.singleLine($0) } ?? "") }

    fileprivate func line(isTrial: Bool) -> String {
        switch change {
        case .added: return "\(isTrial ? "only there" : "added"): \(name)\n"
        case .updated: return "\(isTrial ? "changed there" : "updated"): \(name)\n"
        case .twoVersions: return "\(isTrial ? "changed in both" : "two versions"): \(name)\n"
        case .comesBack:
            let now = newID.map { ", now note \($0)" } ?? ""
            return "purged here, changed there: \(name)\(isTrial ? "" : now)\n"
        case .refused:
            return "\(reason == .attachmentLost ? "incomplete" : "refused"): \(name): \(reason.sentence)\n"
        }
    }

    fileprivate var lineOfOurs: String { (change == .added ? "only here: " : "changed here: ") + name + "\n" }

    fileprivate func json(isOurs: Bool) -> JSONText {
        let fields: [(key: String, value: JSONText)] = [
            ("id", .string(id)), ("title", title.map { .string($0) } ?? .null), ("change", .string("\(change)")),
        ]
        guard !isOurs else { return .object(fields) }
        return .object(
            fields + [
                ("reason", reason == .none ? .null : .string("\(reason)")),
                ("newID", newID.map { .string($0) } ?? .null),
            ])
    }
}

extension AdoptedVault.Note.Reason {
    /// Why, and what helps.
    fileprivate var sentence: String {
        switch self {
        case .none: "it was left as it is"
        case .privateInOne:
            "it has a password in one copy only; add or remove it in the other copy too"
        case .otherPassword: "its password was changed in one copy; vault note unlock it here, then adopt again"
        case .purgedPrivate: "it was purged here, and a private note cannot be restored as a new one"
        case .damagedThere: "one of its revisions does not open there"
        case .damagedHere: "the note in this vault does not open; run vault repair first"
        case .tooManyVersions: "it has too many versions side by side; merge them first"
        case .attachmentLost: "merged without attachments that do not open there"
        }
    }
}
