// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentProtocol
internal import SecretMemory
internal import VaultCore
internal import VaultFormat

extension RequestHandler {
    /// Makes a vault of a damaged one. Only an agent that has no vault does: it was started for this.
    func salvage(_ salvaging: SalvageVault, _ secret: borrowing SecretBytes, _ connection: Connection) {
        guard session.isEmpty, let passed = connection.handedOver else {
            return connection.end(
                Outcome(.usage, "this agent has a vault", hint: "vault salvage starts one of its own"))
        }
        connection.handedOver = nil
        do throws(VaultError) {
            guard let first = PasswordPair.part(of: secret, isFirst: true),
                let second = PasswordPair.part(of: secret, isFirst: false)
            else {
                throw VaultError(.wrongPassword)
            }
            let credential = try CredentialBox.parse(salvaging.credential, first)
            let new = second.byteCount == 0 ? nil : try CredentialBox.parse(.password, second)
            connection.job = SalvageJob(
                SalvageJob.Order(salvaging: salvaging, credential: credential, newPassword: new, passed: passed))
        } catch { connection.end(error.outcome) }
    }
}

extension SalvagedVault {
    /// Most that are listed; more are counted.
    private static let listedCountMax = 10_000

    init(_ report: SalvageReport) {
        self.init()
        (wholeCount, olderCount, lostCount) = (report.wholeCount, report.olderCount, report.lostCount)
        notes = report.notes.prefix(Self.listedCountMax).map(Note.init)
        lostAttachments = report.lostAttachments.prefix(Self.listedCountMax).map { lost in
            var row = Attachment()
            (row.id, row.note, row.name) = (lost.id.text, lost.note.text, lost.name ?? "")
            return row
        }
        lostAttachmentCount = report.lostAttachments.count
        lostDrafts = report.lostDrafts.map(\.text)
        (missingEntries, knowsEnd, isLogLost) = (report.missingEntryCount, report.knowsEnd, report.logIsLost)
        (pages, damagedPages) = (report.pageCount, report.damagedPageCount)
        (frames, damagedFrames) = (report.frameCount, report.damagedFrameCount)
        contents = ArchiveContents(report.counts)
    }
}

extension SalvagedVault.Note {
    fileprivate init(_ note: SalvageReport.Note) {
        self.init()
        state = note.state == .lost ? .lost : .older
        (id, title) = (note.id.text, note.title)
        (revision, made) = (note.revision?.text, note.made)
    }
}
