// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import ArgumentParser
import Testing

@testable import VaultClient

struct CommandExampleTests {
    @Test func everyCommandHasAnExample() {
        for node in CommandNode.all where !node.isGroup {
            #expect(!CommandExamples.of(node.path).isEmpty, "\(node.line)")
        }
    }

    /// Examples of commands that the tree does not have are shown nowhere, and cannot be read.
    @Test func everyExampleIsACommandLineThatIsUnderstood() throws {
        for node in [.root] + CommandNode.all {
            for example in CommandExamples.of(node.path) {
                let arguments = try #require(ShellLine.arguments(example.line), "\(example.line)")
                #expect(throws: Never.self, "\(example.line)") {
                    let command = try RootCommand.parseAsRoot(CommandLineShape(arguments).arguments)
                    #expect(command is any ClientCommand, "\(example.line)")
                    if !node.isGroup { #expect(type(of: command) == node.type, "\(example.line)") }
                }
            }
        }
    }

    @Test func noCommandIsDescribedInTwoTables() {
        let tables = [
            CommandExamples.program, CommandExamples.notes, CommandExamples.order, CommandExamples.history, CommandExamples.attachments,
            CommandExamples.keys, CommandExamples.export, CommandExamples.imports,
        ]
        #expect(tables.map(\.count).reduce(0, +) == CommandExamples.table.count)
    }

    @Test func anExampleIsALineAndASentence() {
        for example in CommandExamples.table.values.joined() {
            #expect(example.line.utf8.count <= 74, "\(example.line)")
            #expect(example.meaning.hasSuffix(".") && example.meaning.first?.isUppercase == true, "\(example.meaning)")
            #expect(
                ShellLine.broken(example.line, to: 38).joined(separator: " ").replacing(" \\", with: "").split(separator: " ")
                    == example.line.split(separator: " "), "\(example.line)")
        }
    }

    @Test(arguments: [
        ("vault ls", ["ls"]), ("vault new \"a b\" 'c \"d\"'", ["new", "a b", "c \"d\""]), ("date | vault append k7 -", ["append", "k7", "-"]),
        ("vault cat k7 > x.txt", ["cat", "k7"]), ("vault  ls ", ["ls"]), ("vault new \"it's\"", ["new", "it's"]),
        ("vault search '\"oat milk\"'", ["search", "\"oat milk\""]),
    ])
    func aLineIsReadAsAShellReadsIt(_ line: String, _ arguments: [String]) { #expect(ShellLine.arguments(line) == arguments) }

    @Test func aLineWithoutTheProgramHasNoArguments() {
        #expect(ShellLine.arguments("ls -l") == nil)
        #expect(ShellLine.arguments("'") == nil)
    }

    @Test func aLongLineIsBrokenWhereAShellGoesOn() {
        #expect(ShellLine.broken("vault new --title \"a b\" text", to: 20) == ["vault new --title \\", "  \"a b\" text"])
        #expect(ShellLine.broken("vault ls", to: 20) == ["vault ls"])
    }
}
