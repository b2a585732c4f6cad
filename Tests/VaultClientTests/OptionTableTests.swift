// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import ArgumentParser
import Testing

@testable import VaultClient

/// The tables and ArgumentParser read the same command lines to the same options: there is one truth, held twice.
struct OptionTableTests {
    private static let global = [
        [], ["--json"], ["-q"], ["--vault", "d"], ["--vault=d e", "--no-input"], ["--password-file", "f", "--accept-rollback"],
        ["--password-fd=3"], ["--date-style", "iso"], ["--color=always", "--quiet"],
    ]

    private func read<Options: Equatable, Command: ClientCommand>(
        _ table: OptionTable<Options>, _ empty: Options, _ words: [String], _ argument: (inout Options, String) -> Void,
        _: Command.Type, _ options: (Command) -> Options
    ) throws {
        for more in Self.global {
            let line = words + more
            let read = table.parse(line, into: empty, argument: argument)
            let fast = try #require(read, "\(line)")
            let full = try Command.parse(line)
            #expect(fast.own == options(full), "\(line)")
            #expect(fast.global == full.global.options, "\(line)")
        }
    }

    @Test(arguments: [
        ["text"], ["two", "words"], ["-"], ["--title", "T", "x"], ["x", "--tag", "a", "-t", "b", "--tag=c"],
        ["-b", "work/2026", "x"], ["--", "--tag"], ["x", "--title=a=b"], [""],
    ])
    func newIsReadTheSame(_ words: [String]) throws {
        try #require(words.last != nil)
        // What stands behind `--` would be text, so the global options go before it.
        guard !words.contains("--") else {
            let fast = try #require(OptionTable.new.parse(words, into: NewOptions()) { $0.text.append($1) })
            #expect(fast.own == (try NewArguments.parse(words)).options)
            return
        }
        try read(.new, NewOptions(), words, { $0.text.append($1) }, NewArguments.self) { $0.options }
    }

    @Test(arguments: [
        [], ["--count"], ["-l"], ["--long", "--all"], ["-a"], ["-n", "5"], ["--limit=0"], ["--limit", "4294967295"],
        ["--page", "2"], ["-t", "x"], ["--tag=y", "--notebook", "z"], ["-b", "z"],
    ])
    func listIsReadTheSame(_ words: [String]) throws {
        try read(.list, ListOptions(), words, { _, _ in Issue.record("ls takes no argument") }, ListArguments.self) { $0.options }
    }

    @Test(arguments: [["milk"], ["two", "words"], ["-n", "3", "x"], ["x", "--page=9", "--limit", "1"]])
    func searchIsReadTheSame(_ words: [String]) throws {
        try read(.search, SearchOptions(), words, { $0.words.append($1) }, SearchArguments.self) { $0.options }
    }

    @Test(arguments: [["k7"], ["k7", "x2", "--raw"], ["--raw", "a title"]])
    func showIsReadTheSame(_ words: [String]) throws {
        try read(.show, ShowOptions(), words, { $0.notes.append($1) }, ShowArguments.self) { $0.options }
    }

    @Test func catIsReadTheSame() throws {
        try read(.cat, NotesOptions(), ["k7", "--raw", "b"], { $0.notes.append($1) }, CatArguments.self) { $0.options }
    }

    @Test(arguments: [
        ["--help"], ["-h"], ["--version"], ["--limit"], ["--limit", "x"], ["--limit=-1"], ["--limit", "-1"], ["--page", "0"],
        ["--limit="], ["--limit=4294967296"], ["-nx"], ["-ax"], ["--count=yes"], ["-l=yes"], ["-an"], ["--json="],
        ["--vault"], ["--color", "red"],
        ["--date-style=ISO"], ["--password-fd", "x"], ["--unknown"], ["-x"], ["---"], ["--tag", "--long"],
    ])
    func whatATableDoesNotUnderstandIsLeftToArgumentParser(_ words: [String]) {
        #expect(OptionTable.list.parse(words, into: ListOptions(), argument: { _, _ in }) == nil)
    }

    @Test func everyCommandOfTheFastPathIsACommandOfTheTree() {
        let names = RootCommand.configuration.subcommands.map { $0._commandName }
        for name in ["new", "append", "show", "cat", "ls", "search", "status", "about", "version"] {
            #expect(names.contains(name))
            #expect(
                FastPath.outcome(CommandLineShape([name, "x"])) != nil || ["ls", "status", "about", "version"].contains(name))
        }
        #expect(FastPath.outcome(CommandLineShape(["show"])) == nil)
        #expect(FastPath.outcome(CommandLineShape(["append"])) == nil)
    }
}
