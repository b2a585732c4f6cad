// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import AgentProtocol
import Foundation
import Glibc
import Testing

/// What a command says when its agent dies in the middle of it: one that only reads never says that a change may be
/// lost, and one that changes something never says that nothing was changed.
@Suite struct AgentDeathTests {
    enum Ending {
        case reads, writesElsewhere, upkeep, changes, readsAfterChange
        /// It starts an agent of its own, or ends one.
        case ownAgent
        /// It asks no agent.
        case local

        var code: Int32 { self == .changes ? 9 : 1 }
        var words: String {
            switch self {
            case .reads: "before it answered; nothing was changed"
            case .writesElsewhere: "nothing in the vault was changed, and what was being written is incomplete"
            case .upkeep: "before it answered; no note was changed"
            case .changes: "the change may not have been saved"
            case .readsAfterChange: "what was saved before that is safe"
            case .ownAgent, .local: ""
            }
        }
    }

    struct Death {
        let ending: Ending
        let arguments: [String]
        /// What the agent still answers, before it dies of the next request.
        var answered: [any ReplyValue] = []
        var onTerminal = false

        init(_ ending: Ending, _ arguments: [String] = [], answered: [any ReplyValue] = [], onTerminal: Bool = false) {
            self.ending = ending
            self.arguments = arguments
            self.answered = answered
            self.onTerminal = onTerminal
        }
    }

    private static var made: ChangedNotes {
        var note = NoteRow()
        note.id = "abcdefghijklmnop"
        return ChangedNotes([note])
    }

    @Test func everyCommandSaysWhatADyingAgentMayHaveDone() throws {
        let world = try VaultWorld()
        let socket = try #require(world.socket)
        try world.require(world.vault("lock"))
        try world.write("file.txt", "some bytes")
        try world.makeFolder("notes")
        try world.makeFolder("backup")
        try world.write("notes/one.md", "# One\n")
        try world.write(
            "drawing.svg", "<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'><path d='M1 1L8 8'/></svg>")
        world.environment["EDITOR"] = "/bin/true"
        world.environment["TERM"] = "xterm"
        let agent = try DyingAgent(at: socket)
        defer { agent.end() }
        let deaths = Self.deaths(world)
        for name in try Self.commands(world) {
            for death in try #require(
                deaths[name], "'vault \(name)' is not in the table: say what a dying agent may have done")
            {
                if [.ownAgent, .local].contains(death.ending) { continue }
                try check(death, name, agent, world)
            }
        }
    }

    private func check(_ death: Death, _ name: String, _ agent: DyingAgent, _ world: VaultWorld) throws {
        let line = name.split(separator: " ").map(String.init) + death.arguments
        agent.answerNext(death.answered)
        let said: (code: Int32, text: String)
        if death.onTerminal {
            let session = try TerminalSession([Programs.path("vault")] + line, environment: world.environment)
            said = (try session.finish(), session.transcript)
        } else {
            let finished = try world.vault(line, seconds: 20)
            said = (finished.code, finished.err)
        }
        #expect(agent.requestCount == death.answered.count + 1, "\(line): \(said.text)")
        #expect(said.code == death.ending.code, "\(line): \(said.text)")
        #expect(said.text.contains("vault: error: the agent ended before it answered"), "\(line): \(said.text)")
        #expect(said.text.contains(death.ending.words), "\(line): \(said.text)")
        #expect(said.text.contains("nothing was changed") == (death.ending == .reads), "\(line): \(said.text)")
    }

    /// All commands, as the program itself tells them.
    static func commands(_ world: VaultWorld) throws -> [String] {
        let dump = try JSON(text: world.require(world.vault("--experimental-dump-help")).text)
        func names(_ command: JSON, _ above: [String]) -> [String] {
            let path = above + [command["commandName"].string ?? ""]
            let below = command["subcommands"].array
            return below.isEmpty ? [path.joined(separator: " ")] : below.flatMap { names($0, path) }
        }
        let all = dump["command"]["subcommands"].array.flatMap { names($0, []) }
        #expect(all.count > 90)
        return all
    }

    /// By the command's name. The test fails for a command that is not here.
    private static func deaths(_ world: VaultWorld) -> [String: [Death]] {
        reading(world).merging(changing(world)) { $0 + $1 }.merging(others(world)) { $0 + $1 }
    }

    private static func reading(_ world: VaultWorld) -> [String: [Death]] {
        let secret = ["--note-password-file", world.passwordFile]
        return [
            "status": [Death(.reads)], "show": [Death(.reads, ["k7"])], "cat": [Death(.reads, ["k7"])],
            "ls": [Death(.reads), Death(.reads, ["--count"])], "search": [Death(.reads, ["milk"])],
            "watch": [Death(.reads)],
            "tag ls": [Death(.reads)],
            "notebook ls": [Death(.reads)], "template ls": [Death(.reads)], "trash ls": [Death(.reads)],
            "history": [Death(.reads, ["k7"])],
            "diff": [Death(.reads, ["k7"])], "links": [Death(.reads, ["k7"]), Death(.reads, ["k7", "--open", "1"])],
            "backlinks": [Death(.reads, ["k7"])], "draft ls": [Death(.reads)], "draft show": [Death(.reads, ["k7"])],
            "attach ls": [Death(.reads, ["k7"])], "sketch ls": [Death(.reads, ["k7"])], "key ls": [Death(.reads)],
            "key verify": [Death(.reads, ["--password-file", world.passwordFile])],
            "attach open": [Death(.reads, ["k7", "1"])],
            "note unlock": [Death(.reads, ["k7"] + secret)],
            "note lock": [Death(.reads, ["k7"]), Death(.reads, ["k7"], answered: [NoteSecrecy(.unlocked)])],
            "share": [Death(.reads, ["k7", "--to", "file", "-o", world.path("shared.txt")])],
            "gc": [Death(.reads, ["--dry-run"])], "adopt": [Death(.reads, [world.path("backup"), "--dry-run"])],
            "rotate": [Death(.reads, ["--dry-run"]), Death(.upkeep, ["--resume"])],
            "check": [Death(.upkeep), Death(.upkeep, ["--rebuild-index"])],
            "repair": [Death(.upkeep)],
            "remote ls": [Death(.reads)], "remote test": [Death(.reads)], "sync status": [Death(.reads)],
            "sync now": [Death(.upkeep)], "sync compare": [Death(.reads)], "sync log": [Death(.reads)],
            "todo": [Death(.reads)], "copy": [Death(.reads, ["k7", "--osc52"])],
            "sync unattended": [Death(.reads, ["keyring", "--password-file", world.passwordFile])],
            "sync verify": [Death(.reads)], "sync repair": [Death(.writesElsewhere)],
            "sync pause": [Death(.upkeep)], "sync resume": [Death(.upkeep)],
            "device ls": [Death(.reads)], "device rename": [Death(.upkeep, ["desk"])],
            "device retire": [Death(.upkeep, ["desk", "--yes"])], "device pair": [Death(.upkeep)],
            "device revoke": [Death(.reads, ["desk", "--yes"])],
            "remote login": [Death(.reads, ["nas"])],
            "remote set": [Death(.upkeep, ["nas", "--name", "home"])],
            "sync follow": [Death(.changes, ["--password-file", world.passwordFile])],
            "conflict ls": [Death(.reads)], "conflict show": [Death(.reads, ["k7"])],
            "remote add": [Death(.upkeep, ["folder", world.path("backup")])], "remote rm": [Death(.upkeep, ["nas"])],
            "backup verify": [Death(.reads, [world.path("backup")])],
            "backup drill": [Death(.reads, [world.path("backup")])],
            "book ls": [Death(.reads)], "book show": [Death(.reads, ["Dune"])], "book notes": [Death(.reads, ["Dune"])],
            "book stats": [Death(.reads)], "book search": [Death(.reads, ["dune"])],
            "book key": [Death(.reads, ["--show"]), Death(.upkeep, ["--remove"])],
            "book cover": [Death(.reads, ["Dune", "-o", world.path("cover.jpg")])],
            "book export": [Death(.reads, [world.path("books.csv")])],
        ]
    }

    private static func changing(_ world: VaultWorld) -> [String: [Death]] {
        let file = world.path("file.txt")
        let secret = ["--note-password-file", world.passwordFile]
        let lines: [String: [String]] = [
            "new": ["text"], "capture": ["https://example.org"], "append": ["k7", "text"], "prepend": ["k7", "text"],
            "done": ["k7", "1"], "generate": ["title"], "replace": ["k7", "text"],
            "rm": ["k7"], "restore": ["k7"],
            "trash empty": ["--yes"],
            "title": ["k7", "x"], "tag add": ["k7", "x"], "untag": ["k7", "x"], "date": ["k7", "today"], "mv": ["k7", "work"], "pin": ["k7"],
            "unpin": ["k7"],
            "archive": ["k7"], "unarchive": ["k7"], "dup": ["k7"], "merge": ["k7", "p3"], "tag rename": ["a", "b"],
            "tag merge": ["a", "b"],
            "notebook mv": ["a", "b"], "notebook rm": ["a"], "template rm": ["a"], "revert": ["k7", "@1"], "undo": [],
            "redo": [],
            "draft discard": ["k7"],
            "draft save": ["k7"],
            "attach rm": ["k7", "1"], "attach rename": ["k7", "1", "b"], "attach caption": ["k7", "1", "b"],
            "note remove-password": ["k7"] + secret,
            "note passwd": ["k7", "--new-password-file", world.passwordFile] + secret,
            "gc": ["--yes"], "adopt": [world.path("backup")],
            "book add": ["--manual", "Dune"], "book start": ["Dune"], "book finish": ["Dune"],
            "book archive": ["Dune"], "book rm": ["Dune"], "book log": ["Dune", "--page", "5"],
            "book chapter": ["add", "Dune", "1. Sand"], "book put": ["Dune", "k7"],
            "book edit": ["Dune", "--rating", "4"],
        ]
        var all = lines.mapValues { [Death(.changes, $0)] }
        // The note is there before its file is asked for.
        all["new"]!.append(Death(.readsAfterChange, ["--attach", file], answered: [Self.made]))
        // What is only put is no attachment yet.
        for (name, source) in [("attach add", file), ("sketch import", world.path("drawing.svg"))] {
            all[name] = [Death(.reads, ["k7", source]), Death(.changes, ["k7", source], answered: [NoReply()])]
        }
        all["note lock"] = [Death(.changes, ["k7"] + secret, answered: [NoteSecrecy(.ordinary)])]
        return all
    }

    private static func others(_ world: VaultWorld) -> [String: [Death]] {
        let notes = world.path("notes")
        let dryRun = Death(.reads, [notes, "--dry-run"], answered: [NoReply(), NoReply()])
        var all: [String: [Death]] = [
            "attach get": [
                Death(.reads, ["k7", "1", "-o", world.path("got")]), Death(.writesElsewhere, ["k7", "1", "-o", "-"]),
            ],
            "sketch export": [Death(.reads, ["k7", "1", "-o", world.path("drawn.svg")])],
            "backup create": [Death(.writesElsewhere, [world.path("backup")])],
            "backup prune": [Death(.writesElsewhere, [world.path("backup"), "--keep-last", "1"])],
            "export vault": [
                Death(
                    .reads,
                    ["-o", world.path("all.vault"), "--new-password-file", world.passwordFile, "--kdf-target", "0"])
            ],
            "edit": [Death(.reads, ["k7", "--yes", "--allow-unknown-editor"], onTerminal: true)],
            "template edit": [Death(.reads, ["a", "--yes", "--allow-unknown-editor"], onTerminal: true)],
            "draft resume": [Death(.reads, ["k7", "--yes", "--allow-unknown-editor"], onTerminal: true)],
            "daily": [Death(.reads, ["--yes", "--allow-unknown-editor"], onTerminal: true)],
            "merge": [Death(.changes, ["k7", "--yes", "--allow-unknown-editor"], onTerminal: true)],
            "conflict resolve": [
                Death(.changes, ["k7", "--both"]), Death(.changes, ["k7", "--keep", "@1"]),
                Death(.changes, ["k7", "--merge", "--yes", "--allow-unknown-editor"], onTerminal: true),
            ],
            "import markdown": [
                Death(.reads, [notes]), Death(.changes, [notes], answered: [NoReply()]),
                Death(.reads, [notes, "--dry-run"], answered: [NoReply()]),
                dryRun,
            ],
            "import obsidian": [Death(.reads, [notes])],
            "import auto": [Death(.reads, [notes])],
        ]
        for format in ["markdown", "json", "html", "jex", "text"] {
            all["export " + format] = [Death(.writesElsewhere, ["--plaintext", "-o", world.path("out." + format)])]
        }
        // They are as `import markdown` from here on; each wants a source of its own kind.
        for format in [
            "joplin", "standardnotes", "jrnl", "pass", "enex", "json", "goodreads", "storygraph", "calibre", "kindle",
        ] {
            all["import " + format] = [Death(.local)]
        }
        for name in ["init", "unlock", "lock", "passwd", "backup restore", "backup mend", "salvage", "clone"] {
            all[name] = [Death(.ownAgent)]
        }
        for name in [
            "web", "open", "tui", "backup ls", "config get", "config set", "config unset", "config ls", "config path",
            "config edit",
        ] {
            all[name] = [Death(.local)]
        }
        all["sketch new"] = [Death(.reads, ["k7"])]
        for name in ["doctor", "completion", "about", "version", "help", "attach record"] {
            all[name] = [Death(.local)]
        }
        for name in ["key add", "key rm", "recovery new", "recovery test", "recovery use", "recovery print"] {
            all[name] = [Death(.ownAgent)]
        }
        return all
    }
}
