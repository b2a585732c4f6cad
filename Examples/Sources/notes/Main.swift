// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import AgentClient
import AgentProtocol
import Glibc

/// A front end of its own: it lists notes, shows one with its pictures, and follows changes. It never sees a key: an agent holds the vault open
/// (`vault unlock`), and this program asks it.
@main
struct Notes {
    static func main() {
        do throws(ClientFailure) {
            let words = Array(CommandLine.arguments.dropFirst())
            switch words.first ?? "list" {
            case "list": try list()
            case "show" where words.count == 2: try show(words[1])
            case "follow": try follow(limit: words.count == 2 ? UInt32(words[1]) ?? 0 : 0)
            default: throw .usage("notes list, notes show ID, or notes follow [COUNT]")
            }
        } catch {
            print("notes: \(error.outcome.message)")
            if !error.outcome.hint.isEmpty { print("hint: \(error.outcome.hint)") }
            exit(Int32(error.outcome.code.rawValue))
        }
    }

    /// The agent that has the vault open.
    private static func connect(wantsPictures: Bool = false) throws(ClientFailure) -> AgentConnection {
        var traits = ClientTraits()
        traits.wantsPictures = wantsPictures
        guard let agent = try AgentConnection.toRunning(VaultLocation(nil), traits: traits) else {
            throw ClientFailure(.locked, "the vault is locked", hint: "vault unlock")
        }
        return agent
    }

    private static func require(_ outcome: Outcome) throws(ClientFailure) {
        if outcome.code != .ok { throw ClientFailure(outcome) }
    }

    private static func list() throws(ClientFailure) {
        var agent = try connect()
        let (outcome, pages) = try agent.ask(ListNotes())
        try require(outcome)
        for note in pages.flatMap(\.notes) { print(row(note)) }
        if let total = pages.last?.total { print("\(total) notes") }
    }

    private static func show(_ id: String) throws(ClientFailure) {
        var agent = try connect(wantsPictures: true)
        var pictures: [ShownPicture] = []
        let request = ShowNotes(refs: [id], raw: false, withDetails: true)
        let (outcome, notes) = try agent.ask(
            request,
            heard: { event in
                if case .picture(let picture) = event { pictures.append(picture) }
            })
        try require(outcome)
        for shown in notes {
            print(row(shown.note) + "\n\n" + VisibleText.escaped(lines: shown.body))
            for attachment in shown.attachments { print("  \(VisibleText.escaped(attachment.name)), \(attachment.byteCount) bytes") }
        }
        for picture in pictures { print("\n" + VisibleText.escaped(picture.name) + "\n" + drawn(picture, columns: 40)) }
    }

    private static func follow(limit: UInt32) throws(ClientFailure) {
        var agent = try connect()
        let watch = WatchNotes(since: nil, limit: limit)
        try agent.send(watch)
        while true {
            guard let event = try agent.next() else { continue }
            switch event {
            case .reply(let bytes):
                let changes = try agent.reply(bytes, to: watch)
                if changes.notes.isEmpty && changes.gone.isEmpty { print("following") }
                for note in changes.notes { print("changed  " + row(note)) }
                for id in changes.gone { print("deleted  " + id) }
                fflush(nil)
            case .end(let outcome): return try require(outcome)
            case .notice, .progress, .editText, .attachment, .picture, .secret: continue
            }
        }
    }

    private static func row(_ note: NoteRow) -> String {
        let title = note.title.isEmpty ? (note.isLocked ? "Private note" : "(untitled)") : VisibleText.escaped(note.title)
        return note.shortID + "  " + title + note.tags.map { "  #" + VisibleText.escaped($0) }.joined()
    }

    /// Two rows of pixels in one of text: the upper half of a cell has the letter's colour, the lower one its background's.
    private static func drawn(_ picture: ShownPicture, columns: Int) -> String {
        let (width, height) = (Int(picture.width), Int(picture.height))
        let columns = min(columns, width)
        let rows = max(1, height * columns / width / 2)
        func color(_ column: Int, _ row: Int) -> String {
            let at = (min(height - 1, row * height / (rows * 2)) * width + column * width / columns) * 4
            return picture.pixels[at..<(at + 3)].map { String($0) }.joined(separator: ";")
        }
        return (0..<rows).map { row in
            (0..<columns).map { "\u{1B}[38;2;\(color($0, row * 2))m\u{1B}[48;2;\(color($0, row * 2 + 1))m▀" }.joined() + "\u{1B}[0m"
        }.joined(separator: "\n")
    }
}
