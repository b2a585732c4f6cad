// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import AgentClient
import AgentProtocol
import Glibc
import NoteNetwork
import SecretMemory

/// A front end of its own: it unlocks and locks the vault, lists notes, shows one with its pictures, follows changes,
/// imports, and brings notes to other devices and theirs here.
///
/// It never sees a key: an agent holds the vault open, and this program asks it. It parses no file: vault-parse does.
/// Both programs are looked for beside this one.
@main
struct Notes {
    static func main() async {
        do throws(ClientFailure) {
            let words = Array(CommandLine.arguments.dropFirst())
            switch words.first ?? "list" {
            case "unlock": try unlock()
            case "lock": try lock()
            case "list": try list()
            case "show" where words.count == 2: try show(words[1])
            case "follow": try follow(limit: words.count == 2 ? UInt32(words[1]) ?? 0 : 0)
            case "import" where words.count == 2: try importNotes(words[1])
            case "upload" where words.count == 2: try await upload(words[1])
            case "refresh": try await refresh()
            default:
                throw .usage(
                    "notes unlock < PASSWORD, notes lock, notes list, notes show ID, notes follow [COUNT], notes import PATH, notes upload ID, or notes refresh"
                )
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

    /// The password comes through standard input; nothing else has it, and this program has it in locked memory alone.
    private static func unlock() throws(ClientFailure) {
        let opening = VaultOpening(try VaultLocation(nil))
        _ = try AgentConnection.unlocking(opening, traits: ClientTraits()) { _ throws(ClientFailure) in
            do throws(PasswordReader.Failure) {
                return Credential(password: try PasswordReader.read(descriptor: 0))
            } catch { throw .usage("no password can be read from standard input") }
        }
        print("unlocked")
    }

    private static func lock() throws(ClientFailure) {
        let found = try VaultLocking().lock(VaultLocation(nil))
        print(found == .nobody ? "already locked" : "locked")
    }

    /// What the source is, is found out.
    private static func importNotes(_ path: String) throws(ClientFailure) {
        let source = try ImportSource(path) { file throws(ClientFailure) in throw .usage("\(file.name) is encrypted") }
        let detection = try ImportDetection(source)
        let format = try detection.format()
        try detection.check(format)
        var agent = try connect()
        var feed = ImportFeed(format, .machine) { news throws(ClientFailure) in
            if case .leftOut(let part) = news { print("left out  \(VisibleText.escaped(part.path)): \(part.sentence)") }
        }
        let (ending, result) = try feed.run(source, over: &agent)
        guard ending == .complete else { throw ClientFailure(.other, "the source could not be read to its end") }
        print("\(result.created) created, \(result.updated) updated, \(result.unchanged) unchanged")
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
            for attachment in shown.attachments {
                print("  \(VisibleText.escaped(attachment.name)), \(attachment.byteCount) bytes")
            }
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

    private static func upload(_ note: String) async throws(ClientFailure) {
        try await AgentNetwork(VaultLocation(nil)).upload(note)
        print("uploaded")
    }

    private static func refresh() async throws(ClientFailure) {
        let changes = try await AgentNetwork(VaultLocation(nil)).refresh()
        for note in changes.notes { print("changed  " + row(note)) }
        for id in changes.gone { print("deleted  " + id) }
        print("\(changes.notes.count) changed")
    }

    private static func row(_ note: NoteRow) -> String {
        let title =
            note.title.isEmpty ? (note.isLocked ? "Private note" : "(untitled)") : VisibleText.escaped(note.title)
        return note.shortID + "  " + title + note.tags.map { "  #" + VisibleText.escaped($0) }.joined()
    }

    /// Two rows of pixels in one of text: the upper half of a cell has the letter's colour, the lower one its
    /// background's.
    private static func drawn(_ picture: ShownPicture, columns: Int) -> String {
        let (width, height) = (Int(picture.width), Int(picture.height))
        let columns = min(columns, width)
        let rows = max(1, height * columns / width / 2)
        func color(_ column: Int, _ row: Int) -> String {
            let at = (min(height - 1, row * height / (rows * 2)) * width + column * width / columns) * 4
            return picture.pixels[at..<(at + 3)].map { String($0) }.joined(separator: ";")
        }
        return (0..<rows).map { row in
            (0..<columns).map { "\u{1B}[38;2;\(color($0, row * 2))m\u{1B}[48;2;\(color($0, row * 2 + 1))m▀" }.joined()
                + "\u{1B}[0m"
        }.joined(separator: "\n")
    }
}
