// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentProtocol
internal import SearchText
internal import TerminalText
internal import TextReading
internal import VaultCore
internal import VaultFormat

extension OperationTable {
    static let links: [any Handled.Type] = [ListLinks.self, LinkTarget.self, ListBacklinks.self, ShareNote.self]
}

extension ListLinks: Handled {
    func run(in work: RequestContext) throws(VaultError) -> Outcome? {
        work.reply(
            LinkList(
                LinkDetector.links(in: try work.store.notes.note(work.store.notes.resolve(ref)).body).map {
                    LinkList.Link($0)
                }))
        return Outcome(.ok)
    }
}

extension LinkTarget: Handled {
    func run(in work: RequestContext) throws(VaultError) -> Outcome? {
        let links = LinkDetector.links(in: try work.store.notes.note(work.store.notes.resolve(ref)).body)
        guard number >= 1, Int(number) <= links.count else {
            return Outcome(
                .notFound, links.isEmpty ? "the note has no links" : "the note has \(links.count) links",
                hint: "vault links ID")
        }
        work.reply(LinkList([LinkList.Link(links[Int(number) - 1])]))
        return Outcome(.ok)
    }
}

extension ListBacklinks: Handled {
    func run(in work: RequestContext) throws(VaultError) -> Outcome? {
        let notes = try work.store.names.backlinks(work.store.notes.resolve(ref))
        var list = NoteList()
        (list.notes, list.total, list.shown) = (notes.map { NoteRow($0) }, notes.count, notes.count)
        work.reply(list)
        return Outcome(.ok)
    }
}

extension ShareNote: Handled {
    /// Replies with what is to be shared: a title, a text or both.
    func run(in work: RequestContext) throws(VaultError) -> Outcome? {
        let note = try work.store.notes.note(work.store.notes.resolve(ref))
        let title = note.titleIsSet ? note.title : ""
        guard line == 0, field.isEmpty else { return part(of: note, work) }
        guard !title.isEmpty || note.body.contains(where: { !$0.isWhitespace }) else {
            return Outcome(.usage, "the note has neither title nor text to share", hint: "vault edit ID")
        }
        let text = title.isEmpty ? note.body : note.body.isEmpty ? title : title + "\n\n" + note.body
        guard !recipients.isEmpty else {
            work.reply(SharedText(text))
            return Outcome(.ok)
        }
        do throws(ExportSealing.Refusal) {
            work.reply(SharedText(try ExportSealing.sealed(text, for: recipients)))
            return Outcome(.ok)
        } catch { return error.outcome }
    }
}

extension ShareNote {
    /// Replies with one line, or with what one says of a name: nothing else leaves the agent.
    private func part(of note: Note, _ work: RequestContext) -> Outcome {
        // By bytes: to Swift a carriage return and a line feed are one character.
        let all = note.body.utf8.split(separator: 0x0A, omittingEmptySubsequences: false).map { line in
            String(decoding: line.last == 0x0D ? line.dropLast() : line, as: UTF8.self)
        }
        guard field.isEmpty else {
            let found = all.first { $0.lowercased().hasPrefix(field.lowercased() + ":") }
            guard let found else {
                return Outcome(
                    .notFound, "no line of the note begins with '\(SafeText.singleLine(field)):'", hint: "vault show ID"
                )
            }
            work.reply(SharedText(String(found.dropFirst(field.count + 1).drop { $0 == " " || $0 == "\t" })))
            return Outcome(.ok)
        }
        let behind =
            note.titleIsSet
            ? all[...] : all.drop { $0.allSatisfy(\.isWhitespace) }.dropFirst().drop { $0.allSatisfy(\.isWhitespace) }
        let lines = behind.isEmpty ? all[...] : behind
        guard lines.count >= line, !lines[lines.startIndex + Int(line) - 1].isEmpty else {
            return Outcome(.notFound, "the note has no line \(line), or that line is empty", hint: "vault show ID")
        }
        work.reply(SharedText(lines[lines.startIndex + Int(line) - 1]))
        return Outcome(.ok)
    }
}

extension LinkList.Link {
    init(_ link: DetectedLink) {
        self.init()
        (kind, target, label) = (Kind(link.kind), link.target, link.label)
    }
}

extension LinkList.Link.Kind {
    fileprivate init(_ kind: DetectedLink.Kind) {
        switch kind {
        case .url: self = .url
        case .email: self = .email
        case .phone: self = .phone
        case .date: self = .date
        case .note: self = .note
        case .address: self = .address
        case .parcel: self = .parcel
        case .flight: self = .flight
        }
    }
}
