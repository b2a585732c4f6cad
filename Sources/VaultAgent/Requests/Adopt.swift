// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentProtocol
internal import SecretMemory
internal import VaultCore
internal import VaultFormat

extension AdoptVault: Handled {
    func run(in work: RequestContext, secret: consuming SecretBytes) throws(VaultError) -> Outcome? {
        guard let passed = work.takePassed() else { return Outcome(.usage, "no folder came with the request") }
        // Nobody waits for the copy to be read on a disk that takes nothing.
        guard dryRun || !work.store.isReadOnly else { throw VaultError(.readOnly, systemError: work.store.refusal) }
        var box: CredentialBox?
        if let credential { box = try CredentialBox.parse(credential, secret) }
        return work.start(AdoptJob(work.store, self, box, passed))
    }
}

extension AdoptedVault {
    /// Most that are listed; more are counted.
    private static let listedCountMax = 10_000

    init(_ report: AdoptionReport) {
        self.init()
        taken = report.notes.prefix(Self.listedCountMax).map(Note.init)
        onlyHere = report.onlyHere.prefix(Self.listedCountMax).map(Note.init)
        (added, updated) = (report.count(.added), report.count(.updated))
        (twoVersions, comesBack) = (report.count(.twoVersions), report.count(.comesBack))
        (refused, unchanged) = (report.count(.refused), report.unchangedCount)
        onlyHereCount = report.onlyHere.count
        (purgedHere, purgedThere) = (report.purgedHereCount, report.purgedThereCount)
        (revisions, attachments) = (report.revisionCount, report.attachmentCount)
        (drafts, missingEntries) = (report.draftCount, report.missingEntryCount)
        (knowsEnd, damagedPages) = (report.knowsEnd, report.damagedPageCount)
        hasOlderKey = report.isOfOlderKey
    }
}

extension AdoptedVault.Note {
    fileprivate init(_ note: AdoptionReport.Note) {
        self.init()
        (id, title, newID) = (note.id.text, note.title, note.newID?.text)
        change =
            switch note.kind {
            case .added: .added
            case .updated: .updated
            case .twoVersions: .twoVersions
            case .comesBack: .comesBack
            case .refused: .refused
            }
        reason =
            switch note.reason {
            case nil: .none
            case .privateInOne: .privateInOne
            case .otherPassword: .otherPassword
            case .purgedPrivate: .purgedPrivate
            case .damagedThere: .damagedThere
            case .damagedHere: .damagedHere
            case .tooManyVersions: .tooManyVersions
            case .attachmentLost: .attachmentLost
            }
    }
}
