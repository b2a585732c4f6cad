// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

public import AgentProtocol
internal import Dates
internal import TerminalText

/// This extension tells what a damaged vault was opened without: that is always said, whatever the answer is for.
extension UnlockVault {
    private static let noteCountMax = 20

    func presentLoss(_ reply: OpenedVault, on page: inout Page) {
        if reply.manifestWasMade {
            page.talk(
                "vault: warning: both copies of the manifest were lost; new ones were written. Whether this is the newest state of the vault cannot be checked"
            )
        }
        if reply.oldPages > 0 {
            let pages = "\(Quantity.grouped(reply.oldPages)) page\(reply.oldPages == 1 ? "" : "s") of the index"
            page.talk(
                "vault: warning: \(pages) did not belong to the vault's newest state and were taken as they are: notes may be older than they were. Type 'vault check'"
            )
        }
        guard reply.hasLostChanges else { return }
        page.talk(
            "vault: warning: \(Self.count(reply.lostChanges)) lost: the log that held them was damaged or missing")
        let shown = reply.notesWithLostChanges.prefix(Self.noteCountMax).map(SafeText.singleLine)
        if shown.isEmpty {
            page.talk("vault: warning: which notes they changed is not known")
        } else {
            let more = reply.notesWithLostChanges.count - shown.count
            let rest = more > 0 ? " and \(more) more" : ""
            let notes = shown.joined(separator: " ")
            page.talk("vault: warning: they changed these notes, and perhaps others: \(notes)\(rest)")
        }
        if !reply.keptLog.isEmpty {
            let name = SafeText.singleLine(reply.keptLog)
            page.talk("vault: note: the damaged log was kept in the vault's folder as \(name)")
        }
    }

    /// Presents what is left by a crash before a change is acknowledged, or by somebody who damages the last one: it is
    /// always said.
    func presentTornLog(_ reply: OpenedVault, on page: inout Page) {
        guard let torn = reply.tornLog else { return }
        page.talk("vault: warning: \(torn.sentence)")
        page.talk("vault: hint: check that your last changes are there: vault ls")
    }

    private static func count(_ changes: Int) -> String {
        switch changes {
        case 0: "an unknown number of saved changes was"
        case 1: "at least 1 saved change was"
        default: "at least \(Quantity.grouped(changes)) saved changes were"
        }
    }
}

extension TornLogEnd {
    /// What it means, in one sentence without its end.
    var sentence: String {
        let moment = lastWritten > 0 ? " before \(DateStyle.rfc3339(lastWritten))" : ""
        return "the last change\(moment) may not have been saved: the end of the log was incomplete"
    }
}

extension OpenedVault {
    /// How the command ends that opened it: never as if nothing had been lost.
    public var outcome: Outcome {
        guard hasLostChanges else { return Outcome(.ok) }
        return Outcome(
            .doneWithLosses, "the vault was opened without the saved changes listed above",
            hint: "a backup may have them: vault backup ls DIR")
    }
}
