// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import ForeignFormats
import ParserProtocol
import Testing

/// What somebody may write into an Evernote file to make expat or libxml2 grow, hang, read other files or lose notes.
struct HostileMarkupTests {
    private static let other = "<note><title>ok</title></note>"

    private func imported(_ notes: String, head: String = "", pieceByteCount: Int = 64 << 10) -> Imported {
        let file = Array((head + "<en-export>" + notes + "</en-export>").utf8)
        return Imported(.enex, MemorySource([("B.enex", file)], pieceByteCount: pieceByteCount))
    }

    private func note(_ enml: String) -> String {
        "<note><title>a</title><content><![CDATA[<en-note>\(enml)</en-note>]]></content></note>"
    }

    @Test(arguments: [1, 5, 65_536])
    func entitiesThatGrowAreRefusedBeforeTheyDo(pieceByteCount: Int) {
        let levels = (1...9).map { "<!ENTITY l\($0) \"\(String(repeating: "&l\($0 - 1);", count: 10))\">" }.joined()
        let head = "<?xml version=\"1.0\"?><!DOCTYPE x [<!ENTITY l0 \"lol\">\(levels)]>"
        let result = imported("<note><title>&l9;</title></note>", head: head, pieceByteCount: pieceByteCount)
        #expect(result.reasons == [.declarations] && result.notes.isEmpty)
    }

    @Test(arguments: [
        "<!DOCTYPE x [<!ENTITY % p SYSTEM \"file:///etc/passwd\"> %p;]>",
        "<!DOCTYPE x [<!ENTITY a SYSTEM \"file:///etc/passwd\">]>",
        "<!DOCTYPE x SYSTEM \"file:///etc/passwd\" [<!ELEMENT x ANY>]>",
    ])
    func documentTypesThatDeclareAreRefused(head: String) {
        #expect(imported(Self.other, head: head).reasons == [.declarations])
    }

    @Test(arguments: [1, 7, 65_536])
    func aCommentWithoutAnEndCostsItsNoteAlone(pieceByteCount: Int) {
        let result = imported("<note><title>a</title><!-- x</note>" + Self.other, pieceByteCount: pieceByteCount)
        #expect(result.notes.compactMap(\.title) == ["ok"] && result.refused.map(\.name) == ["B.enex: note 1, line 1"])
    }

    @Test func aLongCommentWithoutAnEndCostsItsNoteAlone() {
        let notes = (1...400).map {
            "<note><title>n\($0)</title><content>\(String(repeating: "x", count: 1000))</content></note>\n"
        }
        let result = imported("<note><title>a</title><!-- x</note>\n" + notes.joined() + "<note><b></note>")
        #expect(result.notes.compactMap(\.title) == (1...400).map { "n\($0)" })
        #expect(result.refused.map(\.name) == ["B.enex: note 1, line 1", "B.enex: note 402, line 402"])
    }

    /// Each of them is read twice, so there is an end to it.
    @Test func manyInstructionsWithoutAnEndEndTheFile() {
        let open = String(repeating: "<note><?x </note>", count: 100)
        let result = imported(Self.other + open + String(repeating: " ", count: 300 << 10))
        #expect(result.notes.compactMap(\.title) == ["ok"] && result.refused.count >= 16)
        #expect(result.reasons.contains(.malformedContainer))
    }

    /// libxml2 opens a head before these, and closes it only at elements of HTML 4.
    @Test(arguments: [
        "<style>a{}</style><section>text</section>", "<meta charset=\"x\"><main>text</main>",
        "<html><head><title>x</title><article>text", "<link rel=\"x\"><mark>text</mark>",
    ])
    func whatStandsBehindAHeadIsText(html: String) {
        let result = imported("<note><title>a</title><content><![CDATA[\(html)]]></content></note>")
        #expect(result.notes.map(\.body) == ["text\n"])
    }

    @Test func aSignInAReferenceIsKept() {
        #expect(imported(note("&#+65; &#x+41; &#65;")).notes.map(\.body) == ["&#+65; &#x+41; A\n"])
    }

    @Test func bytesThatAreNoCharactersCostNoNote() throws {
        let begin = Array("<en-export><note><title>t</title><content><![CDATA[<en-note>x".utf8)
        let end = Array("</en-note>]]></content></note>\(Self.other)</en-export>".utf8)
        let middle: [UInt8] = [0xE2, 0x82, 0x79, 0x0B, 0x00, 0x7A, 0xEF, 0xBF, 0xBF, 0x20, 0xC3]
        for size in [1, 2, 3, 1000] {
            let result = Imported(.enex, MemorySource([("B.enex", begin + middle + end)], pieceByteCount: size))
            #expect(
                result.notes.map(\.body) == ["x\u{FFFD}yz\u{FFFD} \u{FFFD}\n", ""] && result.refused.isEmpty,
                "\(size) \(result.notes.map(\.body))")
        }
    }

    @Test(arguments: [
        String(repeating: "<b>", count: 10_000), "<title x=\"\(String(repeating: "a", count: 1 << 20))\">t</title>",
    ])
    func deepNestingAndLongTagsCostTheirNoteAlone(content: String) {
        let result = imported("<note>\(content)</note>" + Self.other)
        #expect(result.notes.compactMap(\.title) == ["ok"] && result.refused.map(\.name) == ["B.enex: note 1, line 1"])
    }

    @Test(arguments: [
        String(repeating: "<div>", count: 10_000) + "deep",
        "<b \((0..<100_000).map { "a\($0)" }.joined(separator: " "))>two</b>",
        String(repeating: "<a ", count: 100_000),
    ])
    func notesThatAreTooDeepOrHaveTooManyAttributesKeepTheOriginal(enml: String) throws {
        let result = imported(note(enml) + Self.other)
        let first = try #require(result.notes.first)
        #expect(result.notes.count == 2 && codes(first) == [.damagedMarkup, .originalKept])
        #expect(result.attachments[first.attachments[0].key]?.count ?? 0 > enml.utf8.count)
    }

    @Test func anAttributeOfAMebibyteIsDropped() throws {
        let enml = "one <a href=\"https://a.example\" title=\"\(String(repeating: "a", count: 1 << 20))\">l</a> two"
        let first = try #require(imported(note(enml)).notes.first)
        #expect(first.body == "one [l](https://a.example) two\n" && first.losses.isEmpty)
    }

    @Test func namedCharactersAreReadAndUnknownNamesStay() throws {
        let first = try #require(imported(note("caf&eacute;&nbsp;&mdash; &bogus; &#0; A&amp;B")).notes.first)
        #expect(first.body == "café\u{A0}— &bogus; &#0; A&B\n")
    }

    @Test func piecesOfAnySizeGiveTheSameNotesAndACutOneItsWholeNotes() {
        let resource = EvernoteImportTests.resource("aGVsbG8=", name: "é.png")
        let style = "<style><![CDATA[ a > b ]]></style>"
        let file = EvernoteImportTests.export(
            EvernoteImportTests.note("Ä", "\(style)<div>é &lt; 1</div>", resource) + "\r\n"
                + EvernoteImportTests.note("B", "<![CDATA[x]]> y"))
        let whole = Imported(.enex, MemorySource([("B.enex", file)]))
        #expect(whole.notes.count == 2 && whole.refused.isEmpty)
        for size in 1...file.count {
            let result = Imported(.enex, MemorySource([("B.enex", file)], pieceByteCount: size))
            #expect(
                result.notes == whole.notes && result.attachments == whole.attachments && result.refused.isEmpty,
                "\(size)")
        }
        for end in file.indices {
            let part = String(decoding: file[..<end], as: UTF8.self)
            let result = Imported(.enex, MemorySource([("B.enex", Array(file[..<end]))], pieceByteCount: 9))
            #expect(
                result.isWellFormed
                    && result.notes.count == part.split(separator: "</note>", omittingEmptySubsequences: false).count
                        - 1
            )
        }
    }
}
