// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Foundation
import Testing

/// A session as a person saw it, kept in a file: `$ command` lines with what each of them shows below. Tests run it
/// again, letter for letter.
///
/// `$1` is the first note that was written, and so on; in the output its identifier is `<1>`. Lines that begin with `%`
/// set something: `% columns 40`, `% env NO_COLOR=1`, `% pipe` (no terminal), `% terminal`, `% type TEXT` (typed into
/// the next command), `% input TEXT`. `VAULT_TRANSCRIPTS=update` writes the files anew; what changed is then seen in
/// review.
struct Transcript: CustomTestStringConvertible {
    let path: String
    var name: String { String(path.split(separator: "/").last ?? "") }
    var testDescription: String { name }

    static let all: [Transcript] = {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent().appending(
            path: "Transcripts"
        ).path
        return ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).filter { $0.hasSuffix(".txt") }
            .sorted()
            .map { Transcript(path: folder + "/" + $0) }
    }()

    /// Runs all commands and compares.
    func check() throws {
        let expected = try String(contentsOfFile: path, encoding: .utf8)
        let runner = try TranscriptRunner()
        var lines: [String] = []
        for line in expected.split(separator: "\n", omittingEmptySubsequences: false).map(String.init) {
            if line.hasPrefix("#") || line.hasPrefix("% ") {
                lines.append(line)
                if line.hasPrefix("% ") { runner.set(String(line.dropFirst(2))) }
            } else if line.hasPrefix("$ ") {
                lines.append(line)
                lines += try runner.run(String(line.dropFirst(2)))
            }
        }
        let shown = lines.joined(separator: "\n") + "\n"
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
}

private final class TranscriptRunner {
    private let world: VaultWorld
    private var columns: UInt16 = 80
    private var isTerminal = true
    private var typed: [String] = []
    private var input: [UInt8] = []
    private var notes: [String] = []

    init() throws {
        world = try VaultWorld()
        world.environment["TERM"] = "xterm"
        world.environment["NO_COLOR"] = "1"
        try FileManager.default.createDirectory(
            atPath: world.path("home/.config/notevault"), withIntermediateDirectories: true)
        // What differs from day to day is left out.
        try world.write("home/.config/notevault/config.toml", "date_style = \"relative\"\n")
    }

    func set(_ line: String) {
        let words = line.split(separator: " ", maxSplits: 1).map(String.init)
        switch words[0] {
        case "columns": columns = UInt16(words[1]) ?? 80
        case "pipe": isTerminal = false
        case "terminal": isTerminal = true
        case "type": typed.append(unescaped(words[1]))
        case "input": input = Array(unescaped(words[1]).utf8)
        case "env":
            let pair = words[1].split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            world.environment[pair[0]] = pair[1].isEmpty ? nil : expanded(pair[1])
        default: Issue.record("unknown: \(line)")
        }
    }

    func run(_ line: String) throws -> [String] {
        let words = Self.split(expanded(line))
        precondition(words.first == "vault", "a transcript runs vault")
        let (text, code) = try isTerminal ? onTerminal(Array(words.dropFirst())) : inPipe(Array(words.dropFirst()))
        typed = []
        input = []
        if words.contains("new") || words.contains("add") || words.contains("dup") || words.contains("daily")
            || words.contains("template")
        {
            learn()
        }
        var lines = masked(text).split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        while lines.last == "" { lines.removeLast() }
        return lines.filter { !$0.contains("warning: swap on ") } + (code == 0 ? [] : ["[\(code)]"])
    }

    private func onTerminal(_ arguments: [String]) throws -> (String, Int32) {
        let session = try TerminalSession(
            [Programs.path("vault")] + arguments, environment: world.environment, columns: columns)
        for text in typed { try session.typeSlowly(text) }
        let code = try session.finish()
        return (session.lastScreen, code)
    }

    private func inPipe(_ arguments: [String]) throws -> (String, Int32) {
        let finished = try world.vault(arguments, input: input)
        return (finished.text + finished.err, finished.code)
    }

    /// Notes that are there now and have no number yet.
    private func learn() {
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
        var line = line.replacing("$ROOT", with: world.root)
        for (number, id) in notes.enumerated().reversed() { line = line.replacing("$\(number + 1)", with: id) }
        return line
    }

    private func masked(_ text: String) -> String {
        var text = text
        for (number, id) in notes.enumerated() {
            text = text.replacing(id, with: "<\(number + 1)>")
            // Short ones are four characters or a few more.
            for count in stride(from: 8, through: 4, by: -1) {
                text = text.replacing(String(id.prefix(count)), with: "<\(number + 1)>")
            }
        }
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
