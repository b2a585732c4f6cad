// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentProtocol
internal import VaultCore
internal import VaultFormat

extension CheckedVault {
    private static let foreignNameCountMax = 100

    /// - Parameter rebuilt: notes in an index that was made anew before.
    init(_ report: CheckReport, rebuilt: Int?) {
        self.init()
        problems = Self.problems(report.problems)
        (notes, revisions, entries, pages) = (report.notes, report.revisions, report.entries, report.pages)
        (attachments, orphans, removed) = (report.attachments, report.orphans, report.removed)
        (foreign, foreignCount) = (Array(report.foreign.prefix(Self.foreignNameCountMax)), report.foreign.count)
        self.rebuilt = rebuilt
    }

    static func problems(_ found: [CheckProblem]) -> [Problem] {
        found.map { Problem(Problem.Kind($0.kind), note: $0.noteID?.text) }
    }
}

extension CheckedVault.Problem.Kind {
    fileprivate init(_ kind: CheckProblem.Kind) {
        switch kind {
        case .headerCopy: self = .headerCopy
        case .page: self = .page
        case .structure: self = .structure
        case .chain: self = .chain
        case .revisionMissing: self = .revisionMissing
        case .revisionUnknown: self = .revisionUnknown
        case .revisionUnreadable: self = .revisionUnreadable
        case .projection: self = .projection
        case .words: self = .words
        case .counters: self = .counters
        case .draft: self = .draft
        case .attachmentUnreadable: self = .attachmentUnreadable
        case .attachmentMissing: self = .attachmentMissing
        case .strangeFile: self = .strangeFile
        case .spare: self = .spare
        }
    }
}
