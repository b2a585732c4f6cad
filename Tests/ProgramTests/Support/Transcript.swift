// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Foundation
import Testing

/// A session as a person saw it, kept in a file: `$ command` lines with what each of them shows below. Tests run it
/// again, letter for letter.
///
/// In a `.txt` file `$1` is the first note that was written, and so on; in the output its identifier is `<1>`. Lines
/// that begin with `%` set something: `% columns 40`, `% env NO_COLOR=1`, `% pipe` (no terminal), `% terminal`, `% type
/// TEXT` (typed into the next command), `% input TEXT`.
///
/// A `.md` file is a page of the documentation: its `console` blocks are sessions of a shell in a new home, comments
/// like `<!-- % answer Password: |TEXT -->` set what a person would type, and identifiers look like identifiers.
///
/// `VAULT_TRANSCRIPTS=update` writes the files anew; what changed is then seen in review.
struct Transcript: CustomTestStringConvertible {
    let path: String
    var name: String { String(path.split(separator: "/").last ?? "") }
    var testDescription: String { name }
    private var isPage: Bool { path.hasSuffix(".md") }

    static let all = files("Tests/ProgramTests/Transcripts", ".txt")
    /// Pages of the documentation that show commands.
    static let pages =
        files("docs/guide", ".md")
        + ["README.md", "docs/faq.md", "docs/comparison.md"].map { Transcript(path: root + "/" + $0) }

    private static let root = URL(fileURLWithPath: #filePath).pathComponents.dropLast(4).joined(separator: "/")
        .replacing("//", with: "/")

    private static func files(_ folder: String, _ ending: String) -> [Transcript] {
        let folder = root + "/" + folder
        return ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).filter { $0.hasSuffix(ending) }
            .sorted()
            .map { Transcript(path: folder + "/" + $0) }
    }

    /// Runs all commands and compares.
    func check() throws {
        let expected = try String(contentsOfFile: path, encoding: .utf8)
        let lines = expected.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        let shown = (isPage ? try page(lines) : try session(lines)).joined(separator: "\n")
        if Programs.text(of: "VAULT_TRANSCRIPTS") == "update" {
            try shown.write(toFile: path, atomically: true, encoding: .utf8)
        }
        guard shown != expected else { return }
        let pairs = zip(
            shown.split(separator: "\n", omittingEmptySubsequences: false),
            expected.split(separator: "\n", omittingEmptySubsequences: false))
        let first = pairs.enumerated().first { $0.element.0 != $0.element.1 }
        let place = first.map { "line \($0.offset + 1)" } ?? "the end"
        Issue.record(
            "\(name), \(place): shown \(first?.element.0.debugDescription ?? ""), expected \(first?.element.1.debugDescription ?? "")"
        )
    }

    private func session(_ expected: [String]) throws -> [String] {
        let runner = try TranscriptRunner()
        var lines: [String] = []
        for line in expected {
            if line.hasPrefix("#") || line.hasPrefix("% ") {
                lines.append(line)
                if line.hasPrefix("% ") { try runner.set(String(line.dropFirst(2))) }
            } else if line.hasPrefix("$ ") {
                lines.append(line)
                lines += try runner.run(String(line.dropFirst(2)))
            }
        }
        return lines + [""]
    }

    private func page(_ expected: [String]) throws -> [String] {
        let runner = try TranscriptRunner(isPage: true)
        var lines: [String] = []
        var isInside = false
        for line in expected {
            guard isInside else {
                lines.append(line)
                isInside = line == "```console"
                if let found = line.wholeMatch(of: /<!-- % (.*) -->/) { try runner.set(String(found.output.1)) }
                continue
            }
            if line == "```" { isInside = false }
            if !isInside || line.hasPrefix("$ ") || line.hasPrefix("# ") { lines.append(line) }
            if line.hasPrefix("$ ") { lines += try runner.run(String(line.dropFirst(2))) }
        }
        return lines
    }
}

private final class TranscriptRunner {
    private enum Typed {
        case slowly(String)
        case answer(prompt: String, String)
        /// The recovery key that is shown before the prompt.
        case recovery(prompt: String)
    }

    private let world: VaultWorld
    private let isPage: Bool
    private var columns: UInt16 = 80
    private var isTerminal = true
    private var typed: [Typed] = []
    private var input: [UInt8] = []
    private var notes: [String] = []
    /// Of pages: one for each home.
    private var shells: [String: TerminalSession] = [:]

    init(isPage: Bool = false) throws {
        self.isPage = isPage
        world = try VaultWorld(prepared: !isPage)
        world.environment["TERM"] = "xterm"
        world.environment["NO_COLOR"] = "1"
        if isPage {
            world.environment["NOTEVAULT_DIR"] = nil
            let programs = (Programs.path("vault") as NSString).deletingLastPathComponent
            world.environment["PATH"] = programs + ":/usr/bin:/bin"
        }
        try settle("home")
    }

    /// Has dates told from now: what differs from day to day is left out.
    private func settle(_ home: String) throws {
        try FileManager.default.createDirectory(
            atPath: world.path(home + "/.config/notevault"), withIntermediateDirectories: true)
        try world.write(home + "/.config/notevault/config.toml", "date_style = \"relative\"\n")
    }

    func set(_ line: String) throws {
        let words = line.split(separator: " ", maxSplits: 1).map(String.init)
        switch words[0] {
        case "columns": columns = UInt16(words[1]) ?? 80
        case "pipe": isTerminal = false
        case "terminal": isTerminal = true
        case "type": typed.append(.slowly(unescaped(words[1])))
        case "answer":
            let pair = words[1].split(separator: "|", maxSplits: 1).map(String.init)
            typed.append(.answer(prompt: pair[0], pair.count > 1 ? pair[1] : ""))
        case "recovery": typed.append(.recovery(prompt: words[1]))
        case "input": input = Array(unescaped(words[1]).utf8)
        case "env":
            let pair = words[1].split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            world.environment[pair[0]] = pair[1].isEmpty ? nil : expanded(pair[1])
        case "home":
            // Another device: a home of its own.
            world.environment["HOME"] = world.path(words[1])
            let folders = [("XDG_RUNTIME_DIR", "run"), ("XDG_STATE_HOME", "state")]
            for (name, folder) in folders {
                world.environment[name] = world.path(words[1] == "home" ? folder : words[1] + "-" + folder)
            }
            for name in ["HOME"] + folders.map(\.0)
            where !FileManager.default.fileExists(atPath: world.environment[name]!) {
                try FileManager.default.createDirectory(
                    atPath: world.environment[name]!, withIntermediateDirectories: true,
                    attributes: [.posixPermissions: 0o700])
            }
            try settle(words[1])
        case "run": try world.require(Command.run(shell(words[1]), environment: world.environment, seconds: 60))
        case "open":
            // A page that is not about making a vault has one.
            try world.require(
                world.vault("init", "--kdf-target", "0", "--no-recovery", "--password-file", world.passwordFile))
            try world.unlock()
        default: Issue.record("unknown: \(line)")
        }
    }

    func run(_ line: String) throws -> [String] {
        let line = expanded(line)
        let (text, code) = try isPage ? inShell(line) : alone(line)
        typed = []
        input = []
        if isPage || [" new", " add", " dup", " daily", " template"].contains(where: { line.contains($0) }) { learn() }
        var lines = masked(text).split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        while lines.last == "" { lines.removeLast() }
        return lines.filter { !$0.contains("warning: swap on ") } + (code == 0 ? [] : ["[\(code)]"])
    }

    private func alone(_ line: String) throws -> (String, Int32) {
        let words = Self.split(line)
        precondition(words.first == "vault", "a transcript runs vault")
        let arguments = [Programs.path("vault")] + words.dropFirst()
        return try isTerminal ? onTerminal(arguments) : inPipe(arguments)
    }

    private func shell(_ line: String) -> [String] { ["/bin/bash", "-c", "cd; umask 077; " + line] }

    private func onTerminal(_ arguments: [String]) throws -> (String, Int32) {
        let session = try TerminalSession(arguments, environment: world.environment, columns: columns)
        try type(in: session)
        let code = try session.finish()
        return (session.lastScreen, code)
    }

    /// Runs a line in the shell of this device, which stays: numbers of a list belong to a terminal.
    private func inShell(_ line: String) throws -> (String, Int32) {
        let home = world.environment["HOME"]!
        let prompt = "ready-"
        let session: TerminalSession
        if let known = shells[home] {
            session = known
        } else {
            session = try TerminalSession(
                ["/bin/bash", "--norc", "--noprofile", "--noediting", "-i"],
                environment: world.environment.merging(["PS1": prompt + "$? "]) { $1 }, columns: columns)
            try session.wait(for: prompt)
            try session.type("cd; umask 077\r")
            try session.wait(for: prompt)
            shells[home] = session
        }
        let begin = session.shown.count
        try session.type(line + "\r")
        try session.wait(for: "\n")
        try type(in: session)
        try session.wait(for: prompt, seconds: 60)
        try session.wait(for: " ")
        let text = session.transcript(from: begin)
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        let code = Int32(lines.last?.dropFirst(prompt.count).dropLast() ?? "") ?? -1
        // Without what was typed, and the next prompt.
        let echo = lines.firstIndex { $0.hasSuffix(line.suffix(12)) } ?? 0
        let shown = lines[(echo + 1)..<(lines.count - 1)].joined(separator: "\n")
        // Progress that was there for a moment.
        return (shown.replacing(/\r[^\r\n]*\e\[K/, with: ""), code)
    }

    private func type(in session: TerminalSession) throws {
        for one in typed {
            switch one {
            case .slowly(let text): try session.typeSlowly(text)
            case .answer(let prompt, let text): try session.answer(prompt, text)
            case .recovery(let prompt):
                try session.wait(for: prompt)
                try session.type((TerminalTests.recoveryKey(in: session.transcript) ?? "none") + "\r")
            }
        }
    }

    private func inPipe(_ arguments: [String]) throws -> (String, Int32) {
        let finished = try Command.run(arguments, environment: world.environment, input: input, seconds: 60)
        return (finished.text + finished.err, finished.code)
    }

    /// Notes that are there now and have no number yet.
    private func learn() {
        _ = try? world.agentPID()
        guard
            let all = try? JSON(
                world.vault(
                    "search", "state:live|archived|trashed|template|book", "--json", "--sort", "created", "--reverse"))
        else {
            return
        }
        for note in all["notes"].array { if let id = note["id"].string, !notes.contains(id) { notes.append(id) } }
    }

    private func expanded(_ line: String) -> String {
        guard !isPage else { return line }
        var line = line.replacing("$ROOT", with: world.root)
        for (number, id) in notes.enumerated().reversed() { line = line.replacing("$\(number + 1)", with: id) }
        return line
    }

    /// What stands for identifiers on pages.
    private static let examples = [
        "k3vqx2mh7ta5d4ce", "b7xtnw5jq2rs6ydu", "m2rakc4vz6ehp3gf", "q6nefu3dt5yw7ibx", "t4hsgb6ol2kc3mqz",
        "w5djym7ra4vx6nhe", "c2zupk6fs3qj5tbl", "f6pyhd4wn7ga2rcx", "h3gmvt5xe6lu4sko", "z7bcqr2iy4jd6wpn",
    ]

    private func masked(_ text: String) -> String {
        var text = text
        for (number, id) in notes.enumerated() {
            let example = isPage && number < Self.examples.count ? Self.examples[number] : nil
            text = text.replacing(id, with: example ?? "<\(number + 1)>")
            // Short ones are four characters or a few more.
            for count in stride(from: 8, through: 4, by: -1) {
                text = text.replacing(
                    String(id.prefix(count)), with: example.map { String($0.prefix(4)) } ?? "<\(number + 1)>")
            }
        }
        if isPage { return dated(text) }
        text = text.replacing(world.root, with: "ROOT")
        text = text.replacing(/\b[a-z2-7]{26}\b/, with: "REVISION").replacing(/(@\d+ +)[a-z2-7]{6}\b/) {
            $0.output.1 + "rev"
        }
        .replacing(/[a-z2-7]{6} \u{2192} [a-z2-7]{6}/, with: "rev \u{2192} rev")
        text = text.replacing(/\d{4}-\d\d-\d\dT[\d:.]+Z/, with: "TIME").replacing(
            /edit-[0-9a-f]{32}/, with: "edit-FOLDER")
        return text.replacing(/draft (resume|discard) [a-z2-7]{6}/) { "draft \($0.output.1) DRAFT" }.replacing(
            /(?m)^[a-z2-7]{6}  just now/, with: "DRAFT  just now")
    }

    /// Puts one day, one place and one key where each run has others.
    private func dated(_ text: String) -> String {
        text.replacing(world.environment["HOME"]!, with: "/home/you").replacing(/\e\]8;;[^\e]*\e\\/, with: "")
            .replacing(/(?:[a-z2-7]{4}-){8}[a-z2-7]{4}/, with: "qiim-td2k-q4ig-7wkv-4rpi-l6zi-f3mf-wj4d-2dx4")
            .replacing(/agent pid \d+/, with: "agent pid 4211")
            .replacing(/\d{8}T\d{6}Z-[0-9a-f]{8}/, with: "20261201T090000Z-7ce8a7ab")
            .replacing(/\d{4}-\d\d-\d\d(T[\d:.]+Z)?/) { $0.output.1 == nil ? "2026-12-01" : "2026-12-01T09:00:00Z" }
            .replacing(/in \d+(\.\d+)? (m?)s\b/) { $0.output.1 == nil ? "in 20 ms" : "in 0.1 s" }
            .replacing(/\b[0-9a-f]{32}\b/, with: "acf9aa03010fbcc9948e905c7ab78508")
            .replacing(#/(?m)^[0-9a-f]{8}  /#, with: "10076f24  ")
            .replacing(/Argon2id \d+ MiB, t=\d+, p=\d+/, with: "Argon2id 256 MiB, t=3, p=4")
            .replacing(/device [0-9a-f]{6}: (\d+) [0-9a-f]{6}/) { "device 2e7af3: \($0.output.1) a58802" }
            .replacing(/it has \d+, last seen was \d+/, with: "it has 20, last seen was 21")
            .replacing(/\d+:\d\d [AP]M/, with: "9:00 AM")
            .replacing(/(@\d+ +)[a-z2-7]{6}\b/) { $0.output.1 + "r4vtqa" }
            // Devices are listed by their identifiers, which are drawn.
            .replacing(/(?:  device [^\n]*\n)+/) { devices in
                devices.output.split(separator: "\n").sorted().joined(separator: "\n") + "\n"
            }
    }

    private func unescaped(_ text: String) -> String {
        text.replacing("\\r", with: "\r").replacing("\\e", with: "\u{1B}").replacing("\\n", with: "\n").replacing(
            "\\x18", with: "\u{18}"
        )
        .replacing("\\x0f", with: "\u{0F}").replacing("\\x03", with: "\u{3}").replacing("\\t", with: "\t")
    }

    /// Words with single and double quotes.
    private static func split(_ line: String) -> [String] {
        var words: [String] = []
        var word: String?
        var quote: Character?
        for character in line {
            if let open = quote {
                if character == open { quote = nil } else { word = (word ?? "") + String(character) }
            } else if character == "'" || character == "\"" {
                quote = character
                word = word ?? ""
            } else if character == " " {
                if let done = word { words.append(done) }
                word = nil
            } else {
                word = (word ?? "") + String(character)
            }
        }
        return words + (word.map { [$0] } ?? [])
    }
}

extension TerminalSession {
    /// Types once the program has been quiet for a moment: an editor takes keys only when it has drawn its screen.
    func typeSlowly(_ text: String) throws {
        waitForQuiet(seconds: 0.4)
        try type(text)
    }

    /// What is left when full-screen programs have gone: everything after the last sequence that restores the screen,
    /// without other sequences.
    var lastScreen: String {
        var text = transcript
        if let end = text.range(of: "\u{1B}[?1049l", options: .backwards) {
            // An editor says some last things to the terminal itself.
            text = String(text[end.upperBound...]).replacing(/\e\[[?>]?[0-9;]*[a-zA-Z]|\e[=>]|\r/, with: "")
        }
        return text
    }
}
