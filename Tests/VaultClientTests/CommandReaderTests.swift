// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import AgentClient
import AgentProtocol
import Testing

@testable import VaultClient

/// A line fills the properties of its command, and a mistake is named.
struct CommandReaderTests {
    private func read<C: Command>(_: C.Type, _ line: [String]) throws -> C {
        try #require(ReadLine(line).command as? C)
    }

    @Test func optionsWordsAndGroupsFillTheirProperties() throws {
        let new = try read(
            NewCommand.self,
            [
                "new", "x", "--tag", "a", "-t", "b", "--tag=c", "-b", "work", "--private", "--note-password-fd=4",
                "--yes", "y",
            ])
        var options = NewOptions()
        options.text = ["x", "y"]
        options.tags = ["a", "b", "c"]
        options.notebook = "work"
        options.isPrivate = true
        options.passwords.descriptor = 4
        options.editor.yes = true
        #expect(new.options == options)
    }

    @Test func aPropertyThatNoWordNamesKeepsItsDefault() throws {
        #expect(try read(ListCommand.self, ["ls"]).options == ListOptions())
        #expect(try read(InitCommand.self, ["init", "--no-recovery"]).kdfTargetMilliseconds == 1000)
        #expect(try read(ExportJSONCommand.self, ["export", "json", "-o", "x"]).options.includesHistory)
        #expect(
            try !read(ExportJSONCommand.self, ["export", "json", "-o", "x", "--no-history"]).options.includesHistory)
    }

    @Test func timesAreReadInTheirUnits() throws {
        #expect(try read(InitCommand.self, ["init", "--kdf-target=500ms"]).kdfTargetMilliseconds == 500)
        #expect(try read(UnlockCommand.self, ["unlock", "--idle", "90s", "--max", "8h"]).idle == 90)
    }

    @Test func wordsGoToTheirPlacesInOrder() throws {
        let rename = try read(
            AttachRenameCommand.self, ["attach", "rename", "k7", "--quiet", "a.jpg", "--", "--b.jpg"])
        #expect([rename.id, rename.name, rename.new] == ["k7", "a.jpg", "--b.jpg"])
        #expect(try read(DailyCommand.self, ["daily"]).words.isEmpty)
        #expect(try read(AppendCommand.self, ["append", "k7", "- [ ] call Ada"]).text == ["- [ ] call Ada"])
        #expect(try read(DailyCommand.self, ["daily", "yesterday:", "met", "Ada"]).words.count == 3)
        #expect(try read(TagAddCommand.self, ["tag", "k7", "ls"]).tag == ["ls"])
    }

    @Test(arguments: [["ls", "--help"], ["ls", "-qh"], ["ls", "--version", "--limit", "5"], ["show", "--help"]])
    func helpAndTheVersionNeedNoOtherWord(_ line: [String]) throws { #expect(try ReadLine(line).command == nil) }

    @Test(arguments: [
        (["show"], "missing expected argument '<id> ...'"), (["append"], "missing expected argument '<id>'"),
        (["config", "set", "a"], "missing expected argument '<value>'"),
        (["share", "k7"], "missing expected argument '--to <to>'"),
        (["status", "x"], "unexpected argument 'x'"), (["sync", "now", "a", "b", "c"], "2 unexpected arguments: 'b', 'c'"),
        (["ls", "--limit", "x"], "the value 'x' is invalid for '--limit <limit>'"),
        (["ls", "-n="], "the value '' is invalid for '--limit <limit>'"),
        (
            ["share", "k7", "--to", "x"],
            "the value 'x' is invalid for '--to <to>'. Please provide one of 'clip', 'file', 'email' or 'qr'."
        ),
        (
            ["completion", "sh"],
            "the value 'sh' is invalid for '<shell>'. Please provide one of 'bash', 'zsh' or 'fish'."
        ),
        (
            ["init", "--kdf-target", "3x"],
            "the value '3x' is invalid for '--kdf-target <time>': '3x' is not a time such as 1s or 500ms"
        ),
        (["ls", "--page", "0"], "page numbers start at 1"), (["search"], "nothing to search for"),
        (["tag", "k7"], "missing expected argument '<tag> ...'"),
        (["undo", "-n", "0"], "between 1 and 1,000 commands can be undone at once"),
        (
            ["ls", "--color=red", "--limit=x"],
            "the value 'red' is invalid for '--color <color>'. Please provide one of 'auto', 'always' or 'never'."
        ),
        (["status", "\u{1B}[2J"], "unexpected argument '␛[2J'"),
    ])
    func aMistakeIsNamed(_ line: [String], _ message: String) throws {
        let failure = try #require(throws: ClientFailure.self) { try ReadLine(line) }
        #expect(failure.outcome.code == .usage && failure.outcome.message == message, "\(failure.outcome.message)")
        #expect(failure.outcome.hint.hasPrefix("vault help "))
    }

    @Test(arguments: [
        ["--limit"], ["--limit=-1"], ["--limit", "-1"], ["--limit=4294967296"], ["-nx"], ["-ax"], ["--count=yes"],
        ["-l=yes"], ["-an"],
        ["--json="], ["--vault"], ["--date-style=ISO"], ["--password-fd", "x"], ["--unknown"], ["-x"], ["---"],
        ["--tag", "--long"],
    ])
    func whatIsWrongIsRefused(_ words: [String]) {
        #expect(throws: ClientFailure.self) { try ReadLine(["ls"] + words) }
    }
}
