// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import ParserProtocol
import Testing

struct MarkdownTagsTests {
    @Test(arguments: [
        ("#tag", ["tag"]), ("a #tag b", ["tag"]), ("a\n#tag\nb", ["tag"]), ("\t#tag", ["tag"]),
        ("#tag/sub/x", ["tag/sub/x"]),
        ("#tag.", ["tag"]), ("#tag, #b!", ["tag", "b"]), ("#a#b", ["a", "b"]),
        ("#snake_case-dash", ["snake_case-dash"]),
        ("#größe #Ελλάδα #日本語 #हिन्दी #العربية #한국어", ["größe", "Ελλάδα", "日本語", "हिन्दी", "العربية", "한국어"]),
        ("#می‌خواهم", ["می‌خواهم"]), ("#🎉party #👩‍👩‍👧", ["🎉party", "👩‍👩‍👧"]), ("中文\u{3000}#标签", ["标签"]), ("a\u{A0}#b", ["b"]),
        ("#fff", ["fff"]), ("#y1984", ["y1984"]), ("#2024-01", ["2024-01"]), ("#tag/ #/b", ["tag", "b"]),
        ("## a #in_heading", ["in_heading"]), ("- #item\n> #quote", ["item", "quote"]), ("**#no** #yes", ["yes"]),
        ("#标签，后文", ["标签"]), ("#a“b”", ["a"]),
    ])
    func aTagIsFound(text: String, tags: [String]) throws {
        let note = try parse(text)
        #expect(note.tags == tags && note.body == text && note.losses.isEmpty)
    }

    @Test(arguments: [
        "# Title", "## Title", "##tag", "#", "# ", "#\n", "#123", "#٣٤", "x#y", "https://a.b/c#frag", "(#a)",
        "[x](#part)",
        "[[#Head]]", "[[Note#Head]]", "\\#tag", "`#code`", "``a ` #code``", "`a\n #code`", "#-", "#_/", "#!x", "#.a",
        "&#39;",
        "```\n#code\n```", "~~~ #info\n#code\n~~~\n", "```\n#code", "- item\n  ```sh\n  #code\n  ```",
        "- ```\n  #code\n  ```",
        "1. ```\n   #code\n   ```", "> ```\n> #code\n> ```", "````\n```\n#code\n````", "   ```\n#code\n   ```  \n",
    ])
    func whatIsNoTagIsNotTaken(text: String) throws {
        let note = try parse(text)
        #expect(note.tags.isEmpty && note.body == text)
    }

    @Test func afterCodeTheTextGoesOn() throws {
        #expect(try parse("```\n#no\n```\n#yes").tags == ["yes"])
        #expect(try parse("```\n~~~\n#no\n```\n#yes").tags == ["yes"])
        #expect(try parse("`#no` #yes").tags == ["yes"])
        #expect(try parse("` #open\n\n #next `").tags == ["open", "next"])
        #expect(try parse("it``s #a ` b\n").tags == ["a"])
        #expect(try parse("\\` #a `").tags == ["a"])
        #expect(try parse("> ```\n> #no\n#yes").tags == ["yes"])
        #expect(try parse("``` inline #no ``` #yes").tags == ["yes"])
        #expect(try parse("stray ` mark\n```\n#no ` #no\n```\n#yes").tags == ["yes"])
    }

    @Test func theFirstSpellingOfATagCounts() throws {
        #expect(try parse("---\ntags: [Work]\n---\n#work #WORK #Straße #straße").tags == ["Work", "Straße"])
    }

    @Test func theCapsHoldAndAreTold() throws {
        let note = try parse((0..<300).map { "#t\($0)" }.joined(separator: " "))
        #expect(note.tags.count == 256 && note.losses == [Loss(.tooManyTags)])
        let long = try parse("#" + String(repeating: "ü", count: 101) + " #" + String(repeating: "a", count: 100))
        #expect(long.tags == [String(repeating: "a", count: 100)] && codes(long) == [.tagTooLong])
    }

    @Test(arguments: [
        ("![[img.png]]", 1), ("![[a b/img.JPEG|300]] ![](x.png)", 2), ("![alt](<my pic.png>)", 1),
        ("![a](file:///x.png)", 1),
        ("![[Other note]] ![[Note.md]] ![[Note#v1.2]]", 0),
        ("![x](https://a.b/c.png) ![](data:image/png;base64,AA)", 0),
        ("![](//host/x.png) ![]() ![a] (b) !()", 0), ("[[img.png]] [a](b.png)", 0),
        ("`![[a.png]]`\n```\n![](b.png)\n```", 0),
        ("![[a.png\n]] ![b\n](c.png)", 0), ("\\![](a.png)", 0), ("![[a.png]]![[b.png]]", 2),
    ])
    func embeddedFilesAreCountedAndNeverNamed(text: String, count: Int) throws {
        let note = try parse(text)
        #expect(note.body == text)
        #expect(note.losses == (count == 0 ? [] : [Loss(.attachmentNotImported, detail: String(count))]))
    }

    @Test(arguments: [
        "`", "` `` ``` ", "``` `` ` `` ", "![[", "![", "![[a.", "](", "# ", "#a", "#a#", "```\n", "> ```\n", "`a\n",
        "\\", "#é", "!",
    ])
    func aLargeTextOfOneSignTakesNoLongTime(unit: String) throws {
        let text = String(repeating: unit, count: (256 << 10) / unit.utf8.count)
        let seconds = try ProcessorTime.seconds {
            let note = try parse(text)
            #expect(note.body.utf8.count == text.utf8.count)
        }
        #expect(seconds < 30, "\(seconds)")
    }
}
