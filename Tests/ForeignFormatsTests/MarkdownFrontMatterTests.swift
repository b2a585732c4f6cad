// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import ForeignFormats
import ParserProtocol
import Testing

struct MarkdownFrontMatterTests {
    @Test func titleTagsAndDatesAreTakenAndLeaveNothingBehind() throws {
        let note = try parse(
            """
            ---
            title: "Über #1: alles"
            tags: [eins, 'Zwei', "#drei/vier"]
            created: 2024-01-31
            updated: 2024-02-01T10:00:00+01:00
            ---

            # Kopf
            Text
            """)
        #expect(note.title == "Über #1: alles")
        #expect(note.tags == ["eins", "Zwei", "drei/vier"])
        #expect(note.created == 1_706_659_200_000 && note.updated == 1_706_778_000_000)
        #expect(note.body == "# Kopf\nText" && note.losses.isEmpty)
    }

    @Test(arguments: [
        ("tags: a, b c, #d", ["a", "b c", "d"]), ("tags: a b  #c", ["a", "b", "c"]), ("tags: a # not b", ["a"]),
        ("tags: # none", []),
        ("tags: a #b c", ["a"]), ("tags: 'a #b c'", ["a", "b", "c"]),
        ("tags: #a #b", ["a", "b"]), ("tags:\n  - #a\n  - #b", ["a", "b"]),
        ("tags:\n- a\n- two words\n-", ["a", "two words"]),
        ("tags: 2024", ["2024"]), ("tags:", []), ("tags: []", []), ("tags: ~", []), ("Tags: [x, X, y]", ["x", "y"]),
        ("keywords: a,b\ntags: [b, c]", ["a", "b", "c"]), ("tag: ü", ["ü"]),
        ("tags: [yes, 1.0, null, '']", ["yes", "1.0"]),
    ])
    func tagsComeInManyForms(yaml: String, tags: [String]) throws {
        #expect(try parse("---\n\(yaml)\n---\nx").tags == tags)
    }

    @Test func whatIsNotUnderstoodStaysInItsOwnWordsAndIsNamed() throws {
        let note = try parse(
            "---\ncssclass: wide\ntitle: T\naliases:\n  - Other\n  - \"Third\"\n'odd key': {a: [1, 2]}\ntags: [x]\n---\nBody\n"
        )
        #expect(note.title == "T" && note.tags == ["x"])
        #expect(
            note.body == "---\ncssclass: wide\naliases:\n  - Other\n  - \"Third\"\n'odd key': {a: [1, 2]}\n---\nBody\n")
        #expect(
            note.losses == [
                Loss(.unknownFrontMatterKey, detail: "cssclass"), Loss(.aliasesKept), Loss(.unknownFrontMatterKey),
            ])
    }

    @Test func aKeyIsNamedOnlyIfItIsAShortName() throws {
        for key in ["my secret words", "größe", String(repeating: "k", count: 33), "\"\\e[31m\"", "12"] {
            #expect(try parse("---\n\(key): v\n---\n").losses == [Loss(.unknownFrontMatterKey)])
        }
    }

    @Test(arguments: [
        "---\nx: 1\n---\n\n## Head *line*\ntext", "---\nx: 1\n---\n", "# Head\ntext",
        "---\ntags: [a]\n---\n# Head\ntext", "", "text",
    ])
    func aNoteIsCalledWhatItsFileIsCalled(text: String) throws {
        #expect(try parse(text, path: "b/My note 1.2.md").title == "My note 1.2")
        #expect(try parse(text, path: "b/My note.txt").title == "My note")
        #expect(try parse("---\ntitle: Said\n---\n" + text, path: "b/My note.md").title == "Said")
    }

    @Test func withoutAFilesNameTheFirstLineCounts() throws {
        #expect(try parse("---\nx: 1\n---\n# Head\ntext", path: "b/.md").title == "Head")
        #expect(try parse("# Head\ntext", path: "b/.md").title == nil)
    }

    @Test func aFilesNameThatIsNoTextIsMendedAndTold() throws {
        let file = try ForeignFile(path: [0x61, 0xFF] + Array(".md".utf8), modified: 0, content: Array("x".utf8))
        #expect(MarkdownNote.parse(file).title == "a\u{FFFD}" && codes(MarkdownNote.parse(file)) == [.pathNotUTF8])
        let note = try parse("x", path: "a\u{1B}[31m.md")
        #expect(note.title == "a [31m" && codes(note) == [.controlCharactersInTitle])
    }

    @Test func aSecondTitleAndASecondDateAreNotLost() throws {
        let note = try parse("---\ntitle: A\nTitle: B\ndate: 2020-01-01\ncreated: 2024-01-31\n---\nx")
        #expect(note.title == "A" && note.created == 1_706_659_200_000)
        #expect(note.body == "---\nTitle: B\ndate: 2020-01-01\n---\nx")
        let same = try parse("---\ndate: 2024-01-31\ncreated: 2024-01-31T00:00:00Z\n---\nx")
        #expect(same.body == "x" && same.losses.isEmpty)
    }

    @Test func commentsStay() throws {
        let note = try parse("---\n# first\ntitle: A # why\ntags: [a] \n---\nx")
        #expect(note.title == "A" && codes(note) == [.frontMatterComment])
        #expect(note.body == "---\n# first\ntitle: A # why\n---\nx")
    }

    @Test func aTitleIsOneCleanLine() throws {
        let note = try parse("---\ntitle: \"a\\e[31m\\nb\"\n---\nx")
        #expect(note.title == "a [31m b" && codes(note) == [.controlCharactersInTitle])
        #expect(try parse("---\ntitle: >\n  folded\n  line\n---\nx").title == "folded line")
        for empty in ["", "~", "null", "''", "\" \""] {
            #expect(try parse("---\ntitle: \(empty)\n---\nx").title == "note")
        }
        #expect(try parse("---\ntitle: 'null'\n---\nx").title == "null")
        #expect(codes(try parse("---\ntitle: [a]\n---\nx")) == [.unreadableTitle])
    }

    @Test func aTitleAboveTheCapIsCutAndKept() throws {
        let long = String(repeating: "ü", count: 3000)
        let note = try parse("---\ntitle: \(long)\n---\nx")
        #expect(note.title == String(repeating: "ü", count: 2048) && codes(note) == [.titleTooLong])
        #expect(note.body == "---\ntitle: \(long)\n---\nx")
    }

    @Test func tagsAboveTheCapsStayInTheText() throws {
        let many = (0..<300).map { "t\($0)" }.joined(separator: ", ")
        let note = try parse("---\ntags: [\(many)]\n---\nx")
        #expect(note.tags.count == 256 && codes(note) == [.tooManyTags] && note.body.contains("t299"))
        let long = try parse("---\ntags: [a, \(String(repeating: "ü", count: 101))]\n---\n#b")
        #expect(long.tags == ["a", "b"] && codes(long) == [.tagTooLong] && long.body.contains("üüü"))
        #expect(try parse("---\ntags: [\(String(repeating: "ü", count: 100))]\n---\n").tags.count == 1)
        #expect(codes(try parse("---\ntags: {a: b}\n---\n")) == [.unreadableTags])
        #expect(codes(try parse("---\ntags: [[a]]\n---\n")) == [.unreadableTags])
        #expect(codes(try parse("---\ntags: [\"a\\eb\"]\n---\n")) == [.unreadableTags])
    }

    @Test(arguments: [
        "---\ntitle: T\n", "---", "--- \n", "----\ntitle: T\n---\n", " ---\ntitle: T\n---\n", "\n---\na: b\n---\n",
    ])
    func withoutItsFencesItIsText(text: String) throws {
        let note = try parse(text)
        #expect(note.body == text && note.title == "note" && note.losses.isEmpty)
    }

    @Test func theFencesMayEndInBlanksOrDots() throws {
        for text in ["--- \ntitle: T\n---\t\nx", "---\ntitle: T\n...\nx"] {
            let note = try parse(text)
            #expect(note.title == "T" && note.body == "x")
        }
        #expect(try parse("---\n---\nx").body == "x")
        #expect(try parse("---\ntitle: T\n---").body == "")
    }

    @Test func whereKeysShareALineAllOfItStays() throws {
        let note = try parse("---\n{title: T, own: 1}\n---\nx")
        #expect(note.title == "T" && note.body == "---\n{title: T, own: 1}\n---\nx")
        #expect(try parse("---\n{title: T, tags: [a]}\n---\nx").body == "x")
    }

    @Test func everyLossIsToldOnceAndTheListIsCapped() throws {
        let yaml = (0..<500).map { "key\($0): v" }.joined(separator: "\n")
        let note = try parse("---\n\(yaml)\n---\nx")
        #expect(note.losses.count == ParsedNote.lossCountMax && note.losses.last?.code == .moreLosses)
        #expect(note.body.contains("key499: v") && isWithinCaps(note))
    }
}
