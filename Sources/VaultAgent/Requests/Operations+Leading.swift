// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentProtocol
internal import SearchText
internal import VaultCore
internal import VaultFormat

extension Operations {
    func leading(_ leading: Leading) throws(VaultError) -> Outcome? {
        switch leading {
        case .links(let ref): answer.links(LinkDetector.links(in: try store.note(store.resolve(ref)).body))
        case .target(let ref, let number): return try target(ref, number)
        case .backlinks(let ref):
            let notes = try store.backlinks(store.resolve(ref))
            answer.list(notes, total: notes.count, offset: 0, long: false)
        case .share(let ref): return try share(ref)
        }
        return Outcome(.ok)
    }

    private func target(_ ref: String, _ number: UInt32) throws(VaultError) -> Outcome {
        let links = LinkDetector.links(in: try store.note(store.resolve(ref)).body)
        guard number >= 1, Int(number) <= links.count else {
            return Outcome(.notFound, links.isEmpty ? "the note has no links" : "the note has \(links.count) links", hint: "vault links ID")
        }
        let link = links[Int(number) - 1]
        connection.output(Array("\(link.kind.rawValue)\n\(link.target)".utf8))
        return Outcome(.ok)
    }

    /// What is shared is a title, a text or both.
    private func share(_ ref: String) throws(VaultError) -> Outcome {
        let note = try store.note(store.resolve(ref))
        let title = note.titleIsSet ? note.title : ""
        guard !title.isEmpty || note.body.contains(where: { !$0.isWhitespace }) else {
            return Outcome(.usage, "the note has neither title nor text to share", hint: "vault edit ID")
        }
        connection.output(Array((title.isEmpty ? note.body : note.body.isEmpty ? title : title + "\n\n" + note.body).utf8))
        return Outcome(.ok)
    }
}
