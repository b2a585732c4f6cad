// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Testing

@testable import VaultClient

struct CommandExampleTests {
    @Test func everyCommandHasAnExample() {
        for node in CommandNode.all where !node.isGroup {
            #expect(!node.spec.examples.isEmpty, "\(node.line)")
        }
    }

    @Test func everyExampleIsACommandLineThatIsUnderstood() throws {
        for node in [.root] + CommandNode.all {
            for example in node.spec.examples {
                let arguments = try #require(ShellLine.arguments(example.line), "\(example.line)")
                #expect(throws: Never.self, "\(example.line)") {
                    let read = try ReadLine(arguments)
                    if !node.isGroup {
                        #expect(read.path == node.path || read.path.dropLast() == node.path[...], "\(example.line)")
                    }
                }
            }
        }
    }

    @Test func anExampleIsALineAndASentence() {
        for example in ([.root] + CommandNode.all).flatMap(\.spec.examples) {
            #expect(example.line.utf8.count <= 74, "\(example.line)")
            #expect(example.meaning.hasSuffix(".") && example.meaning.first?.isUppercase == true, "\(example.meaning)")
            #expect(
                ShellLine.broken(example.line, to: 38).joined(separator: " ").replacing(" \\", with: "").split(
                    separator: " ")
                    == example.line.split(separator: " "), "\(example.line)")
        }
    }

    @Test(arguments: [
        ("vault ls", ["ls"]), ("vault new \"a b\" 'c \"d\"'", ["new", "a b", "c \"d\""]),
        ("date | vault append k7 -", ["append", "k7", "-"]),
        ("vault cat k7 > x.txt", ["cat", "k7"]), ("vault  ls ", ["ls"]), ("vault new \"it's\"", ["new", "it's"]),
        ("vault search '\"oat milk\"'", ["search", "\"oat milk\""]),
    ])
    func aLineIsReadAsAShellReadsIt(_ line: String, _ arguments: [String]) {
        #expect(ShellLine.arguments(line) == arguments)
    }

    @Test func aLineWithoutTheProgramHasNoArguments() {
        #expect(ShellLine.arguments("ls -l") == nil)
        #expect(ShellLine.arguments("'") == nil)
    }

    @Test func aLongLineIsBrokenWhereAShellGoesOn() {
        #expect(
            ShellLine.broken("vault new --title \"a b\" text", to: 20) == ["vault new --title \\", "  \"a b\" text"])
        #expect(ShellLine.broken("vault ls", to: 20) == ["vault ls"])
    }
}
