// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentProtocol
internal import VaultCore
internal import VaultFormat

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
