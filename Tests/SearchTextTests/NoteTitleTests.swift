// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import Testing
import TextReading

@testable internal import SearchText

struct NoteTitleTests {
    @Test(arguments: [
        ("First\nsecond", "First"), ("\n  \n\tIndented \r\nmore", "Indented"), ("# Heading", "Heading"),
        ("###### Six", "Six"),
        ("####### Seven", "####### Seven"), ("#tag", "#tag"), ("# ", "#"), ("##\nnext", "##"), ("#\n\nnext", "#"),
        ("a \t b", "a b"), ("", ""),
        (" \n ", ""),
        ("line\u{2028}other", "line"),
    ])
    func theFirstLineThatIsNotBlankIsTheTitle(body: String, expected: String) {
        #expect(NoteTitle.display(title: nil, body: body) == expected)
    }

    @Test func aTitleThatWasSetCounts() {
        #expect(NoteTitle.display(title: " Set\ntitle ", body: "First") == "Set title")
        #expect(NoteTitle.display(title: "# kept", body: "First") == "# kept")
        #expect(NoteTitle.display(title: " \n", body: "First") == "First")
    }

    @Test func titlesAreCapped() {
        #expect(NoteTitle.display(title: nil, body: String(repeating: "é", count: 500)).count == 200)
        #expect(NoteTitle.display(title: String(repeating: "👨‍👩‍👧", count: 500), body: "").utf8.count <= 4096)
    }

    @Test(arguments: [
        ("Title\nrest\n", "rest\n"), ("Title\n\n\n  code\nx", "  code\nx"), ("\n\nTitle\r\n\r\nrest", "rest"),
        ("Title", ""), ("Title\n \n", ""),
        ("", ""),
    ])
    func theRestFollowsTheTitleLine(body: String, expected: String) {
        #expect(String(NoteTitle.rest(title: nil, of: body)) == expected)
    }

    @Test func theRestIsTheWholeBodyWhenATitleWasSet() {
        #expect(NoteTitle.rest(title: "Set", of: "\nbody\n") == "\nbody\n")
    }
}
