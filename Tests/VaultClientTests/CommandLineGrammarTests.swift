// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import AgentClient
import AgentProtocol
import Testing
import VaultTesting

@testable import VaultClient

/// One grammar: however a line is spelled, what was meant is read from it; a line that is wrong is refused. The lines
/// are generated from what is meant, and each property is named here a second time, so that the reader is not its own
/// judge.
struct CommandLineGrammarTests {
    /// A command, and what its properties hold after a line was read, by the names of its options.
    struct Subject {
        let name: String
        let options: [Option]
        let takesTerms: Bool
        let leastWords: Int
        /// Before a line was read.
        let defaults: [String: String]
        let read: ([String]) throws -> [String: String]
    }

    struct Option {
        let name: String
        let letter: Character?
        /// Empty for a flag.
        var values: [String] = []
        var wrong: [String] = []
        /// Whether all values count, and not the last one only.
        var repeats = false
    }

    private static let none = "(none)"

    private static var global: [(Option, (GlobalOptions) -> String)] {
        [
            (Option(name: "vault", letter: nil, values: ["d", "a b", "x=y", "-"]), { $0.vault ?? none }),
            (Option(name: "json", letter: nil), { "\($0.json)" }),
            (
                Option(name: "password-fd", letter: nil, values: ["3", "07"], wrong: ["x", "", "3x"]),
                { $0.passwordDescriptor.map(String.init) ?? none }
            ),
            (Option(name: "no-input", letter: nil), { "\($0.noInput)" }),
            (Option(name: "quiet", letter: "q"), { "\($0.quiet)" }),
            (
                Option(name: "color", letter: nil, values: ["auto", "never"], wrong: ["red", ""]),
                { $0.color?.rawValue ?? none }
            ),
            (
                Option(name: "date-style", letter: nil, values: ["iso"], wrong: ["ISO"]),
                { $0.dateStyle?.rawValue ?? none }
            ),
            (Option(name: "accept-rollback", letter: nil), { "\($0.acceptRollback)" }),
            (Option(name: "accept-loss", letter: nil), { "\($0.acceptLoss)" }),
            (Option(name: "key-file", letter: nil, values: ["k", "-x", ""]), { $0.keyFile ?? none }),
            (Option(name: "password-file", letter: nil, values: ["p"]), { $0.passwordFile ?? none }),
        ]
    }

    private static let limit = Option(
        name: "limit", letter: "n", values: ["5", "0", "4294967295", "007"], wrong: ["x", "-1", "4294967296", "", "5 "])
    private static let page = Option(name: "page", letter: nil, values: ["1", "9"], wrong: ["-1", "p", "0"])
    private static let sort = Option(name: "sort", letter: nil, values: ["title", "size"], wrong: ["Title", ""])
    private static let reverse = Option(name: "reverse", letter: "r")
    private static let since = Option(name: "since", letter: nil, values: ["7d", "2026-01-01", ""])
    private static let all = Option(name: "all", letter: "a")

    private static func subject<C: Command>(
        _: C.Type, least: Int = 0, terms: Bool = false, _ own: [(Option, (C) -> String)],
        words: @escaping (C) -> [String]
    ) -> Subject {
        let values = { (command: C, options: GlobalOptions) -> [String: String] in
            var values = ["": joined(words(command))]
            for (option, value) in own { values[option.name] = value(command) }
            for (option, value) in global { values[option.name] = value(options) }
            return values
        }
        return Subject(
            name: C.name, options: own.map(\.0) + global.map(\.0), takesTerms: terms, leastWords: least,
            defaults: values(C(), GlobalOptions()),
            read: { line in
                let read = try ReadLine([C.name] + line)
                return values(try #require(read.command as? C), read.global)
            })
    }

    private static func joined(_ words: [String]) -> String { words.map { "<\($0)>" }.joined() }

    private static func subjects() -> [Subject] {
        [
            subject(
                ListCommand.self, terms: true,
                [
                    (limit, { $0.options.limit.map { "\($0)" } ?? "20" }), (page, { "\($0.options.page)" }),
                    (sort, { $0.options.sort?.rawValue ?? none }),
                    (reverse, { "\($0.options.reverse)" }), (since, { $0.options.since ?? none }),
                    (all, { "\($0.options.all)" }),
                    (Option(name: "count", letter: nil), { "\($0.options.count)" }),
                    (Option(name: "long", letter: "l"), { "\($0.options.long)" }),
                    (Option(name: "archived", letter: nil), { "\($0.options.archived)" }),
                    (Option(name: "tag", letter: "t", values: ["red", "", "-x", "=a"]), { $0.options.tag ?? none }),
                    (
                        Option(name: "notebook", letter: "b", values: ["work/2026", "b"]),
                        { $0.options.notebook ?? none }
                    ),
                ], words: { $0.options.filter }),
            subject(
                SearchCommand.self, least: 1, terms: true,
                [
                    (limit, { $0.limit.map { "\($0)" } ?? "20" }), (page, { "\($0.page)" }),
                    (sort, { $0.sort?.rawValue ?? none }),
                    (reverse, { "\($0.reverse)" }),
                    (since, { $0.since ?? none }), (all, { "\($0.all)" }),
                    (Option(name: "regex", letter: nil, values: ["a.c", "-x", "a=b"]), { $0.regex ?? none }),
                ], words: { $0.query }),
            subject(
                NewCommand.self,
                [
                    (Option(name: "title", letter: nil, values: ["T", "a=b", ""]), { $0.options.title ?? none }),
                    (
                        Option(name: "tag", letter: "t", values: ["red", "blue"], repeats: true),
                        { joined($0.options.tags) }
                    ),
                    (Option(name: "notebook", letter: "b", values: ["work"]), { $0.options.notebook ?? none }),
                    (Option(name: "template", letter: nil, values: ["m"]), { $0.options.template ?? none }),
                    (Option(name: "private", letter: nil), { "\($0.options.isPrivate)" }),
                    (Option(name: "show-title", letter: nil), { "\($0.options.showsTitle)" }),
                    (
                        Option(name: "attach", letter: nil, values: ["f", "-"], repeats: true),
                        { joined($0.options.attach) }
                    ),
                    (
                        Option(name: "note-password-fd", letter: nil, values: ["4"], wrong: ["x"]),
                        { $0.options.passwords.descriptor.map(String.init) ?? none }
                    ),
                    (Option(name: "yes", letter: nil), { "\($0.options.editor.yes)" }),
                ], words: { $0.options.text }),
            subject(
                ShowCommand.self, least: 1,
                [
                    (Option(name: "raw", letter: nil), { "\($0.raw)" }),
                    (
                        Option(name: "images", letter: nil, values: ["none"], wrong: ["x"]),
                        { $0.images?.rawValue ?? none }
                    ),
                ], words: { $0.id }),
            subject(CatCommand.self, least: 1, [(Option(name: "raw", letter: nil), { "\($0.raw)" })], words: { $0.id }),
            subject(AppendCommand.self, least: 1, [], words: { [$0.id] + $0.text }),
        ]
    }

    /// A line as it is typed, and what it means; nothing when it is wrong.
    struct Line {
        var typed: [String] = []
        var given: [(option: String, value: String)] = []
        var words: [String] = []
        var isWrong = false

        /// The properties that were meant.
        func meaning(of subject: Subject) -> [String: String] {
            var meaning = subject.defaults
            meaning[""] = joined(words)
            for option in subject.options {
                let values = given.filter { $0.option == option.name }.map(\.value)
                guard let last = values.last else { continue }
                let isNumber = !option.values.isEmpty && option.values.allSatisfy { UInt64($0) != nil }
                meaning[option.name] = option.repeats ? joined(values) : isNumber ? UInt64(last).map(String.init) : last
            }
            return meaning
        }
    }

    /// In parts, which run beside each other.
    @Test(arguments: 0..<4) func tenThousandLinesAreReadAsTheyWereMeant(_ part: UInt64) throws {
        var random = SeededGenerator(part)
        var (wrong, right) = (0, 0)
        let subjects = Self.subjects()
        for number in 0..<2500 {
            let subject = subjects[number % subjects.count]
            let line = Self.line(of: subject, &random)
            if line.isWrong {
                wrong += 1
                #expect(throws: ClientFailure.self, "\(subject.name) \(line.typed)") { try subject.read(line.typed) }
                continue
            }
            right += 1
            #expect(try subject.read(line.typed) == line.meaning(of: subject), "\(subject.name) \(line.typed)")
        }
        #expect(wrong > 400 && right > 1500, "\(wrong) \(right)")
    }

    @Test(arguments: [
        (["ls", "-al"], ["all": "true", "long": "true"]), (["ls", "-n5"], ["limit": "5"]),
        (["ls", "-n=5"], ["limit": "5"]),
        (["ls", "-aln", "5"], ["all": "true", "long": "true", "limit": "5"]),
        (["search", "salami", "-an", "5"], ["all": "true", "limit": "5", "": "<salami>"]),
        (["search", "milk", "-coffee"], ["": "<milk><-coffee>"]), (["ls", "-tag:work"], ["": "<-tag:work>"]),
        (["ls", "-tred"], ["tag": "red"]),
        (["ls", "-q", "--", "-al"], ["quiet": "true", "": "<-al>"]),
    ])
    func formsHaveOneMeaning(_ typed: [String], _ meaning: [String: String]) throws {
        let subject = try #require(Self.subjects().first { $0.name == typed[0] })
        #expect(try subject.read(Array(typed.dropFirst())) == subject.defaults.merging(meaning) { $1 })
    }

    /// A negated word is never taken for options, nor options for one, without a word.
    @Test(arguments: [
        ["search", "milk", "-butter"], ["ls", "-milk"], ["search", "-x", "y"], ["ls", "-tag", "red"], ["new", "-zz"],
        ["ls", "--lim", "5"],
    ])
    func whatCouldBeEitherIsRefused(_ typed: [String]) throws {
        let failure = try #require(throws: ClientFailure.self) { try ReadLine(typed) }
        #expect(failure.outcome.code == .usage && failure.outcome.message.contains("unknown option"))
    }
}
