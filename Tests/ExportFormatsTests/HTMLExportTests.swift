// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Foundation
import MarkdownHTML
import ParserProtocol
import Testing

@testable import ExportFormats

/// ThreatModel H11.
struct HTMLExportTests {
    private func page(_ notes: [ExportedNote], byteCountMax: UInt64 = 100) throws -> (
        text: String, losses: [ExportLoss]
    ) {
        let collected = Collected()
        let export = try HTMLExport(
            to: { collected.add($0) }, attachmentByteCountMax: byteCountMax, render: MarkdownHTML.render,
            content: contents)
        for note in notes { try export.add(note) }
        let losses = try export.finish()
        return (collected.text, losses)
    }

    private func render(_ body: String) throws -> String {
        let page = try #require(MarkdownPage(name: "n", nonce: MarkdownPage.newNonce(), references: [], body: body))
        return try #require(MarkdownHTML.render(page)).map { piece in
            switch piece {
            case .html(let text): text
            case .reference(let number, _, let label): "(\(number) \(label))"
            }
        }.joined()
    }

    @Test(arguments: [
        ("# Head *x*\ntext", "<h3>Head <em>x</em></h3>\n<p>text</p>\n"), ("###### six", "<h6>six</h6>\n"),
        ("#tag", "<p>#tag</p>\n"),
        ("a\nb\n\nc", "<p>a<br />\nb</p>\n<p>c</p>\n"),
        ("- a\n- b\n  - c\n- d", "<ul>\n<li>a</li>\n<li>b\n<ul>\n<li>c</li>\n</ul>\n</li>\n<li>d</li>\n</ul>\n"),
        ("> a\n\nc", "<blockquote>\n<p>a</p>\n</blockquote>\n<p>c</p>\n"), ("---", "<hr />\n"),
        (
            "```swift\na < b\n**x**\n```\nz",
            "<pre><code class=\"language-swift\">a &lt; b\n**x**\n</code></pre>\n<p>z</p>\n"
        ),
        ("**a *b* c** ~~s~~ `c<d`", "<p><strong>a <em>b</em> c</strong> <del>s</del> <code>c&lt;d</code></p>\n"),
        ("2 * 3 * 4 snake_case_name ~ 5~", "<p>2 * 3 * 4 snake_case_name ~ 5~</p>\n"),
        ("***a** b*", "<p><em><strong>a</strong> b</em></p>\n"), ("\\*no\\* \\a", "<p>*no* \\a</p>\n"),
        ("[[Title]] [x] [a](", "<p>[[Title]] [x] [a](</p>\n"),
        ("a\r\nb", "<p>a<br />\nb</p>\n"),
        ("nul\u{0}\u{1}0\u{1}\u{2}", "<p>nul\u{FFFD}\u{FFFD}0\u{FFFD}\u{FFFD}</p>\n"), ("", ""),
        ("[x][r]\n\n[r]: https://x.org 't'", "<p><a href=\"https://x.org\" title=\"t\">x</a></p>\n"),
        (
            "| a | b |\n|---|--:|\n| 1 | *2* |",
            """
            <table>\n<thead>\n<tr>\n<th>a</th>\n<th align="right">b</th>\n</tr>\n</thead>\n<tbody>\n<tr>\n<td>1</td>
            <td align="right"><em>2</em></td>\n</tr>\n</tbody>\n</table>\n
            """
        ),
        (
            "- [ ] a\n- [x] b",
            """
            <ul>\n<li><input type="checkbox" disabled="" /> a</li>
            <li><input type="checkbox" checked="" disabled="" /> b</li>\n</ul>\n
            """
        ),
    ])
    func markdownIsRenderedAsOthersRenderIt(body: String, html: String) throws { #expect(try render(body) == html) }

    @Test func footnotesOfTwoNotesAreApart() throws {
        let body = "text[^1]\n\n[^1]: below id=\"fn-1\"\n"
        let text = try page([note(1, "A", body), note(2, "B", body)]).text
        for name in [noteID(1), noteID(2)] {
            #expect(
                text.components(separatedByTag: "href=\"#\(name)-fn-1\"") == 2
                    && text.components(separatedByTag: "id=\"\(name)-fn-1\"") == 2)
            #expect(text.components(separatedByTag: "id=\"\(name)-fnref-1\"") == 2)
        }
        #expect(text.contains("below id=&quot;fn-1&quot;"))
    }

    @Test(arguments: [
        ("[a](https://x.org/?a=1&b=\"2\")", "https://x.org/?a=1&amp;b=%222%22", "a"),
        ("[a](<http://x.org>)", "http://x.org", "a"),
        ("[b<](mailto:a@b.c)", "mailto:a@b.c", "b&lt;"),
        ("see https://x.org/a_b, ", "https://x.org/a_b", "https://x.org/a_b"),
        ("![alt](https://x.org/i.png)", "https://x.org/i.png", "alt"),
        ("![](https://x.org/i.png)", "https://x.org/i.png", "https://x.org/i.png"),
        ("[a](HTTPS://x.org)", "HTTPS://x.org", "a"),
    ])
    func linksToTheWebCanBeFollowed(body: String, address: String, words: String) throws {
        #expect(try render(body).contains("<a href=\"\(address)\">\(words)</a>"))
    }

    @Test(arguments: [
        "[a](javascript:alert(1))", "[a](JaVaScRiPt:alert(1))", "[a]( javascript:x)", "[a](<javascript:x>)",
        "[a](data:text/html,x)",
        "[a](//evil.org)", "<javascript:x>", "[a](#n-x)",
        "[a](vbscript:x)", "[a](file:///etc/passwd)", "[a](java\u{0}script:x)", "[a](java\tscript:x)", "[a](../x)",
        "[a](https:)",
        "![a](javascript:x)", "[a][r]\n\n[r]: javascript:x", "![a [b](javascript:y)](javascript:x)",
        "[a](&#106;avascript:x)", "[a](http\u{0}://x)",
    ])
    func allOtherLinksStayText(body: String) throws {
        let html = try render(body)
        #expect(!html.contains("<a ") && !html.contains("<img") && html.contains("a"), "\(html)")
    }

    @Test func aLinkThatLeadsNowhereKeepsItsAddress() throws {
        #expect(
            try render("see [the *other*](../Other%20note.md) and ![p](x.png)")
                == "<p>see [the <em>other</em>](../Other%20note.md) and ![p](x.png)</p>\n")
    }

    @Test func htmlInANoteIsShownAsItWasTyped() throws {
        #expect(try render("a <b onclick=x>b</b>") == "<p>a &lt;b onclick=x&gt;b&lt;/b&gt;</p>\n")
        #expect(
            try render("<script>\nalert(1)\n</script>\n")
                == "<pre><code>&lt;script&gt;\nalert(1)\n&lt;/script&gt;\n</code></pre>\n")
    }

    @Test func referencesInCodeStayAsTheyWereTyped() throws {
        var trip = note(1, "Trip", "`![one](att:p 1.png)` [a [b](att:p 1.png)\n\n    [three](<att:p 1.png>)\n")
        trip.attachments = [attachment(1, "p 1.png")]
        let text = try page([trip]).text
        #expect(text.contains("<code>![one](att:p 1.png)</code> [a <a href=\"#a-\(noteID(1))-0\">b</a></p>"), "\(text)")
        #expect(text.contains("<pre><code>[three](&lt;att:p 1.png&gt;)\n</code></pre>"))
    }

    /// Entities name control characters, which marks of an earlier form were made of.
    @Test(arguments: [
        "[x](https://a.org \"&#1;\") t [y](https://b.org/style=position:fixed/onclick=alert(1)//)",
        "**b&#1;** c &#1;0&#1; &#2;0",
        "[a](&#2;0) ![b](https://x.org \"&#1;0&#1;\") <\u{2}0>", "`<\u{2}0>` [l](https://a \"t](att:p 1.png)\")",
    ])
    func noTextIsTakenForAMark(body: String) throws {
        var trip = note(1, "Trip", body)
        trip.attachments = [attachment(1, "p 1.png")]
        let (text, losses) = try page([trip])
        #expect(!losses.contains { $0.code == .unrendered }, "\(text)")
        #expect(!text.contains("href=\"#a-") && text.utf8.allSatisfy { $0 >= 0x20 || $0 == 0x0A }, "\(text)")
        #expect(text.hasSuffix("</article>\n</body></html>\n"))
    }

    @Test func aPictureInATableStandsThere() throws {
        var trip = note(1, "Trip", "| a | b |\n|---|---|\n| ![one](att:p|1.png) | [two](att:p|1.png) |\n")
        trip.attachments = [attachment(1, "p|1.png")]
        let (text, losses) = try page([trip])
        #expect(text.contains("<td><img alt=\"one\" src=\"data:image/png;base64,"), "\(text)")
        #expect(text.contains("<td><a href=\"#a-\(noteID(1))-0\">two</a></td>"), "\(text)")
        #expect(losses.isEmpty)
    }

    @Test(arguments: [
        "[password]: hunter2\n", "text\n\n[^2]: unused words\n", "| a | b |\n|---|---|\n| 1 | 2 | third secret |\n",
        "```swift more info\nx\n```\n",
    ])
    func whatMarkdownDoesNotShowFollowsAsItWasTyped(body: String) throws {
        let (text, losses) = try page([note(1, "T", body)])
        #expect(losses == [ExportLoss(.unshownText, count: 1)])
        #expect(
            text.contains(
                "<pre class=\"text\">\(body.replacing("\"", with: "&quot;"))</pre></details>".replacing(
                    "</pre></details>", with: "</pre>")))
    }

    @Test(arguments: [
        "1. a\n2. b\n10) c\n", "- [ ] a\n- [x] b\n",
        "[x][Some Ref] and [some ref]\n\n[some ref]: https://x.org/%20a \"title\"\n",
        "https://x.org/ä?b=c&d=e &auml; AT&T\n", "note[^a b]\n\n[^a b]: x\n", "# A *b* `c`\n> 1. d\n",
        "<b>raw</b> <!-- comment -->\n",
        "![p](https://x.org/i.png \"t\") [q](rel/path%20a \"u\")\n", "Fuß_ball snake_case **bo**ld\n",
    ])
    func whatMarkdownShowsIsShownOnce(body: String) throws {
        let (text, losses) = try page([note(1, "T", body)])
        #expect(losses.isEmpty && !text.contains("<details>"), "\(text)")
    }

    /// The process that renders may have been taken over by a note.
    @Test(arguments: [
        "<meta http-equiv=\"refresh\" content=\"0;url=https://evil.org\">", "<script>x</script>",
        "<p onclick=\"x\">a</p>", "</article>", "<p>a", "a</p>",
        "<p><em>a</p></em>", "<a href=\"javascript:x\">a</a>", "<a href=\"#n-other\">a</a>", "<link rel=\"x\" />",
        "<img src=\"x\" />", "<p", "<p a>b</p>",
        "<a href=\"https://x\" style=\"x\">a</a>", "<input type=\"text\" />", "<!-- x", "<style>x</style>",
        "<svg/onload=x>", "a > b", "<P>a</P>", "",
    ])
    func aRendererThatLiesWritesNothing(html: String) throws {
        let collected = Collected()
        let export = try HTMLExport(
            to: { collected.add($0) }, render: { _ in html.isEmpty ? [] : [.html(html)] }, content: contents)
        try export.add(note(1, "T", "the **text**"))
        let losses = try export.finish()
        #expect(losses == [ExportLoss(html.isEmpty ? .unshownText : .unrendered, count: 1)])
        #expect(collected.text.contains("the **text**</pre>"))
        let article = try #require(collected.text.components(separatedBy: "</p>\n").last)
        let typed = "<pre class=\"text\">the **text**</pre>\n"
        let shown = html.isEmpty ? "<details><summary>Text as it was typed</summary>\n\(typed)</details>\n" : typed
        #expect(article == shown + "</article>\n</body></html>\n")
    }

    /// The process that renders may die; the text is there nevertheless.
    @Test func aTextThatIsNotRenderedIsWrittenAsItIs() throws {
        let collected = Collected()
        let export = try HTMLExport(to: { collected.add($0) }, render: { _ in nil }, content: contents)
        try export.add(note(1, "T", "# a\n<b> & **c**"))
        #expect(try export.finish() == [ExportLoss(.unrendered, count: 1)])
        #expect(collected.text.contains("<pre class=\"text\"># a\n&lt;b&gt; &amp; **c**</pre>"))
    }

    @Test func nothingOfANoteBecomesATag() throws {
        let evil = "</title></style></script><script>alert(1)</script><img src=x onerror=alert(1)>\"' onmouseover=\"x"
        for body in [
            evil, "# \(evil)", "- \(evil)", "> \(evil)", "```\n\(evil)", "`\(evil)`", "**\(evil)**",
            "[\(evil)](https://x.org)",
            "[x](https://x.org/\(evil))",
            "![\(evil)](att:\(evil))",
        ] {
            var hostile = note(1, evil, body, notebook: evil)
            hostile.tags = [evil]
            hostile.attachments = [attachment(1, evil, "text/html\"><script>"), attachment(2, "x.png")]
            hostile.attachments[1].caption = evil
            let text = try page([hostile]).text
            #expect(
                !text.contains("<script") && !text.contains("<img src=x") && !text.contains("\" onmouseover"), "\(body)"
            )
            #expect(
                text.components(separatedByTag: "</style>") == 2 && text.components(separatedByTag: "</title>") == 2)
        }
    }

    @Test func aPictureStandsInThePageOnce() throws {
        var trip = note(1, "Trip", "![one](att:p 1.png) ![two](att:p 1.png) [three](att:p 1.png) ![big](att:big.png)")
        trip.attachments = [attachment(1, "p 1.png"), attachment(2, "big.png"), attachment(3, "doc.html", "text/html")]
        trip.attachments[1].byteCount = 101
        let (text, losses) = try page([trip])
        let link = "<a href=\"#a-" + noteID(1)
        let picture = "<p><img alt=\"one\" src=\"data:image/png;base64,Y29udGVudGFl\"> "
        let rest: String = link + "-0\">two</a> " + link + "-0\">three</a> "
        #expect(text.contains(picture + rest + link + "-1\">big</a></p>"))
        #expect(text.components(separatedByTag: "Y29udGVudGFl") == 2 && text.contains("big.png (not in this page)"))
        #expect(
            text.contains("<a download=\"doc.html\" href=\"data:application/octet-stream;base64,")
                && !text.contains("data:text"))
        #expect(losses == [ExportLoss(.attachmentContents, count: 1)])
    }

    @Test func thePageForbidsWhatItDoesNotNeed() throws {
        let text = try page([note(1, "T", "x")]).text
        #expect(
            text.hasPrefix(
                "<!DOCTYPE html>\n<html><head><meta charset=\"utf-8\">\n<meta http-equiv=\"Content-Security-Policy\""))
        #expect(
            text.contains(
                "content=\"default-src 'none'; img-src data:; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'\">"
            ))
        #expect(text.hasSuffix("<p>x</p>\n</article>\n</body></html>\n"))
    }

    /// Texts that made renderers take quadratic time. The library is not linear in all of them; what takes long is
    /// ended from outside (docs/decisions/0023), and what is ours must not add to it.
    @Test(arguments: [
        "[", "![", "](", "[a](", "*a ", "`", "> ", "- ", "](att:)", "[](att:x)", "![](att:z.png)", "h", "https://x ",
        "<", "|a|\n|-|\n",
    ])
    func hostileTextsAreRendered(piece: String) throws {
        var hostile = note(1, "T", String(repeating: piece, count: 8000 / piece.utf8.count))
        hostile.attachments = [attachment(1, "x)y.png"), attachment(2, "z.png")]
        let text = try page([hostile]).text
        #expect(text.hasSuffix("</article>\n</body></html>\n"))
        _ = AttachmentReferences(hostile.attachments).rewrite(hostile.body) { _, _ in [] }
    }
}

extension String {
    fileprivate func components(separatedByTag tag: String) -> Int {
        split(separator: tag, omittingEmptySubsequences: false).count
    }
}
