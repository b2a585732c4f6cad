// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Testing

/// What the program says to a line that it does not understand, and its help, as a person gets them.
struct MannersTests {
    private func vault(_ words: String..., columns: String = "80") throws -> Finished {
        try Command.run([Programs.path("vault")] + words, environment: ["COLUMNS": columns, "HOME": "/nonexistent"])
    }

    @Test func aMistypedCommandIsAnsweredWithTheRightOne() throws {
        let finished = try vault("serach", "milk")
        expectRefusal(finished, 2, says: "there is no command 'serach'")
        #expect(finished.errorLines.last == "vault: hint: vault search")
    }

    @Test func helpForNoCommandIsRefused() throws {
        expectRefusal(try vault("help", "nosuch"), 2, says: "there is no command 'nosuch'")
        let finished = try vault("help", "trash", "lss")
        expectRefusal(finished, 2, says: "there is no command 'trash lss'")
        #expect(finished.errorLines.last == "vault: hint: vault trash ls")
    }

    @Test func aMistypedOptionIsAnsweredWithTheRightOne() throws {
        let finished = try vault("ls", "--lmit", "3")
        expectRefusal(finished, 2, says: "unknown option '--lmit'")
        #expect(finished.errorLines.last == "vault: hint: vault ls --limit")
        #expect(try vault("--jsn", "ls").errorLines.last == "vault: hint: vault --json")
    }

    @Test func aMistakeInJSONHasTheHintInItsObject() throws {
        let object =
            "{\"schema\":1,\"error\":{\"code\":\"usage\",\"exit\":2,\"message\":\"there is no command 'lst'\",\"hint\":\"vault ls\"}}"
        #expect(try vault("lst", "--json").errorLines == [object])
    }

    @Test func helpIsTheSameHoweverItIsAskedFor() throws {
        let help = try vault("help", "new")
        #expect(help.code == 0 && help.err.isEmpty && help.text.contains("\nEXAMPLES:\n  vault new "))
        for line in [["new", "--help"], ["new", "-h"]] {
            let other = try Command.run(
                [Programs.path("vault")] + line, environment: ["COLUMNS": "80", "HOME": "/nonexistent"])
            #expect(other.text == help.text, "\(line)")
        }
        #expect(
            try JSON(vault("--json", "help", "new"))["help"].string.map { $0 + "\n" } == help.text
                || JSON(vault("--json", "help", "new"))["help"].string == help.text)
        #expect(try vault("trash").text == vault("help", "trash").text)
        #expect(try vault("--help").text == vault("help").text)
    }

    @Test func helpFitsIntoFortyColumns() throws {
        for name in ["new", "ls", "unlock", "trash"] {
            let finished = try vault("help", name, columns: "40")
            #expect(finished.code == 0 && finished.lines.allSatisfy { $0.count <= 40 }, "\(finished.text)")
        }
    }

    @Test func theVersionIsNotHelp() throws { #expect(try vault("--version").lines.count == 1) }

    @Test func aCompletionScriptNeedsNoVault() throws {
        for shell in ["bash", "zsh", "fish"] {
            let finished = try vault("completion", shell)
            #expect(finished.code == 0 && finished.err.isEmpty && finished.lines.count > 50, "\(shell)")
        }
        expectRefusal(try vault("completion", "bahs"), 2, says: "'bahs'")
    }
}
