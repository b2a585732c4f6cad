// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Foundation
import MarkdownHTML
import Testing

struct MarkdownNodesTests {
    private func nodes(_ text: String) throws -> String {
        String(decoding: try #require(MarkdownNodes.json(text)), as: UTF8.self)
    }

    @Test func aTextIsATreeOfFewElements() throws {
        #expect(
            try nodes("# A\n\n- [x] b\n- c") == #"[["h1",["A"]],["ul",[["li",["b"],{"checked":true}],["li",["c"]]]]]"#)
        #expect(try nodes("3. a\n\n   b") == #"[["ol",[["li",[["p",["a"]],["p",["b"]]]]],{"start":3}]]"#)
        #expect(
            try nodes("*a* **b** ~~c~~ `d`\ne").hasPrefix(
                #"[["p",[["em",["a"]]," ",["strong",["b"]]," ",["del",["c"]]"#))
        #expect(
            try nodes("|a|\n|-|\n|b|") == #"[["table",[["tr",[["th",["a"]]]],["tr",[["td",["b"]]]]]]]"#)
    }

    @Test func rawHTMLIsText() throws {
        #expect(try nodes("<script>x</script>") == #"[["pre",["<script>x</script>\n"]]]"#)
        #expect(try nodes("a <b onclick=x>c").contains(#"["p",["a ","<b onclick=x>","c"]]"#))
    }

    @Test(arguments: [
        "javascript:alert(1)", "data:text/html,x", "//evil.example", "vbscript:x", "file:///etc/passwd", "a b",
    ])
    func noLinkLeadsElsewhere(_ url: String) throws {
        #expect(!(try nodes("[words](\(url))").contains("href")))
        #expect(!(try nodes("![words](\(url))").contains("img")))
    }

    @Test func attachmentsAreNamed() throws {
        #expect(try nodes("![p](att:a%20b.jpg)") == #"[["p",[["img",["p"],{"att":"a b.jpg"}]]]]"#)
        #expect(try nodes("[f](<att:ä.pdf>)") == #"[["p",[["a",["f"],{"att":"ä.pdf"}]]]]"#)
    }

    /// Whatever a text is, what comes of it is JSON, and no deeper than a page can build.
    @Test func everyTextBecomesJSON() throws {
        let deep = String(repeating: "> ", count: 3000) + "x"
        let odd = "\u{0}\u{1}\"\\\u{7F}\u{2028}[[\u{202E}]] &#0; &#1; ``` \n```\n" + String(repeating: "[", count: 5000)
        for text in [deep, odd, String(repeating: "- a\n  ", count: 500), String(repeating: "*a **b ", count: 2000)] {
            let json = try JSONSerialization.jsonObject(with: Data(try #require(MarkdownNodes.json(text))))
            #expect(depth(json) < 2 * 70)
        }
    }

    private func depth(_ value: Any) -> Int {
        guard let list = value as? [Any] else { return 0 }
        return 1 + (list.map { depth($0) }.max() ?? 0)
    }
}
