// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import AgentClient
import AgentProtocol
import Testing

@testable import VaultClient

struct HelpTests {
    @Test func everyCommandShowsItsExamplesAndTheGlobalOptions() throws {
        for node in CommandNode.all where !node.isGroup {
            let text = try HelpRequest.text(node.path, columns: 80)
            #expect(text.hasPrefix(node.spec.abstract), "\(node.line)")
            for part in ["\nUSAGE: \(node.line)", "\nGLOBAL OPTIONS:\n", "  --vault <dir>", "\nEXAMPLES:\n  "] {
                #expect(text.contains(part), "\(node.line): \(part)")
            }
        }
    }

    @Test(arguments: [30, 40, 60, 80, 100])
    func noLineIsWiderThanTheTerminal(_ columns: Int) throws {
        for node in [.root] + CommandNode.all {
            for line in try HelpRequest.text(node.path, columns: columns).split(separator: "\n") {
                // A word that cannot be broken may stand alone, so that it can be copied whole.
                let isOneWord = line.split(separator: " ").filter { $0 != "\\" }.count == 1
                #expect(line.count <= columns || (isOneWord && columns < 60), "\(node.line): \(line)")
            }
        }
    }

    @Test func explanationsGoBelowTheNamesWhenThereIsNoRoomBesideThem() throws {
        let wide = try HelpRequest.text(["search"], columns: 80)
        #expect(wide.contains("\n  --page <page>        Which page, from 1. (default: 1)\n"))
        let narrow = try HelpRequest.text(["search"], columns: 40)
        #expect(narrow.contains("\n  --page <page>\n      Which page, from 1. (default: 1)\n"))
    }

    @Test func aWidthThatIsNoneIsHeldInBounds() throws {
        #expect(try HelpRequest.text(["ls"], columns: 0) == HelpRequest.text(["ls"], columns: 30))
        #expect(try HelpRequest.text(["ls"], columns: .max) == HelpRequest.text(["ls"], columns: 100))
        #expect(try HelpRequest.text(["ls"], columns: .min) == HelpRequest.text(["ls"], columns: 30))
    }

    @Test(arguments: [
        (["nosuch"], "there is no command 'nosuch'", "vault help"),
        (["serach"], "there is no command 'serach'", "vault search"),
        (["trash", "lss"], "there is no command 'trash lss'", "vault trash ls"),
        (["ls", "--nosuch"], "unknown option '--nosuch'", "vault help"),
        (["exit-codes", "x"], "there is no command 'exit-codes'", "vault help"),
        (["\u{1B}[2J"], "there is no command '␛[2J'", "vault help"),
    ])
    func helpForWhatIsNotThereIsAMistake(_ words: [String], _ message: String, _ hint: String) {
        #expect(throws: ClientFailure(.usage, message, hint: hint)) { try HelpRequest.text(words, columns: 80) }
    }

    @Test(arguments: [
        ["help", "ls"], ["help", "--json", "ls"], ["--json", "help", "ls"], ["help", "ls", "--help"],
        ["help", "help", "ls"],
    ])
    func helpIsAskedForInManyWays(_ line: [String]) throws {
        let words = try #require(HelpRequest.words(CommandLineShape(line)))
        #expect(try HelpRequest.text(words, columns: 80) == HelpRequest.text(["ls"], columns: 80))
    }

    @Test func textIsNoRequestForHelp() {
        #expect(HelpRequest.words(CommandLineShape(["new", "help"])) == nil)
        #expect(HelpRequest.words(CommandLineShape(["new", "--", "help"])) == nil)
    }

    @Test func aPageSaysOfEachArgumentWhatTheCommandDeclares() {
        let arguments = CommandPage(MadeCommand(NewCommand.self), ["new"]).arguments
        #expect(arguments.first?.kind == .positional)
        let tag = arguments.first { $0.spellings == ["-t", "--tag"] }
        #expect(tag?.isRepeating == true && tag?.isGlobal == false && tag?.valueName == "tag")
        #expect(arguments.first { $0.spellings == ["--color"] }?.allValues == ["auto", "always", "never"])
        #expect(
            Set(arguments.filter(\.isGlobal).flatMap(\.spellings)).isSuperset(of: ["--vault", "--json", "-h", "--help"])
        )
    }

    @Test func everyCommandIsFoundByItsNamesAndHasThemForItself() {
        for node in CommandNode.all { #expect(CommandLineShape(node.path).names == node.path, "\(node.line)") }
        #expect(Set(CommandNode.all.map(\.line)).count == CommandNode.all.count)
    }

    /// Of two options with one name, the second would never be read.
    @Test func noCommandDeclaresANameOrALetterTwice() {
        for page in CommandPage.all {
            let spellings = page.arguments.flatMap(\.spellings)
            #expect(Set(spellings).count == spellings.count, "\(page.line): \(spellings.sorted())")
        }
    }

    @Test(arguments: [
        ("", [""]), ("a b", ["a b"]), ("one two three", ["one two", "three"]), ("a\n\nb", ["a", "", "b"]),
        ("averylongword x", ["averylongword", "x"]), ("  kept  blanks", ["  kept", "  blanks"]), ("   ", [""]),
    ])
    func proseIsBrokenBetweenWords(_ text: String, _ lines: [String]) {
        #expect(WrappedText.lines(text, columns: 9) == lines)
    }
}
