// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentProtocol
internal import VaultCore
internal import VaultFormat

extension CheckedVault {
    private static let foreignNameCountMax = 100

    /// Makes the reply about a check; long lists of names are cut.
    ///
    /// - Parameters:
    ///   - rescued: names of indexes that were written out or put aside.
    ///   - rebuilt: notes in an index that was made anew before.
    init(_ report: CheckReport, rescued: [String], rebuilt: Int?) {
        self.init()
        problems = Self.problems(report.problems, in: report)
        (notes, revisions, entries, pages) = (report.notes, report.revisions, report.entries, report.pages)
        (attachments, orphans, removed) = (report.attachments, report.orphans, report.removed)
        switch report.unnamedFilesStay {
        case nil: break
        case .opening: orphansStay = true
        case .file(let name): (orphansStay, orphansStayFor) = (true, name)
        }
        (foreign, foreignCount) = (Array(report.foreign.prefix(Self.foreignNameCountMax)), report.foreign.count)
        authentic = Array(report.authentic.prefix(Self.foreignNameCountMax))
        self.rescued = Array(rescued.prefix(Self.foreignNameCountMax))
        self.rebuilt = rebuilt
    }

    /// Returns the problems of a check as the reply has them.
    ///
    /// - Parameter report: what says how they are mended; nil where that is not asked.
    static func problems(_ found: [CheckProblem], in report: CheckReport? = nil) -> [Problem] {
        found.map { one in
            var problem = Problem(Problem.Kind(one.kind), note: one.noteID?.text)
            problem.attachment = one.attachment?.text
            problem.page = Int(one.page ?? 0)
            problem.tell(report?.mend(of: one))
            return problem
        }
    }
}

extension CheckedVault.Problem {
    fileprivate mutating func tell(_ found: CheckProblem.Mend?) {
        switch found {
        case nil: mend = .none
        case .repair: mend = .repair
        case .revert(let number): (mend, revision) = (.revert, number)
        case .remove: mend = .remove
        case .discardDraft: mend = .discardDraft
        case .removeAttachment: mend = .removeAttachment
        }
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
        case .lists: self = .lists
        case .words: self = .words
        case .counters: self = .counters
        case .draft: self = .draft
        case .attachmentUnreadable: self = .attachmentUnreadable
        case .attachmentMissing: self = .attachmentMissing
        case .strangeFile: self = .strangeFile
        case .spare: self = .spare
        case .oldPage: self = .oldPage
        }
    }
}
