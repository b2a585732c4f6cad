// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

public import AgentProtocol
internal import TerminalText
internal import VaultFormat

extension CheckVault: Presented {
    private static let foreignNameCountMax = 20

    public func present(_ reply: CheckedVault, on page: inout Page) {
        if page.style.json { return page.json(reply.json) }
        if let rebuilt = reply.rebuilt {
            page.output("index rebuilt, \(Quantity.notes(shown: rebuilt, total: rebuilt))\n")
        }
        for group in CheckedVault.Group.all(of: reply.problems) { page.output(group.line + "\n") }
        if reply.orphans > 0 { page.output(reply.orphansLine) }
        for name in reply.foreign.prefix(Self.foreignNameCountMax) {
            if let copy = ConflictedCopy(name) {
                page.output("note: " + copy.sentence(name, isAuthentic: reply.authentic.contains(name)) + "\n")
                continue
            }
            let shown = SafeText.singleLine(name)
            page.output(
                "note: '\(shown)' in the vault's folder does not belong to the vault: backups leave it out, and vault did not encrypt it\n"
            )
        }
        for name in reply.rescued.prefix(Self.foreignNameCountMax) {
            page.output("note: " + AsideName.sentence(name) + "\n")
        }
        for line in ConflictedCopy.adopting(reply.rescued + reply.foreign) {
            page.output("note: \(line) takes over the notes that are only there; --dry-run names them first\n")
        }
        if reply.foreignCount > Self.foreignNameCountMax {
            page.output("note: and \(reply.foreignCount - Self.foreignNameCountMax) more\n")
        }
        if reply.removed > 0 { page.output("note: \(reply.removed) from quarantine removed after 30 days\n") }
        let parts = [
            Quantity.counted(reply.notes, "note"), Quantity.counted(reply.revisions, "revision"),
            Quantity.counted(reply.attachments, "attachment"),
            reply.entries == 1 ? "1 entry" : "\(Quantity.grouped(reply.entries)) entries",
            Quantity.counted(reply.pages, "page"),
        ]
        let verdict = reply.problems.isEmpty ? "no problems found" : "see above"
        page.output("\(parts.joined(separator: ", ")): \(verdict)\n")
    }
}

extension CheckedVault {
    /// What became of files of attachments that no note has.
    fileprivate var orphansLine: String {
        let count = "note: \(orphans) file\(orphans == 1 ? "" : "s") of attachments that no note has"
        if !problems.isEmpty { return "\(count): left in place, because there are problems\n" }
        guard orphansStay else { return "\(count): moved to quarantine for 30 days\n" }
        guard let orphansStayFor else {
            return "\(count): left in place, because the vault was unlocked with a loss or an older state accepted\n"
        }
        return "\(count): left in place while '\(SafeText.singleLine(orphansStayFor))' lies in the vault's folder\n"
    }

    /// `Group` holds problems of one kind that are mended in one way, told in one line; a damaged note has a line of
    /// its own.
    fileprivate struct Group {
        let first: Problem
        var notes: [String] = []
        var pages: [String] = []
        var count = 0
        private static let namedCountMax = 10

        static func all(of problems: [Problem]) -> [Group] {
            var groups: [Group] = []
            var places: [String: Int] = [:]
            for problem in problems {
                let at = places[problem.groupKey] ?? groups.count
                if at == groups.count {
                    places[problem.groupKey] = at
                    groups.append(Group(first: problem))
                }
                groups[at].count += 1
                if let note = problem.note, !groups[at].notes.contains(note) { groups[at].notes.append(note) }
                if problem.page > 0 { groups[at].pages.append(Quantity.grouped(problem.page)) }
            }
            return groups
        }

        /// `problem: a revision is not authentic (note k7...): an earlier revision opens: vault revert k7... @2`
        var line: String {
            var line = "problem: " + first.kind.sentence
            if count > 1 { line += ", \(Quantity.grouped(count)) times" }
            return line + Self.named("note", notes) + Self.named("page", pages) + ": " + first.advice
        }

        private static func named(_ word: String, _ names: [String]) -> String {
            guard !names.isEmpty else { return "" }
            let shown = names.prefix(namedCountMax).joined(separator: ", ")
            let more = names.count > namedCountMax ? " and \(Quantity.grouped(names.count - namedCountMax)) more" : ""
            return " (\(word)\(names.count == 1 ? "" : "s") \(shown)\(more))"
        }
    }
}

extension CheckedVault.Problem {
    /// Equal for problems that are told together.
    fileprivate var groupKey: String {
        switch mend {
        case .revert, .remove: "\(kind) \(note ?? "") \(mend)"
        case .none, .repair, .discardDraft, .removeAttachment: "\(kind) \(mend)"
        }
    }

    /// What to type; nil where nothing in this vault mends it.
    fileprivate var command: String? {
        let id = note ?? "ID"
        return switch mend {
        case .none: nil
        case .repair: "vault repair"
        case .revert: "vault revert \(id) @\(revision)"
        case .remove: "vault rm \(id)"
        case .discardDraft: "vault draft discard"
        case .removeAttachment: attachment.map { "vault attach rm \(id) \($0)" } ?? "vault attach ls \(id)"
        }
    }

    fileprivate var advice: String {
        switch mend {
        case .none: kind.adviceWithoutMend
        case .repair: "type 'vault repair'"
        case .revert: "its text is lost, and an earlier revision opens: type '\(command ?? "")'"
        case .remove: "its text is lost, and no revision opens: type '\(command ?? "")', or restore a backup"
        case .discardDraft: "type 'vault draft ls', then 'vault draft discard'"
        case .removeAttachment: "type '\(command ?? "")', or restore a backup"
        }
    }
}

extension CheckedVault.Problem.Kind {
    /// What there is to say where nothing in this vault mends it.
    fileprivate var adviceWithoutMend: String {
        switch self {
        case .page, .structure:
            "lines below name what it held; 'vault repair' rebuilds what it can; run it first if a command "
                + "below is refused"
        case .oldPage:
            "an earlier copy was put in its place; 'vault repair' rebuilds what it can, or restore a backup"
        case .revisionUnreadable, .revisionMissing: "its text opens, and an earlier one is lost; a backup may have it"
        case .chain: "what can be read is still there; a backup has the rest"
        case .revisionUnknown: "do not trust it; compare with a backup"
        case .strangeFile: "move it elsewhere if it is yours"
        case .headerCopy, .projection, .words, .counters, .draft, .attachmentUnreadable, .attachmentMissing, .lists,
            .spare:
            "a backup may have it"
        }
    }
}

extension CheckedVault {
    fileprivate var json: JSONText {
        let found = problems.map { problem in
            JSONText.object([
                ("kind", .string("\(problem.kind)")), ("note", problem.note.map { .string($0) } ?? .null),
                ("attachment", problem.attachment.map { .string($0) } ?? .null),
                ("mend", problem.command.map { .string($0) } ?? .null),
                ("page", problem.page > 0 ? .count(problem.page) : .null),
            ])
        }
        return .answer([
            ("clean", .bool(problems.isEmpty)), ("problems", .array(found)), ("notes", .count(notes)),
            ("revisions", .count(revisions)),
            ("entries", .count(entries)), ("pages", .count(pages)), ("attachments", .count(attachments)),
            ("orphans", .count(orphans)),
            ("removed", .count(removed)), ("foreign", .array(foreign.map { .string($0) })),
            ("authenticCopies", .array(authentic.map { .string($0) })),
            ("rescued", .array(rescued.map { .string($0) })),
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
        case .oldPage: "a page of the index is older than the vault"
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
        case .draft: "a draft is not authentic"
        case .lists: "a part of the lists, tags or links cannot be read"
        }
    }
}
