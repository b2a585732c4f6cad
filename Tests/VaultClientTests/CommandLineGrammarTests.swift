// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import AgentClient
import AgentProtocol
import ArgumentParser
import Testing

@testable import VaultClient

/// One grammar: however a line is spelled, the fast tables and ArgumentParser read the same from it, and what was meant; a line that is wrong is
/// refused by both. The lines are generated from what is meant, so that neither reading is the other's judge.
struct CommandLineGrammarTests {
    /// A command of the fast path.
    struct Subject {
        let name: String
        let options: [Option]
        let takesTerms: Bool
        let leastWords: Int
        /// What the table reads; nil when it leaves the line to the full parser.
        let fast: ([String]) -> String?
        /// What ArgumentParser reads of a line that has one meaning.
        let full: ([String]) throws -> String
        let page: CommandPage
    }

    struct Option {
        let name: String
        let letter: Character?
        /// Empty for a flag.
        var values: [String] = []
        var wrong: [String] = []
    }

    private static let global: [Option] = [
        Option(name: "vault", letter: nil, values: ["d", "a b", "x=y", "-"]), Option(name: "json", letter: nil),
        Option(name: "password-fd", letter: nil, values: ["3", "07"], wrong: ["x", "", "3x"]), Option(name: "no-input", letter: nil),
        Option(name: "quiet", letter: "q"), Option(name: "color", letter: nil, values: ["auto", "never"], wrong: ["red", ""]),
        Option(name: "date-style", letter: nil, values: ["iso"], wrong: ["ISO"]), Option(name: "accept-rollback", letter: nil),
        Option(name: "key-file", letter: nil, values: ["k", "-x", ""]), Option(name: "password-file", letter: nil, values: ["p"]),
    ]
    private static let rows: [Option] = [
        Option(name: "limit", letter: "n", values: ["5", "0", "4294967295", "007"], wrong: ["x", "-1", "4294967296", "", "5 "]),
        Option(name: "page", letter: nil, values: ["1", "9"], wrong: ["-1", "p"]),
        Option(name: "sort", letter: nil, values: ["title", "size"], wrong: ["Title", ""]), Option(name: "reverse", letter: "r"),
        Option(name: "since", letter: nil, values: ["7d", "2026-01-01", ""]), Option(name: "all", letter: "a"),
    ]

    private static func subject<Options: Equatable, Command: ClientCommand>(
        _ name: String, _ own: [Option], _ table: OptionTable<Options>, _ empty: Options, least: Int = 0, terms: Bool = false,
        _ argument: @escaping (inout Options, String) -> Void, _: Command.Type, _ options: @escaping (Command) -> Options
    ) -> Subject {
        let page = CommandPage(CommandNode(path: [name], type: Command.self))
        return Subject(
            name: name, options: own + global, takesTerms: terms, leastWords: least,
            fast: { line in
                guard FastPath.outcome(CommandLineShape([name] + line)) != nil else { return nil }
                return table.parse(line, into: empty, takesTerms: terms, argument: argument).map { "\($0.own) \($0.global)" }
            },
            full: { line in
                let command = try Command.parse(line)
                return "\(options(command)) \(command.global.options)"
            }, page: page)
    }

    private static func subjects() -> [Subject] {
        [
            subject(
                "ls",
                rows + [
                    Option(name: "count", letter: nil), Option(name: "long", letter: "l"), Option(name: "archived", letter: nil),
                    Option(name: "tag", letter: "t", values: ["red", "", "-x", "=a"]),
                    Option(name: "notebook", letter: "b", values: ["work/2026", "b"]),
                ], .list, ListOptions(), terms: true, { $0.filter.append($1) }, ListArguments.self, { $0.options }),
            subject(
                "search", rows + [Option(name: "regex", letter: nil, values: ["a.c", "-x", "a=b"])], .search, SearchOptions(), least: 1, terms: true,
                { $0.words.append($1) }, SearchArguments.self, { $0.options }),
            subject(
                "new",
                [
                    Option(name: "title", letter: nil, values: ["T", "a=b", ""]), Option(name: "tag", letter: "t", values: ["red", "blue"]),
                    Option(name: "notebook", letter: "b", values: ["work"]), Option(name: "template", letter: nil, values: ["m"]),
                    Option(name: "private", letter: nil), Option(name: "show-title", letter: nil),
                    Option(name: "attach", letter: nil, values: ["f", "-"]),
                    Option(name: "note-password-fd", letter: nil, values: ["4"], wrong: ["x"]), Option(name: "yes", letter: nil),
                ], .new, NewOptions(), { $0.text.append($1) }, NewArguments.self, { $0.options }),
            subject(
                "show", [Option(name: "raw", letter: nil), Option(name: "images", letter: nil, values: ["none"], wrong: ["x"])], .show, ShowOptions(),
                least: 1,
                { $0.notes.append($1) }, ShowArguments.self, { $0.options }),
            subject(
                "cat", [Option(name: "raw", letter: nil)], .cat, NotesOptions(), least: 1, { $0.notes.append($1) }, CatArguments.self, { $0.options }),
            subject(
                "append", [], .bare, NotesOptions(), least: 1, { $0.notes.append($1) }, AppendArguments.self,
                { NotesOptions(notes: [$0.options.note] + $0.options.text) }),
        ]
    }

    /// A line as it is typed, and what it means; nil when it means nothing.
    struct Line {
        var typed: [String] = []
        var options: [String] = []
        var words: [String] = []
        var isWrong = false
    }

    /// In parts, which run beside each other: ArgumentParser looks at the command's whole definition for each line.
    @Test(arguments: 0..<4) func tenThousandLinesAreReadAsTheyWereMeantByBoth(_ part: UInt64) throws {
        var random = SeededLines(state: part)
        var (wrong, right) = (0, 0)
        let subjects = Self.subjects()
        for number in 0..<2500 {
            let subject = subjects[number % subjects.count]
            let line = Self.line(of: subject, &random)
            let fast = subject.fast(line.typed)
            let read = Result { () throws(ClientFailure) in try FullParser.read(CommandLineShape([subject.name] + line.typed), subject.page) }
            if line.isWrong {
                wrong += 1
                #expect(fast == nil, "\(subject.name) \(line.typed)")
                #expect(throws: (any Error).self, "\(subject.name) \(line.typed)") { try subject.full(FullParser.arguments(read.get())) }
                continue
            }
            right += 1
            // What is meant, in the one form that leaves nothing to read.
            let meant = line.options + (line.words.isEmpty ? [] : ["--"] + line.words)
            #expect(try FullParser.arguments(read.get()) == meant, "\(subject.name) \(line.typed)")
            #expect(try fast == subject.full(meant), "\(subject.name) \(line.typed)")
        }
        #expect(wrong > 400 && right > 1500, "\(wrong) \(right)")
    }

    @Test(arguments: [
        (["ls", "-al"], ["ls", "--all", "--long"]), (["ls", "-n5"], ["ls", "--limit=5"]), (["ls", "-n=5"], ["ls", "--limit=5"]),
        (["ls", "-aln", "5"], ["ls", "--all", "--long", "--limit=5"]),
        (["search", "salami", "-an", "5"], ["search", "--all", "--limit=5", "--", "salami"]),
        (["search", "milk", "-coffee"], ["search", "--", "milk", "-coffee"]), (["ls", "-tag:work"], ["ls", "--", "-tag:work"]),
        (["ls", "-tred"], ["ls", "--tag=red"]), (["-q", "ls", "--", "-al"], ["ls", "--quiet", "--", "-al"]),
    ])
    func formsHaveOneMeaning(_ typed: [String], _ meaning: [String]) throws {
        let shape = CommandLineShape(typed)
        let node = try #require(CommandNode.root.child(named: shape.names[0]))
        #expect(try shape.names + FullParser.arguments(FullParser.read(shape, CommandPage(node))) == meaning)
        #expect(FastPath.outcome(shape) != nil)
    }

    /// A negated word is never taken for options, nor options for one, without a word.
    @Test(arguments: [
        ["search", "milk", "-butter"], ["ls", "-milk"], ["search", "-x", "y"], ["ls", "-tag", "red"], ["new", "-zz"], ["ls", "--lim", "5"],
    ])
    func whatCouldBeEitherIsRefused(_ typed: [String]) throws {
        let shape = CommandLineShape(typed)
        let node = try #require(CommandNode.root.child(named: shape.names[0]))
        #expect(FastPath.outcome(shape) == nil)
        let failure = try #require(throws: ClientFailure.self) { try FullParser.read(shape, CommandPage(node)) }
        #expect(failure.outcome.code == .usage && failure.outcome.message.contains("unknown option"))
    }
}

// MARK: - The generator

extension CommandLineGrammarTests {
    private static func line(of subject: Subject, _ random: inout SeededLines) -> Line {
        var line = Line()
        var pieces: [[String]] = []
        for _ in 0..<Int.random(in: 0...4, using: &random) {
            if Int.random(in: 0..<5, using: &random) == 0 {
                pieces.append(cluster(subject, &line, &random))
            } else {
                let option = subject.options.randomElement(using: &random)!
                pieces.append(spelled(option, &line, &random))
            }
        }
        if Int.random(in: 0..<4, using: &random) == 0 { pieces.append(mistake(subject, &line, &random)) }
        // Options keep their order: of two that say different things the last one counts.
        for _ in 0..<(subject.leastWords + Int.random(in: 0...2, using: &random)) {
            let place = Int.random(in: 0...pieces.count, using: &random)
            pieces.insert([word(subject, &random)], at: place)
        }
        line.words = pieces.filter { $0.count == 1 && isWord($0[0], subject) }.map { $0[0] }
        line.typed = pieces.flatMap { $0 }
        if Bool.random(using: &random) {
            let rest = (0..<Int.random(in: 0...2, using: &random)).map { _ in
                ["-x", "--tag", "--", "-al", "plain", "-", ""].randomElement(using: &random)!
            }
            line.typed += ["--"] + rest
            line.words += rest
        }
        return line
    }

    private static let plain = ["milk", "two words", "", "-", "päck", "k7", "a=b", "@1", "日本", "x-y"]
    private static let terms = ["-coffee", "-tag:work", "-Ünï", "-\"two words\"", "-title:a", "-created:>2026", "-2026", "-coffee2"]

    private static func word(_ subject: Subject, _ random: inout SeededLines) -> String {
        subject.takesTerms && Int.random(in: 0..<3, using: &random) == 0 ? terms.randomElement(using: &random)! : plain.randomElement(using: &random)!
    }

    private static func isWord(_ text: String, _ subject: Subject) -> Bool { plain.contains(text) || (subject.takesTerms && terms.contains(text)) }

    /// One option in one of its forms.
    private static func spelled(_ option: Option, _ line: inout Line, _ random: inout SeededLines) -> [String] {
        guard !option.values.isEmpty else {
            line.options.append("--" + option.name)
            guard let letter = option.letter, Bool.random(using: &random) else { return ["--" + option.name] }
            return ["-\(letter)"]
        }
        let value = option.values.randomElement(using: &random)!
        line.options += value.isEmpty ? ["--" + option.name, ""] : ["--\(option.name)=\(value)"]
        return valued(option, value, &random)
    }

    private static func valued(_ option: Option, _ value: String, _ random: inout SeededLines) -> [String] {
        let mayStandApart = !value.hasPrefix("-") || value == "-"
        guard let letter = option.letter, Bool.random(using: &random) else {
            return mayStandApart && Bool.random(using: &random) ? ["--" + option.name, value] : ["--\(option.name)=\(value)"]
        }
        let mayBeAttached = !value.isEmpty && !value.hasPrefix("=")
        switch Int.random(in: 0..<3, using: &random) {
        case 0 where mayStandApart: return ["-\(letter)", value]
        case 1 where mayBeAttached: return ["-\(letter)\(value)"]
        default: return ["-\(letter)=\(value)"]
        }
    }

    /// Flags in one word, perhaps with an option that takes a value at its end.
    private static func cluster(_ subject: Subject, _ line: inout Line, _ random: inout SeededLines) -> [String] {
        let flags = subject.options.filter { $0.values.isEmpty && $0.letter != nil }
        let chosen = (0..<Int.random(in: 1...3, using: &random)).map { _ in flags.randomElement(using: &random)! }
        line.options += chosen.map { "--" + $0.name }
        let letters = chosen.map { String($0.letter!) }.joined()
        let last = subject.options.filter { !$0.values.isEmpty && $0.letter != nil }.randomElement(using: &random)
        guard let last, let letter = last.letter, Bool.random(using: &random) else { return ["-" + letters] }
        let value = last.values.first { !$0.isEmpty && !$0.hasPrefix("-") && !$0.hasPrefix("=") } ?? "x"
        line.options.append("--\(last.name)=\(value)")
        return [["-\(letters)\(letter)\(value)"], ["-\(letters)\(letter)=\(value)"], ["-\(letters)\(letter)", value]].randomElement(using: &random)!
    }

    /// What no reading may take.
    private static func mistake(_ subject: Subject, _ line: inout Line, _ random: inout SeededLines) -> [String] {
        line.isWrong = true
        let valued = subject.options.filter { !$0.wrong.isEmpty }.randomElement(using: &random)!
        let flag = subject.options.filter { $0.values.isEmpty }.randomElement(using: &random)!
        switch Int.random(in: 0..<7, using: &random) {
        case 0: return ["--nosuch"]
        case 1: return ["--" + flag.name.dropLast()]
        case 2: return ["-qz"]
        case 3: return ["--\(flag.name)=yes"]
        case 4: return ["--" + valued.name, "--json"]
        case 5: return ["-z"]
        default:
            let value = valued.wrong.randomElement(using: &random)!
            return value.isEmpty ? ["--\(valued.name)="] : ["--\(valued.name)=\(value)"]
        }
    }

    /// The same lines in each run.
    struct SeededLines: RandomNumberGenerator {
        var state: UInt64
        mutating func next() -> UInt64 {
            state &+= 0x9E37_79B9_7F4A_7C15
            var mixed = state
            mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
            mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
            return mixed ^ (mixed >> 31)
        }
    }
}
