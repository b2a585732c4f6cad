// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Testing

@testable import VaultClient

struct ShortFormTests {
    private func expanded(_ words: String..., hasVault: Bool = true) -> [String] {
        ShortForms.expanded(words) { hasVault }
    }

    @Test func lettersNumbersAndNothingStandForCommands() {
        #expect(expanded() == ["ls"])
        #expect(expanded(hasVault: false) == [])
        #expect(expanded("1") == ["show", "1"] && expanded("999", "--raw") == ["show", "999", "--raw"])
        #expect(expanded("-") == ["show", "-"])
        #expect(expanded("n", "e", "a") == ["new", "e", "a"])
        #expect(expanded("s", "milk") == ["search", "milk"] && expanded("d") == ["daily"])
    }

    @Test func whatIsNoShortFormStaysAsItIs() {
        for line in [["0"], ["01"], ["1000"], ["1a"], ["--help"], ["--json", "n"], ["N"], ["nn"], ["new", "1"], [""]] {
            #expect(ShortForms.expanded(line) { true } == line)
        }
    }

    /// A letter that were a command's name would hide it.
    @Test func noLetterIsACommand() {
        let letters = (UInt8(ascii: "a")...UInt8(ascii: "z")).map { String(UnicodeScalar($0)) }
        let known = letters.compactMap { letter in ShortForms.command(for: letter).map { (letter, $0) } }
        #expect(known.count == 6)
        for (letter, command) in known {
            #expect(CommandTree.entry(named: letter) == nil && CommandTree.entry(named: command) != nil)
        }
    }
}
