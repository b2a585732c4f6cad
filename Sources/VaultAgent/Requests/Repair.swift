// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentProtocol
internal import SecretMemory
internal import VaultCore
internal import VaultFormat

// It is asked for with a vault or without one, so it is RequestHandler's.
extension OperationTable {
    static let repair: [any Handled.Type] = [RepairVault.self]
}

extension RepairVault: Handled {}

extension RequestHandler {
    /// Repairs the open vault, or the one that was probed.
    func repair(_ repairing: RepairVault, _ secret: borrowing SecretBytes, _ connection: Connection) {
        guard session.store != nil else {
            do throws(VaultError) {
                connection.job = RepairJob(try session.beginRepair(repairing, secret: secret), session)
            } catch { connection.end(error.outcome) }
            return
        }
        guard !connection.meansAnotherCopy else { return connection.end(Self.anotherCopy) }
        let others = session.others(connection)
        if let refusal = Self.refusal(session, others) { return connection.end(refusal) }
        // Who only watches hears that it is over; the next watch begins with everything anew.
        for other in others { endWork(of: other) }
        recordProgress()
        guard let repair = session.giveForRepair() else { return }
        connection.job = RepairJob(repair, session)
    }

    /// Returns why a repair cannot begin, or nil: the vault is closed and opened again, so nobody may have anything
    /// under way in it.
    private static func refusal(_ session: Session, _ others: [Connection]) -> Outcome? {
        if !session.edits.isEmpty {
            return Outcome(.conflict, "a note is being edited", hint: "finish the edit, then vault repair")
        }
        if session.store?.isFrozen == true {
            return Outcome(
                .conflict, "an export or a backup is being made", hint: "wait for it to finish, then vault repair")
        }
        if others.contains(where: { $0.importSession != nil || $0.attaching != nil }) {
            return Outcome(
                .conflict, "an import is running, or an attachment is being added",
                hint: "wait for it to finish, then vault repair")
        }
        if others.contains(where: { $0.isAtWork || $0.pendingKeys != nil }) {
            return Outcome(
                .conflict, "another command is at work in the vault", hint: "wait for it to finish, then vault repair")
        }
        return nil
    }
}

extension RepairedVault {
    init(_ report: RepairReport) {
        self.init()
        (mended, isRebuilt, notes, revisions) = (report.mended, report.isRebuilt, report.notes, report.revisions)
        oldPages = report.oldPages
        (kept, lostPages, lostChanges) = (report.kept, report.lostPages, Int(clamping: report.lostChanges))
        (isLogLost, isHistoryNew, relocked) = (report.logIsLost, report.loss.historyIsNew, report.relocked)
        losses = report.loss.notes.map { Loss($0) }
        (lostDrafts, lostAttachments) = (report.loss.drafts, report.loss.attachments)
        isEndUnknown = report.endIsUnknown
        remaining = CheckedVault.problems(report.remaining)
    }
}

extension RepairedVault.Loss {
    fileprivate init(_ loss: SalvageLoss.Note) {
        self.init()
        (note, title, count, made) = (loss.id.text, loss.title, loss.count, loss.made)
        kind =
            switch loss.kind {
            case .gone: .gone
            case .keyslot: .keyslot
            case .olderVersion: .olderVersion
            case .history: .history
            case .attachment: .attachment
            case .olderKeyslot: .olderKeyslot
            }
    }
}
