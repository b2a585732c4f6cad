// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

public import AgentProtocol
internal import Dates
internal import TerminalText

// Backups pruned and tried, and what one lacks.

extension PruneBackup: Presented {
    public func present(_ reply: PrunedBackup, on page: inout Page) {
        if page.style.json {
            return page.json(
                .answer([
                    ("dryRun", .bool(isTrial)), ("removed", .names(reply.removed)), ("kept", .names(reply.kept)),
                    ("unreadable", .names(reply.unreadable)), ("olderKeySnapshots", .count(reply.olderKeyCount)),
                    ("files", .count(reply.fileCount)), ("freedByteCount", .count(reply.freedByteCount)),
                ]))
        }
        for name in reply.removed { page.output("\(isTrial ? "would remove" : "removed") \(name)\n") }
        let snapshots = Quantity.counted(reply.removed.count, "snapshot")
        let (removed, freed) = isTrial ? ("would be removed", "would be freed") : ("removed", "freed")
        page.output(
            "\(snapshots) \(removed), \(Quantity.bytes(reply.freedByteCount)) \(freed); \(reply.kept.count) kept\n")
        for name in reply.unreadable { page.talk("vault: note: \(name) does not open, and stays") }
        guard reply.olderKeyCount > 0, reply.unreadable.isEmpty else { return }
        page.talk(
            "vault: note: \(Quantity.counted(reply.olderKeyCount, "snapshot")) with an older key kept, together with every file that may be needed only by it"
        )
    }
}

extension DrillBackup: Presented {
    public func present(_ reply: DrilledBackup, on page: inout Page) {
        if page.style.json {
            return page.json(
                .answer(
                    [
                        ("snapshot", .string(reply.name)), ("made", .date(reply.made)), ("notes", .count(reply.notes)),
                        ("revisions", .count(reply.revisions)), ("attachments", .count(reply.attachments)),
                        ("notCompared", .count(reply.notCompared)), ("milliseconds", .count(reply.milliseconds)),
                        ("historyDiffers", .bool(reply.historyDiffers)),
                    ] + reply.differences.fields + [("passedOver", .names(reply.passedOver))]))
        }
        page.tell(passedOver: reply.passedOver, taken: reply.name)
        let parts = [
            Quantity.counted(reply.notes, "note"), Quantity.counted(reply.revisions, "revision"),
            Quantity.counted(reply.attachments, "attachment"),
        ]
        let left = reply.notCompared > 0 ? "; \(reply.notCompared) changed or removed since and not compared" : ""
        let seconds = Double(reply.milliseconds / 100) / 10
        page.output(
            "restored \(reply.name) of \(DateStyle.rfc3339(reply.made)) into memory and compared \(parts.joined(separator: ", ")) in \(seconds) s\(left)\n"
        )
        page.tell(reply.differences, "differs or is missing")
        if reply.historyDiffers { page.talk("vault: loss: its history is not the beginning of the vault's") }
        let isSound = !reply.differences.isOfRecords && !reply.historyDiffers
        if isSound { page.output("what is in the snapshot is as it is in the vault; what came since is not in it\n") }
    }
}

extension BackupDamage {
    /// The members of the object in JSON.
    var fields: [(key: String, value: JSONText)] {
        [
            ("damagedPages", .count(pageCount)), ("lostEntries", .count(entryCount)),
            ("lostUndoSteps", .count(changeCount)), ("lossCount", .count(lossCount)),
            (
                "losses",
                .array(
                    losses.map { loss in
                        .object([
                            ("kind", .string(loss.kind.word)), ("note", loss.note.map { .string($0) } ?? .null),
                            ("title", .string(loss.title)), ("name", .string(loss.name)),
                        ])
                    })
            ),
        ]
    }
}

extension BackupDamage.Loss.Kind {
    /// The word for it in JSON.
    fileprivate var word: String {
        switch self {
        case .note: "note"
        case .text: "text"
        case .revision: "revision"
        case .attachment: "attachment"
        case .draft: "draft"
        }
    }
}

extension BackupDamage.Loss {
    /// "the attachment 'plan.pdf' of 'Garden'"
    fileprivate var words: String {
        let owner =
            title.isEmpty ? note.map { "note \($0.prefix(6))" } ?? "a new note" : "'\(SafeText.singleLine(title))'"
        return switch kind {
        case .note: owner
        case .text: "the newest text of \(owner)"
        case .revision: "an older revision of \(owner)"
        case .attachment:
            name.isEmpty ? "an attachment of \(owner)" : "the attachment '\(SafeText.singleLine(name))' of \(owner)"
        case .draft: "a draft of \(owner)"
        }
    }
}

extension JSONText {
    static func names(_ names: [String]) -> JSONText { .array(names.map { .string($0) }) }
}

extension Page {
    /// Says what is lost, by note.
    ///
    /// - Parameter fate: what became of each.
    mutating func tell(_ damage: BackupDamage, _ fate: String) {
        for loss in damage.losses { talk("vault: loss: \(loss.words) \(fate)") }
        let more = damage.lossCount - damage.losses.count
        if more > 0 { talk("vault: loss: and \(more) more") }
        if damage.entryCount > 0 {
            talk(
                "vault: loss: part of the history (\(damage.entryCount) changes): earlier revisions may be in another order"
            )
        }
        if damage.changeCount > 0 { talk("vault: loss: the undo history") }
        if damage.pageCount > 0, !damage.isOfRecords {
            talk("vault: note: damaged pages hold only lists, which a restore makes again; nothing is lost")
        }
    }

    /// Says which newer snapshots were not taken.
    mutating func tell(passedOver names: [String], taken: String?) {
        for name in names {
            talk("vault: warning: the snapshot \(name) does not open\(taken.map { "; taking the older \($0)" } ?? "")")
        }
    }
}
