// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import ForeignFormats
import ParserProtocol
import Testing

/// Names, links and files of a folder of Markdown, for both of its formats.
struct MarkdownFolderImportTests {
    private static let formats: [ImportFormat] = [.markdown, .obsidian]

    private func imported(_ format: ImportFormat, _ files: [(String, String)]) -> Imported {
        let result = Imported(format, MemorySource(files))
        #expect(result.isWellFormed && result.summary?.isComplete == true)
        return result
    }

    @Test(arguments: formats)
    func everyWayToNameANoteLeadsToIt(format: ImportFormat) throws {
        let other = "sub/Other note.md"
        let files = [
            (other, "---\naliases: [Second name, \"Third, name\"]\n---\nx"), ("up.md", "# A heading of its own\n"),
            (
                "sub/n.md",
                """
                [[Other note]] [[other NOTE]] [[sub/Other note]] [[Other note.md]] [[Other note|words]] [[Second name]] [[Third, name|w]]
                [x](Other%20note.md) [y](<Other note.md>) [z](../sub/Other%20note.md) [u](../up.md) [[up]] [v](./Other%20note.md)
                """
            ),
        ]
        let note = try #require(imported(format, files).note("sub/n.md"))
        #expect(
            note.body == """
                [[Other note]] [[other NOTE]] [[Other note|sub/Other note]] [[Other note|Other note.md]] [[Other note|words]] \
                [[Other note|Second name]] [[Other note|w]]
                [[Other note|x]] [[Other note|y]] [[Other note|z]] [[up|u]] [[up]] [[Other note|v]]
                """)
        #expect(note.losses.isEmpty && Set(note.links.map(\.sourceKey)) == [other, "up.md"])
    }

    /// As nb writes them: the file's name is a time, and links name the heading. Obsidian would not follow them.
    @Test func aLinkByAHeadingLeadsToTheNoteThatBeginsWithIt() throws {
        let files = [
            ("20200101.md", "# First thoughts\nx"), ("20200102.todo.md", "\n# [ ] A task\n"),
            ("Named.md", "# First thoughts on names\n"),
            ("n.md", "[[First thoughts]] [[A task]] [[first THOUGHTS|w]] [[x]]"),
        ]
        let note = try #require(imported(.markdown, files).note("n.md"))
        #expect(note.body == "[[20200101|First thoughts]] [[20200102.todo|A task]] [[20200101|w]] [[x]]")
        #expect(
            Set(note.links.map(\.sourceKey)) == ["20200101.md", "20200102.todo.md"] && codes(note) == [.linkUnresolved])
        let other = try #require(imported(.obsidian, files).note("n.md"))
        #expect(other.body == files[3].1 && other.links.isEmpty)
    }

    @Test(arguments: formats)
    func aHeadingIsKeptInTheWordsOrCounted(format: ImportFormat) throws {
        let files = [
            ("A.md", "x"), ("n.md", "[[A#Part]] [[#Here]] [[A#^b1]]"), ("m.md", "[[A#Part|w]]"),
            ("o.md", "[t](A.md#part)"), ("C# x.md", "[[C# x]]"),
        ]
        let result = imported(format, files)
        let note = try #require(result.note("n.md"))
        #expect(note.body == "[[A|A > Part]] [[#Here]] [[A|A > ^b1]]" && codes(note) == [.linkPartKept])
        #expect(result.note("m.md")?.body == "[[A|w]]" && result.note("m.md").map(codes) == [.linkPartLost])
        #expect(result.note("o.md")?.body == "[[A|t]]" && result.note("o.md").map(codes) == [.linkPartLost])
        #expect(result.note("C# x.md")?.body == "[[C# x]]" && result.note("C# x.md")?.losses == [])
    }

    @Test(arguments: formats)
    func wordsOfALinkAreNeverCut(format: ImportFormat) throws {
        let long = String(repeating: "long words ", count: 60)
        let files = [
            ("A.md", "x"), ("p.png", "PNG"),
            ("n.md", "[a [b] c](A.md) [a | b](A.md) [\(long)](A.md) [![i](p.png)](A.md) [two\nlines](A.md) [](A.md)"),
            ("t.md", "[x](A.md \"pointer\")"),
        ]
        let result = imported(format, files)
        #expect(
            result.note("n.md")?.body
                == "a [b] c [[A]] a | b [[A]] \(long) [[A]] ![i](att:p.png) [[A]] [[A|two lines]] [[A]]"
                && result.note("n.md")?.losses == [])
        #expect(result.note("t.md").map(codes) == [.linkTitleLost])
    }

    @Test(arguments: formats)
    func aTitleOfItsOwnIsWhatLinksByTheFilesNameSay(format: ImportFormat) throws {
        let files = [("2024-01.md", "---\ntitle: January\n---\n"), ("n.md", "[[2024-01]] [[January]] [j](2024-01.md)")]
        let result = imported(format, files)
        #expect(result.note("2024-01.md")?.title == "January")
        #expect(
            result.note("n.md")?.body == "[[January|2024-01]] [[January]] [[January|j]]"
                && result.note("n.md")?.losses == [])
    }

    @Test(arguments: formats)
    func whereTwoNotesHaveATitleTheLinkSaysWhich(format: ImportFormat) throws {
        let files = [
            ("a/Same.md", "1"), ("b/Same.md", "2"), ("b/n.md", "[[Same]] [x](Same.md) [y](../a/Same.md)"),
            ("n.md", "[[Same]]"),
        ]
        let result = imported(format, files)
        #expect(
            result.note("b/n.md")?.body == "[[b/Same.md|Same]] [[b/Same.md|x]] [[a/Same.md|y]]"
                && result.note("b/n.md")?.losses == [])
        #expect(result.note("b/n.md")?.links.allSatisfy(\.isPlaceholder) == true)
        #expect(result.note("n.md")?.body == "[[a/Same.md|Same]]" && result.note("n.md").map(codes) == [.ambiguousLink])
    }

    @Test(arguments: formats)
    func whatLeadsNowhereStandsAsItWas(format: ImportFormat) throws {
        let text =
            "[[gone]] [[v1.2]] [x](gone.md) [y](../../out.md) [w](https://a.example/b.md) [m](mailto:a@b.example) [h](#here) `[[gone]]`"
        let note = try #require(imported(format, [("n.md", text), ("m.md", "")]).note("n.md"))
        #expect(note.body == text && codes(note) == [.linkUnresolved] && note.losses.allSatisfy { $0.code.isKept })
    }

    @Test func onlyObsidianTakesAFileOfThatNameFromElsewhere() throws {
        let files = [("deep/README.md", "x"), ("n.md", "[r](README.md)")]
        #expect(imported(.markdown, files).note("n.md")?.body == "[r](README.md)")
        #expect(imported(.obsidian, files).note("n.md")?.body == "[[README|r]]")
    }

    @Test(arguments: formats)
    func sizesOfPicturesStay(format: ImportFormat) throws {
        let text =
            "![[img.png|300]] ![[img.png|30x20]] |![[img.png\\|9]]| ![[img.png|words]] [[img.png|w]] ![s|40](attachments/img.png)"
        let files = [("attachments/img.png", "PNG"), ("n.md", text)]
        let note = try #require(imported(format, files).note("n.md"))
        #expect(
            note.body
                == "![img.png|300](att:img.png) ![img.png|30x20](att:img.png) |![img.png\\|9](att:img.png)| ![words](att:img.png) [w](att:img.png)"
                + " ![s|40](att:img.png)")
        #expect(note.losses.isEmpty && note.attachments.map(\.key) == ["attachments/img.png"])
    }

    @Test(arguments: formats)
    func theFolderBesideANoteIsItsOwn(format: ImportFormat) throws {
        let files = [
            ("X.md", "![a](X.files/a.png)"), ("X.files/a.png", "A"), ("X.files/readme.md", "[[X]]"),
            ("X.files/log.txt", "T"),
            ("X.files/deep/readme.md", "other"), ("X.files/k.md.gpg", "G"), ("Alone.files/n.md", "a note"),
            ("b/X.files/n.md", "a note too"),
        ]
        let result = imported(format, files)
        let note = try #require(result.note("X.md"))
        #expect(note.attachments.map(\.name) == ["a.png", "readme.md", "log.txt", "readme 2.md", "k.md.gpg"])
        #expect(
            note.attachments.map { result.attachments[$0.key]?.count } == [1, 5, 1, 5, 1]
                && note.body == "![a](att:a.png)")
        #expect(
            Set(result.notes.map(\.sourceKey)) == ["X.md", "Alone.files/n.md", "b/X.files/n.md"]
                && result.refused.isEmpty)
        #expect(result.summary?.found.notes == 3 && result.summary?.found.attachments == 5)
    }

    @Test func filesThatOurExportListsAreTheNotesInThatOrder() throws {
        let listed = ["[[X.files/b.pdf]]", "X.files/a#1.pdf", "[[X.files/gone.pdf]]"].map { "  - \"\($0)\"\n" }.joined()
        let head = "---\nid: \"abcdefghijklmnop\"\nattachments:\n\(listed)---\n\ntext\n"
        let files = [("X.files/a#1.pdf", "A"), ("X.files/b.pdf", "B"), ("X.md", head)]
        let note = try #require(imported(.markdown, files).note("X.md"))
        #expect(
            note.attachments.map(\.name) == ["b.pdf", "a#1.pdf"] && note.body == "text\n"
                && codes(note) == [.attachmentMissing])
        // The property of another program stays what it is.
        let foreign = "---\nattachments:\n  - \"a.pdf\"\n---\nx"
        let other = try #require(imported(.markdown, [("X.md", foreign)]).note("X.md"))
        #expect(other.body == foreign && other.losses == [Loss(.unknownFrontMatterKey, detail: "attachments")])
    }

    @Test(arguments: ["a.md.enc", "a.md.gpg", "a.md.asc", "a.md.age", "a.md.pgp", "a.txt.gpg", "a.mdenc", "d/A.MD.ENC"])
    func encryptedNotesAreNamed(path: String) {
        for format in Self.formats {
            let result = imported(format, [("n.md", "x"), (path, "Salted__")])
            #expect(result.refused == [RefusedEntry(.encrypted, path: path.utf8)] && result.notes.count == 1)
            #expect(result.summary?.found.notes == 2 && result.summary?.delivered.notes == 1)
        }
    }

    @Test(arguments: formats)
    func filesThatNoNoteNamesAreNamed(format: ImportFormat) {
        let result = imported(format, [("n.md", "![](a.png)"), ("a.png", "1"), ("b.png", "2"), ("c.png.gpg", "3")])
        #expect(
            result.refused == [
                RefusedEntry(.notUsed, path: "b.png".utf8), RefusedEntry(.notUsed, path: "c.png.gpg".utf8),
            ])
    }

    @Test func aFolderOfNotesAloneIsReadTwice() {
        let source = MemorySource([("a.md", "[[b]]"), ("b.md", "x")])
        #expect(Imported(.markdown, source).notes.count == 2 && source.readingCount == 2)
        let mixed = MemorySource([("a.md", "![](p.png)"), ("p.png", "x")])
        #expect(Imported(.markdown, mixed).notes.count == 1 && mixed.readingCount == 4)
    }

    @Test func aNoteOfOurOwnExportIsCalledByItsFirstLineWhileItsFileIs() throws {
        func title(_ path: String, _ body: String) throws -> String? {
            try parse("---\nid: \"abcdefghijklmnop\"\n---\n\n" + body, path: path).title
        }
        #expect(try title("Plan_ a_b.md", "# Plan: a/b\ntext") == nil)
        #expect(try title("Plan (2).md", "Plan\n") == nil)
        #expect(try title("Untitled (3).md", "") == nil)
        let long = String(repeating: "wörd ", count: 40)
        #expect(try title(String(long.prefix(90)) + ".md", long) == nil)
        // Somebody has renamed it since.
        #expect(try title("Better.md", "# Plan\n") == "Better")
        #expect(try title("Plan.md", "# Plan B\n") == "Plan")
    }

    @Test func manyNotesOfOneNameTakeNoLongerForEachLink() {
        let files = (0..<3000).map { ("\($0)/index.md", "[[index]] [[x/index]]") }
        let clock = ContinuousClock()
        let time = clock.measure { #expect(Imported(.markdown, MemorySource(files)).notes.count == 3000) }
        #expect(time < .seconds(20), "\(time)")
    }
}
