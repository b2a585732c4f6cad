// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import ForeignFormats
import ParserProtocol
import Testing
import VaultTesting

struct EvernoteImportTests {
    /// MD5 of "hello world", as RFC 1321's method gives it.
    static let hash = "5eb63bbbe01eeed093cb22bb8f5acdc3"
    static let head =
        "<?xml version=\"1.0\"?>\n<!DOCTYPE en-export SYSTEM \"http://xml.evernote.com/pub/evernote-export4.dtd\">\n"

    static func export(_ notes: String) -> [UInt8] {
        Array((head + "<en-export version=\"10\">" + notes + "</en-export>").utf8)
    }

    static func note(_ title: String, _ enml: String, _ rest: String = "", created: String = "20200102T030405Z")
        -> String
    {
        "<note><title>\(title)</title><content><![CDATA[<!DOCTYPE en-note SYSTEM \"x.dtd\"><en-note>\(enml)</en-note>]]></content>"
            + "<created>\(created)</created><updated>20210101T000000Z</updated>\(rest)</note>"
    }

    static func resource(_ base64: String, name: String) -> String {
        "<resource><data encoding=\"base64\">\n\(base64)\n</data><mime>image/png</mime><resource-attributes><file-name>\(name)</file-name>"
            + "</resource-attributes></resource>"
    }

    private func markdown(_ enml: String) throws -> String {
        try #require(Imported(.enex, MemorySource([("Book.enex", Self.export(Self.note("T", enml)))])).notes.first).body
    }

    @Test func aLinkBehindAnExclamationMarkIsNoPicture() throws {
        #expect(
            try markdown("<div>Look! <a href=\"https://a.example\">here</a> now</div>")
                == "Look! [here](https://a.example) now\n")
        let enml =
            "<div>Look!<a href=\"https://a.example\">here</a> and <b>there!</b><a href=\"https://b.example\">too</a>! [x]</div>"
        #expect(
            try markdown(enml) == #"Look\![here](https://a.example) and **there!**[too](https://b.example)! \[x\]"#
                + "\n")
    }

    @Test func aNoteKeepsTagsDatesFilesAndItsNotebook() throws {
        let rest =
            "<tag>one</tag><tag>two &amp; three</tag><note-attributes><source-url>https://a.example</source-url></note-attributes>"
            + Self.resource("aGVsbG8g\nd29ybGQ=", name: "a.png") + Self.resource("eA==", name: "a.png")
        let file = Self.export(
            Self.note("A &lt;b&gt;", "<div>see <en-media type=\"image/png\" hash=\"\(Self.hash)\"/></div>", rest))
        let result = Imported(.enex, MemorySource([("My book.enex", file)], pieceByteCount: 5))
        let note = try #require(result.notes.first)
        #expect(
            result.isWellFormed && note.title == "A <b>" && note.notebook == "My book"
                && note.tags == ["one", "two & three"])
        #expect(note.created == 1_577_934_245_000 && note.updated == 1_609_459_200_000)
        #expect(
            note.body
                == "---\nsource-url: 'https://a.example'\n---\nsee ![a.png](att:a.png)\n\n![a 2.png](att:a 2.png)\n")
        #expect(note.attachments.map { result.attachments[$0.key] } == [Array("hello world".utf8), Array("x".utf8)])
        #expect(result.summary?.found == result.summary?.delivered)
    }

    @Test(arguments: [
        ("<h1>H</h1><p>a</p><p>b</p>", "# H\n\na\n\nb\n"), ("<div>a</div><div>b</div>", "a\nb\n"),
        ("<ul><li>a<ul><li>b</li></ul></li><li>c</li></ul>", "- a\n  - b\n- c\n"),
        ("<ol><li>a</li><li>b</li></ol>", "1. a\n2. b\n"),
        ("<div><en-todo checked=\"true\"/>done</div><div><en-todo/>open</div>", "- [x] done\n- [ ] open\n"),
        ("<a href=\"https://a.example/(x)\">t</a>", "[t](https://a.example/%28x%29)\n"),
        ("a <b> b </b>c", "a **b** c\n"),
        ("<i>x</i><s>y</s>", "*x*~~y~~\n"),
        ("1 * 2 [[x]] `y` &nbsp;&lt;z&gt;", "1 \\* 2 \\[\\[x\\]\\] \\`y\\` \u{A0}\\<z>\n"),
        ("<pre>a\n  b ```</pre>", "````\na\n  b ```\n````\n"),
        ("<blockquote><p>a</p><p>b</p></blockquote>c", "> a\n>\n> b\n\nc\n"),
        (
            "<table><tr><td>a</td><td>b|c</td></tr><tr><td>1</td><td><div>2</div><div>3</div></td></tr></table>",
            "| a | b\\|c |\n| --- | --- |\n| 1 | 2 3 |\n"
        ),
        ("<div style=\"-en-codeblock:true;\"><div>x = 1</div><div>y</div></div>", "```\nx = 1\ny\n```\n"),
        ("a<br/>b<hr/>c", "a\nb\n\n---\n\nc\n"),
        ("<a href=\"javascript:x\">t</a>", "t\n"), ("<script>x</script><style>y</style>z", "z\n"),
        ("<b><b><b>x", "******x******\n"),
    ])
    func markupBecomesMarkdown(enml: String, expected: String) throws {
        #expect(try markdown(enml) == expected)
    }

    @Test func whatHasNoMarkdownIsToldAndTheOriginalKept() throws {
        let result = Imported(
            .enex,
            MemorySource([("B.enex", Self.export(Self.note("T", "a<u>b</u><en-crypt hint=\"h\">AAAA</en-crypt>")))]))
        let note = try #require(result.notes.first)
        #expect(
            note.body == "ab\\[encrypted\\]\n"
                && Set(codes(note)) == [.unsupportedMarkup, .encryptedItem, .originalKept])
        let original = try #require(note.attachments.first.flatMap { result.attachments[$0.key] })
        #expect(
            note.attachments[0].name == "original.enml" && String(decoding: original, as: UTF8.self).contains("AAAA"))
    }

    @Test func linksFindTheirNoteByTitleAndElseKeepTheirWords() throws {
        let link = "<a href=\"evernote:///view/1/s1/x/x/\">Other</a> <a href=\"evernote:///view/1/s1/y/y/\">Gone</a>"
        let result = Imported(
            .enex, MemorySource([("B.enex", Self.export(Self.note("T", link) + Self.note("Other", "x")))]))
        let note = try #require(result.note(titled: "T"))
        #expect(
            note.body == "[[Other]] Gone\n" && codes(note) == [.linkTargetMissing]
                && note.links.map(\.target) == ["Other"])
    }

    @Test func aLinkWithinASentenceFindsItsNote() throws {
        let link = "Look! <a href=\"evernote:///view/1/s1/x/x/\">Other</a> is here."
        let result = Imported(
            .enex, MemorySource([("B.enex", Self.export(Self.note("T", link) + Self.note("Other", "x")))]))
        let note = try #require(result.note(titled: "T"))
        #expect(
            note.body == "Look! [[Other]] is here.\n" && note.losses.isEmpty && note.links.map(\.target) == ["Other"])
    }

    @Test func twoNotesOfOneTitleAndTimeAreTwo() {
        let result = Imported(.enex, MemorySource([("B.enex", Self.export(Self.note("T", "a") + Self.note("T", "b")))]))
        #expect(result.notes.map(\.body) == ["a\n", "b\n"] && Set(result.notes.map(\.sourceKey)).count == 2)
    }

    @Test(arguments: [
        "<!DOCTYPE x [<!ENTITY a \"ha\"><!ENTITY b \"&a;&a;\">]><en-export>&b;</en-export>",
        "<!DOCTYPE x [<!ENTITY a SYSTEM \"file:///etc/passwd\">]><en-export>&a;</en-export>",
        "<en-export><!ENTITY a \"b\"></en-export>",
    ])
    func entitiesAndDeclarationsAreRefused(text: String) {
        let result = Imported(.enex, MemorySource([("B.enex", text)]))
        #expect(result.reasons == [.declarations] && result.notes.isEmpty && result.summary?.isComplete == false)
    }

    @Test func anEntityThatNobodyDeclaredCostsItsNoteAlone() {
        let result = Imported(
            .enex, MemorySource([("B.enex", "<en-export><note><title>&a;</title></note></en-export>")]))
        #expect(
            result.refused.map(\.name) == ["B.enex: note 1, line 1"] && result.reasons == [.damaged]
                && result.notes.isEmpty)
    }

    @Test func declarationsWithinANoteNeverGrow() throws {
        let enml = "<!DOCTYPE x [<!ENTITY a \"ha\">]>&a;&#65;&#xFFFFFF;<img src=\"file:///etc/passwd\"/>"
        let file = "<en-export><note><title>T</title><content><![CDATA[\(enml)]]></content></note></en-export>"
        let note = try #require(Imported(.enex, MemorySource([("B.enex", file)])).notes.first)
        #expect(
            note.body.contains("&a;A&#xFFFFFF;") && codes(note).contains(.damagedMarkup)
                && note.attachments.map(\.name) == ["original.enml"])
    }

    @Test func damagedFilesAreToldAndStayWithTheNote() throws {
        let rest = Self.resource("aGV%sbG8", name: "a.png")
        let result = Imported(.enex, MemorySource([("B.enex", Self.export(Self.note("T", "x", rest)))]))
        let note = try #require(result.notes.first)
        #expect(codes(note) == [.attachmentDamaged] && result.damaged == [note.attachments[0].key])
    }

    @Test(arguments: ["99991231T000000Z", "00000101T000000Z", "NaN", "-1"])
    func absurdDatesAreReplacedAndTold(date: String) throws {
        let note = try #require(
            Imported(.enex, MemorySource([("B.enex", Self.export(Self.note("T", "x", created: date)))])).notes.first)
        #expect(note.created == nil && note.losses == [Loss(.dateReplaced, detail: "created")])
    }

    @Test func everyPrefixAndManyChangesEndWithASummary() {
        let file = Self.export(Self.note("T", "<b>x</b>", Self.resource("aGVsbG8=", name: "a")))
        for count in file.indices {
            #expect(Imported(.enex, MemorySource([("B.enex", Array(file[..<count]))])).summary?.isComplete == false)
        }
        var generator = SeededGenerator(7)
        for _ in 0..<1000 {
            var changed = file
            changed[Int.random(in: changed.indices, using: &generator)] = UInt8.random(in: 0...255, using: &generator)
            let result = Imported(.enex, MemorySource([("B.enex", changed)]))
            #expect(result.summary != nil && result.isWellFormed)
        }
    }

    @Test(arguments: [
        "<b>", "<ul><li>", "<a href=\"", "<a href=\"x\">", "<!--", "<![CDATA[", "&", "&#", "<", "<blockquote>",
        "<table><tr><td>", "<pre>", "</b>",
        "]]",
    ])
    func manyBeginningsTakeLinearTime(piece: String) {
        let enml = String(repeating: piece, count: (32 << 10) / piece.utf8.count)
        let escaped = enml.replacing("&", with: "&amp;").replacing("<", with: "&lt;")
        let file = Array("<en-export><note><title>T</title><content>\(escaped)</content></note></en-export>".utf8)
        let seconds = ProcessorTime.seconds {
            #expect(Imported(.enex, MemorySource([("B.enex", file)])).notes.count == 1)
        }
        #expect(seconds < 10, "\(piece): \(seconds)")
    }
}
