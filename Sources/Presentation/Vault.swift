// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

public import AgentProtocol
internal import Dates
internal import TerminalText

extension ProbeVault: Presented {}

extension UnlockVault: Presented {
    public func present(_ reply: OpenedVault, on page: inout Page) {
        if !reply.firstSight.isEmpty { page.talk("vault: note: " + reply.firstSight) }
        if reply.isUnpinned {
            page.talk(
                "vault: warning: the state directory cannot be written: an older copy of the vault would not be noticed"
            )
        }
        presentLoss(reply, on: &page)
        if !reply.readOnlyReason.isEmpty {
            page.talk("vault: warning: \(reply.readOnlyReason): the vault is open read-only")
        }
        if reply.intendedMilliseconds > 0 {
            let (taken, intended) = (
                Quantity.grouped(reply.attemptMilliseconds), Quantity.grouped(reply.intendedMilliseconds)
            )
            page.talk("vault: note: this password is now cheap to guess: \(taken) ms a try, \(intended) intended")
            page.talk("vault: hint: vault passwd --upgrade raises the cost")
        }
        if reply.isRotating {
            page.talk(
                "vault: note: a rotation is under way and continues now; vault rotate --resume shows its progress")
        }
    }
}

extension CreateVault: Presented {}
extension CommitCreation: Presented {}
extension LockVault: Presented {}

extension MeasureCost: Presented {
    public func present(_ reply: KDFCost, on page: inout Page) {
        page.output("\(reply.memoryKiB) \(reply.iterations) \(reply.parallelism)")
    }
}

extension ShowStatus: Presented {
    public func present(_ reply: VaultStatus, on page: inout Page) {
        if page.style.json { page.json(reply.json) } else { page.output(reply.text) }
    }
}

extension CheckVault: Presented {
    private static let foreignNameCountMax = 20

    public func present(_ reply: CheckedVault, on page: inout Page) {
        if page.style.json { return page.json(reply.json) }
        if let rebuilt = reply.rebuilt {
            page.output("index rebuilt, \(Quantity.notes(shown: rebuilt, total: rebuilt))\n")
        }
        for problem in reply.problems {
            page.output("problem: \(problem.kind.sentence)\(problem.note.map { " (note \($0))" } ?? "")\n")
        }
        if reply.orphans > 0 {
            let count = "\(reply.orphans) file\(reply.orphans == 1 ? "" : "s")"
            page.output(
                reply.problems.isEmpty
                    ? "note: \(count) of attachments that no note has: moved to quarantine for 30 days\n"
                    : "note: \(count) of attachments that no note has: left in place, because there are problems\n")
        }
        for name in reply.foreign.prefix(Self.foreignNameCountMax) {
            let shown = SafeText.singleLine(name)
            page.output(
                "note: '\(shown)' in the vault's folder does not belong to the vault: backups leave it out, and vault did not encrypt it\n"
            )
        }
        if reply.foreignCount > Self.foreignNameCountMax {
            page.output("note: and \(reply.foreignCount - Self.foreignNameCountMax) more\n")
        }
        if reply.removed > 0 { page.output("note: \(reply.removed) from quarantine removed after 30 days\n") }
        let parts = [
            "\(reply.revisions) revisions", "\(reply.attachments) attachments", "\(reply.entries) entries",
            "\(reply.pages) pages",
        ]
        let verdict = reply.problems.isEmpty ? "no problems found" : "see above"
        page.output(
            "\(Quantity.notes(shown: reply.notes, total: reply.notes)), \(parts.joined(separator: ", ")): \(verdict)\n")
    }
}

extension VaultStatus {
    fileprivate var json: JSONText {
        .answer([
            ("state", .string("unlocked")), ("agentPID", .count(agentPID)), ("vault", .string(directory)),
            ("vaultID", .string(vaultID)),
            ("copyID", copyID.map { .string($0) } ?? .null), ("notes", .count(notes)), ("archived", .count(archived)),
            ("trashed", .count(trashed)), ("drafts", .count(drafts)), ("generation", .count(generation)),
            ("epoch", .int(Int64(epoch))),
            ("readOnly", .bool(isReadOnly)), ("idleSecondsLeft", .count(idleMillisecondsLeft / 1000)),
            ("maxSecondsLeft", .count(maxMillisecondsLeft / 1000)), ("memoryLocked", .bool(keysAreLocked)),
            ("rotationPercent", rotationPercent.map { .count($0) } ?? .null),
            ("rotationFailure", rotationFailure.isEmpty ? .null : .string(rotationFailure)),
            ("kdf", kdf?.json ?? .null),
            ("wordsLeft", .bool(hasWordsLeft)),
            (
                "lastCheck",
                lastCheck.map { .object([("made", .date($0.made)), ("problems", .count($0.problems))]) } ?? .null
            ),
        ])
    }

    /// A few aligned lines for people.
    fileprivate var text: String {
        let others = [(archived, "archived"), (trashed, "in the trash")].filter { $0.0 > 0 }
        let more = others.map { ", \(Quantity.grouped($0.0)) \($0.1)" }.joined()
        var lines = [
            ("vault", SafeText.singleLine(directory)), ("state", isReadOnly ? "unlocked, read-only" : "unlocked"),
            ("notes", Quantity.grouped(notes) + more),
            (
                "locks",
                "after \(Self.duration(idleMillisecondsLeft)) idle, in \(Self.duration(maxMillisecondsLeft)) at the latest"
            ),
            ("agent", "pid \(agentPID)"),
        ]
        if let rotationPercent {
            let trouble = rotationFailure.isEmpty ? "" : ", stopped: " + rotationFailure
            lines.append(("keys", "re-encrypting, \(rotationPercent) %\(trouble): vault rotate --resume"))
        }
        if hasWordsLeft { lines.append(("words", "of notes that became private are partly still on the disk")) }
        if let lastCheck {
            let found =
                lastCheck.problems == 0
                ? "no problems" : "\(lastCheck.problems) problem\(lastCheck.problems == 1 ? "" : "s"): vault check"
            lines.append(("check", "\(DateStyle.rfc3339(lastCheck.made)), \(found)"))
        }
        if drafts > 0 { lines.append(("drafts", "\(drafts): vault draft ls")) }
        if !keysAreLocked {
            lines.append(("note", "keys could not be locked in memory (ulimit -l); they may reach swap"))
        }
        return lines.map { $0.0.padded(to: 7) + $0.1 + "\n" }.joined()
    }

    /// Minutes that have begun count whole.
    private static func duration(_ milliseconds: Int) -> String {
        let minutes = milliseconds / 60_000 + (milliseconds % 60_000 == 0 ? 0 : 1)
        return minutes < 100 ? "\(minutes) min" : "\(minutes / 60) h \(minutes % 60) min"
    }
}

extension KDFCost {
    fileprivate var json: JSONText {
        .object([
            ("memoryKiB", .int(Int64(memoryKiB))), ("iterations", .int(Int64(iterations))),
            ("parallelism", .int(Int64(parallelism))),
        ])
    }
}

extension CheckedVault {
    fileprivate var json: JSONText {
        let found = problems.map { problem in
            JSONText.object([("kind", .string("\(problem.kind)")), ("note", problem.note.map { .string($0) } ?? .null)])
        }
        return .answer([
            ("clean", .bool(problems.isEmpty)), ("problems", .array(found)), ("notes", .count(notes)),
            ("revisions", .count(revisions)),
            ("entries", .count(entries)), ("pages", .count(pages)), ("attachments", .count(attachments)),
            ("orphans", .count(orphans)),
            ("removed", .count(removed)), ("foreign", .array(foreign.map { .string($0) })),
            ("rebuilt", rebuilt.map { .count($0) } ?? .null),
        ])
    }
}

extension CheckedVault.Problem.Kind {
    /// One sentence for people.
    var sentence: String {
        switch self {
        case .headerCopy: "one copy of the header is missing or damaged"
        case .page: "a page of the index is not authentic"
        case .structure: "the index's tables are not consistent"
        case .chain: "the chain of changes is broken: entries were removed, replaced or put back"
        case .revisionMissing: "a revision that the chain names is gone"
        case .revisionUnknown: "a revision that the chain does not name was added"
        case .revisionUnreadable: "a revision is not authentic"
        case .projection: "the list entry of a note does not match its revision"
        case .words: "the search index lacks words of a note"
        case .counters: "the counters do not match the notes"
        case .attachmentUnreadable: "an attachment is not authentic"
        case .attachmentMissing: "an attachment's file is gone"
        case .strangeFile: "a file among the attachments is not an attachment"
        case .spare: "a copy is missing or differs: of the manifest, a note's key, an attachment's row or a draft's"
        case .draft: "a draft is not authentic (vault draft discard removes it)"
        }
    }
}

extension String {
    fileprivate func padded(to count: Int) -> String {
        self + String(repeating: " ", count: max(0, count - self.count))
    }
}
