// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Testing

@testable import ExportFormats

/// ThreatModel H11.
struct HTMLExportTests {
    private func page(_ notes: [ExportedNote], byteCountMax: UInt64 = 100) throws -> (text: String, losses: [ExportLoss]) {
        let collected = Collected()
        let export = try HTMLExport(to: { collected.add($0) }, attachmentByteCountMax: byteCountMax, content: contents)
        for note in notes { try export.add(note) }
        let losses = try export.finish()
        return (collected.text, losses)
    }

    private func render(_ body: String) throws -> String {
        let collected = Collected()
        let output = ByteOutput { collected.add($0) }
        var blocks = HTMLBlocks(body, HTMLAttachments(note(1, ""), byteCountMax: 0, content: contents), to: output)
        try blocks.render()
        try output.flush()
        return collected.text
    }

    @Test(arguments: [
        ("# Head *x*\ntext", "<h3>Head <em>x</em></h3>\n<p>text</p>\n"), ("###### six", "<h6>six</h6>\n"), ("#tag", "<p>#tag</p>\n"),
        ("a\nb\n\nc", "<p>a\nb</p>\n<p>c</p>\n"), ("- a\n- b\n  - c\n- d", "<ul><li>a</li>\n<li>b<ul><li>c</li></ul>\n</li>\n<li>d</li></ul>\n"),
        ("1. a\n2. b\n\ntext", "<ol><li>a</li>\n<li>b</li></ol>\n<p>text</p>\n"),
        ("- [ ] a\n- [x] b", "<ul><li>\u{2610} a</li>\n<li>\u{2611} b</li></ul>\n"),
        ("> a\n> b\nc", "<blockquote><p>a\nb\nc</p></blockquote>\n"), ("---", "<hr>\n"),
        ("```swift\na < b\n**x**\n```\nz", "<pre><code>a &lt; b\n**x**\n</code></pre>\n<p>z</p>\n"),
        ("~~~\nopen", "<pre><code>open\n</code></pre>\n"),
        ("**b** _i_ ~~s~~ `c<d`", "<p><strong>b</strong> <em>i</em> <s>s</s> <code>c&lt;d</code></p>\n"),
        ("**a *b* c**", "<p><strong>a <em>b</em> c</strong></p>\n"), ("2 * 3 * 4 snake_case_name **", "<p>2 * 3 * 4 snake_case_name **</p>\n"),
        ("\\*no\\* \\a", "<p>*no* \\a</p>\n"), ("`` a`b `` `x", "<p><code> a`b </code> `x</p>\n"),
        ("[[Title]] [x] [a](", "<p>[[Title]] [x] [a](</p>\n"),
        ("a\r\nb", "<p>a\nb</p>\n"), ("nul\u{0}", "<p>nul\u{FFFD}</p>\n"), ("", ""), ("\n\n", ""),
    ])
    func markdownIsRenderedSimply(body: String, html: String) throws { #expect(try render(body) == html) }

    @Test(arguments: [
        ("[a](https://x.org/?a=1&b=\"2\")", "https://x.org/?a=1&amp;b=&quot;2&quot;", "a"), ("[a](<http://x.org> \"t\")", "http://x.org", "a"),
        ("[<b>](mailto:a@b.c)", "mailto:a@b.c", "&lt;b&gt;"), ("see https://x.org/a_b, ", "https://x.org/a_b", "https://x.org/a_b"),
        ("![alt](https://x.org/i.png)", "https://x.org/i.png", "alt"), ("[](HTTPS://x.org)", "HTTPS://x.org", "HTTPS://x.org"),
    ])
    func linksToTheWebCanBeFollowed(body: String, address: String, words: String) throws {
        #expect(try render(body).contains("<a rel=\"noopener noreferrer\" href=\"\(address)\">\(words)</a>"))
    }

    @Test(arguments: [
        "[a](javascript:alert(1))", "[a](JaVaScRiPt:alert(1))", "[a]( javascript:x)", "[a](<javascript:x>)", "[a](data:text/html,x)",
        "[a](//evil.org)",
        "[a](vbscript:x)", "[a](file:///etc/passwd)", "[a](java\u{0}script:x)", "[a](java\tscript:x)", "[a](../x)", "[a](https:)",
        "![a](javascript:x)",
        "[a](&#106;avascript:x)", "[a](http\u{0}://x)",
    ])
    func allOtherLinksStayText(body: String) throws { #expect(!(try render(body).contains("<a "))) }

    @Test func nothingOfANoteBecomesATag() throws {
        let evil = "</title></style></script><script>alert(1)</script><img src=x onerror=alert(1)>\"' onmouseover=\"x"
        for body in [
            evil, "# \(evil)", "- \(evil)", "> \(evil)", "```\n\(evil)", "`\(evil)`", "**\(evil)**", "[\(evil)](https://x.org)",
            "[x](https://x.org/\(evil))",
            "![\(evil)](att:\(evil))",
        ] {
            var hostile = note(1, evil, body, notebook: evil)
            hostile.tags = [evil]
            hostile.attachments = [attachment(1, evil, "text/html\"><script>"), attachment(2, "x.png")]
            hostile.attachments[1].caption = evil
            let text = try page([hostile]).text
            #expect(!text.contains("<script") && !text.contains("<img src=x") && !text.contains("\" onmouseover"), "\(body)")
            #expect(text.components(separatedByTag: "</style>") == 2 && text.components(separatedByTag: "</title>") == 2)
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
        #expect(text.contains("<a download=\"doc.html\" href=\"data:application/octet-stream;base64,") && !text.contains("data:text"))
        #expect(losses == [ExportLoss(.attachmentContents, count: 1)])
    }

    @Test func thePageForbidsWhatItDoesNotNeed() throws {
        let text = try page([note(1, "T", "x")]).text
        #expect(text.hasPrefix("<!DOCTYPE html>\n<html><head><meta charset=\"utf-8\">\n<meta http-equiv=\"Content-Security-Policy\""))
        #expect(text.contains("content=\"default-src 'none'; img-src data:; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'\">"))
        #expect(text.hasSuffix("<p>x</p>\n</article>\n</body></html>\n"))
    }

    /// Texts that made renderers take quadratic time: twice the text may not take much more than twice the time.
    @Test(arguments: [
        "[", "![", "](", "[a](", "*a ", "**a ", "_a *b ", "`", "` ``", "``` ", "~~", "> ", "- ", "\\", "](att:)", "[](att:x)", "h", "https://x ", "<",
    ])
    func hostileTextsTakeLinearTime(piece: String) throws {
        func time(_ count: Int) throws -> Duration {
            var hostile = note(1, "T", String(repeating: piece, count: count / piece.utf8.count))
            hostile.attachments = [attachment(1, "x)y.png"), attachment(2, "z.png")]
            let clock = ContinuousClock()
            return try clock.measure {
                _ = try page([hostile])
                _ = AttachmentReferences(hostile.attachments).rewrite(hostile.body) { _ in [] }
            }
        }
        let small = try (0..<2).map { _ in try time(4000) }.min() ?? .zero
        let limit: Duration = small * 64 + .seconds(3)
        let large = try time(32_000)
        #expect(large < limit)
    }
}

extension String {
    fileprivate func components(separatedByTag tag: String) -> Int { split(separator: tag, omittingEmptySubsequences: false).count }
}
