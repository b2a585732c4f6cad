// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Testing

@testable import VaultClient

struct EditorWordsTests {
    @Test(
        arguments: [
            ("vim", ["vim"]), ("  code   --wait\t", ["code", "--wait"]),
            ("vim -c 'set tw=72'", ["vim", "-c", "set tw=72"]),
            (#""/my programs/vi" x"#, ["/my programs/vi", "x"]), (#"/my\ programs/vi"#, ["/my programs/vi"]),
            ("a'b'\"c\"d", ["abcd"]),
            ("'' x", ["", "x"]), (#"'a\b'"#, [#"a\b"#]), (#""a\"b\\c\d""#, [#"a"b\c\d"#]), (#"a\'b"#, ["a'b"]),
            ("", []), (" \n ", []),
            ("é'ü\u{301}'", ["éü\u{301}"]),
        ] as [(String, [String])])
    func wordsAreParted(_ text: String, _ words: [String]) { #expect(CommandWords.split(text) == words) }

    @Test(arguments: ["'", "vim \"a", "vim \\", "a'b\"c'\""])
    func whatIsNotClosedIsNoCommand(_ text: String) { #expect(CommandWords.split(text) == nil) }

    @Test(arguments: ["$(id)", "`id`", "a;b", "a|b", "a&&b", "$HOME", "~/x", "*", ">f", "a\u{0}b", "{a,b}", "!x", "#x"])
    func E10nothingIsALetterOfAShell(_ word: String) { #expect(CommandWords.split("vim " + word) == ["vim", word]) }

    @Test func aLongCommandTakesNoQuadraticTime() {
        let long = String(repeating: "a", count: 1 << 20)
        #expect(CommandWords.split(long + " '" + long + "'")?.map(\.utf8.count) == [1 << 20, 1 << 20])
    }
}
