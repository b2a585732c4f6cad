// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import SearchText
import Testing
import TextReading

/// What a note's text leads to, hard cases first.
struct LinkDetectorTests {
    private func found(_ text: String) -> [String] {
        LinkDetector.links(in: text).map { "\($0.kind.rawValue) \($0.target)" }
    }

    @Test(
        arguments: [
            ("see https://x.org/a.", ["url https://x.org/a"]),
            ("(see https://x.org/a)", ["url https://x.org/a"]),
            ("https://en.wikipedia.org/wiki/Foo_(bar)", ["url https://en.wikipedia.org/wiki/Foo_(bar)"]),
            ("(https://en.wikipedia.org/wiki/Foo_(bar)).", ["url https://en.wikipedia.org/wiki/Foo_(bar)"]),
            ("<https://x.org/?q=1&r=2>", ["url https://x.org/?q=1&r=2"]),
            ("[label](https://x.org/a_b)", ["url https://x.org/a_b"]),
            ("[ref]: https://x.org", ["url https://x.org"]),
            ("\"https://x.org\", 'http://y.org'!", ["url https://x.org", "url http://y.org"]),
            ("HTTPS://X.ORG:8080/p#f", ["url https://X.ORG:8080/p#f"]),
            ("http://user@host.org/", ["url http://user@host.org/"]),
            ("http://[2001:db8::1]:80/x", ["url http://[2001:db8::1]:80/x"]),
            ("www.x.org/path, and www.y.org.", ["url https://www.x.org/path", "url https://www.y.org"]),
            ("www. nothing", []), ("www.nodot", []), ("awww.x.org", []),
            ("https://bücher.example/straße?ä", ["url https://bücher.example/stra%C3%9Fe?%C3%A4"]),
            ("見て https://例え.jp/パス。次", ["url https://例え.jp/%E3%83%91%E3%82%B9"]),
            ("「https://x.org」、", ["url https://x.org"]),
            ("https://x.org/a%20b^d|c", ["url https://x.org/a%20b%5Ed"]),
            ("https://", []), ("http:///x", []), ("http://.", []), ("xhttp://y.org", []),
            ("javascript:alert(1) data:text/html,x", []),
            (
                "mailto:a@b.org tel:+4930123 geo:52.5,13.4",
                ["email mailto:a@b.org", "phone tel:+4930123", "url geo:52.5,13.4"]
            ),
            ("gemini://x.org vault://n/1", ["url gemini://x.org", "url vault://n/1"]),
            ("https://x.org/\u{1B}]8;;evil", ["url https://x.org/"]),
            ("https://x.org/a\u{202E}b", ["url https://x.org/a"]),
        ] as [(String, [String])]) func addresses(text: String, expected: [String])
    { #expect(found(text) == expected) }

    @Test(
        arguments: [
            ("write to a.b+c@x-y.example.org.", ["email mailto:a.b+c@x-y.example.org"]),
            ("<joe@x.org>, (ann@y.org)", ["email mailto:joe@x.org", "email mailto:ann@y.org"]),
            (".a@x.org", ["email mailto:a@x.org"]), ("a.@x.org", []), ("a..b@x.org", []), ("a@x", []), ("a@x.o", []),
            ("a@-x.org", []),
            ("@x.org", []), ("a@@x.org", []), ("a@x.org@y.org", []), ("müller@x.org", []),
            ("me@bücher.example", ["email mailto:me@bücher.example"]), ("a@x.xn--p1ai", ["email mailto:a@x.xn--p1ai"]),
            ("a%b@x.org", ["email mailto:a%25b@x.org"]), ("a@1.2.3.4", []),
        ] as [(String, [String])]) func mailAddresses(text: String, expected: [String])
    { #expect(found(text) == expected) }

    @Test(
        arguments: [
            ("+49 (0)30 1234-567", ["phone tel:+49301234567"]), ("+1-202-555-0143", ["phone tel:+12025550143"]),
            ("+4915112345678.", ["phone tel:+4915112345678"]),
            ("0049 30 1234567", ["phone tel:+49301234567"]), ("(202) 555-0143", ["phone tel:2025550143"]),
            ("202-555-0143", ["phone tel:2025550143"]),
            ("1-202-555-0143", ["phone tel:+12025550143"]), ("030 1234567", ["phone tel:0301234567"]),
            ("0171/2345678", ["phone tel:01712345678"]),
            ("1.2.3.4", []), ("192.168.100.200", []), ("v10.0.19045.3570", []), ("1,234,567.89", []), ("2019-2024", []),
            ("1234 5678 9012 3456", []),
            ("978-3-16-148410-0", []), ("3.14159265358", []), ("12345678", []), ("abc0301234567", []),
            ("#030 1234567", []), ("+12", []),
            ("+0 123 456 789", []), ("2026-13-41 10", []), ("0x1234 5678", []), ("10:30-11:45", []),
            ("$030 123 4567", []),
        ] as [(String, [String])]) func telephoneNumbers(text: String, expected: [String])
    { #expect(found(text) == expected) }

    @Test(
        arguments: [
            ("due 2026-11-21, or 2024-02-29.", ["date 2026-11-21", "date 2024-02-29"]),
            ("2026-11-21T10:00Z", ["date 2026-11-21"]),
            ("2026-11-21T10:00:30.5+01:00", ["date 2026-11-21"]), ("2025-02-29", []), ("2026-13-01", []),
            ("2026-00-10", []), ("0000-01-01", []),
            ("12026-11-21", []), ("2026-11-211", []), ("2026-11-21.md", []), ("x/2026-11-21", []),
            ("2026-11-21-notes", []),
            ("https://x.org/2026-11-21", ["url https://x.org/2026-11-21"]),
        ] as [(String, [String])]) func days(text: String, expected: [String])
    { #expect(found(text) == expected) }

    @Test(
        arguments: [
            ("[[Shopping list]]", ["note Shopping list"]), ("[[ k7tq |the plan]]", ["note k7tq"]),
            ("[[a]] [[b]]", ["note a", "note b"]),
            ("[[]]", []), ("[[ ]]", []), ("[[a\nb]]", []), ("[[a]", []), ("[[[a]]]", ["note a"]), ("[[a[b]]", []),
            ("[a]", []),
        ] as [(String, [String])]) func noteLinks(text: String, expected: [String])
    {
        #expect(found(text) == expected)
        #expect(LinkDetector.noteTargets(in: Array(text.utf8)) == expected.map { String($0.dropFirst(5)) })
    }

    @Test func aNoteLinkIsCalledByItsLabel() {
        #expect(LinkDetector.links(in: "[[k7tq|the plan]]").first?.label == "the plan")
    }

    @Test(arguments: [
        "`https://x.org` and ``a ` b@x.org``", "```\nhttps://x.org\n```", "~~~~\na@x.org\n~~~\n[[x]]\n~~~~",
        "text\n\n    +4930123456\n",
        "```swift\nlet a = \"https://x.org\"\n", "   ```\n2026-11-21\n   ```",
    ]) func nothingIsFoundInCode(text: String) { #expect(found(text).isEmpty) }

    @Test(
        arguments: [
            ("`unclosed https://x.org", ["url https://x.org"]),
            ("```\ncode\n```\nhttps://x.org", ["url https://x.org"]),
            ("- item\n\n    https://x.org", ["url https://x.org"]), ("a `b` c@x.org `d`", ["email mailto:c@x.org"]),
            ("``` a`b https://x.org", ["url https://x.org"]),
        ] as [(String, [String])]) func whatIsNoCodeIsFound(text: String, expected: [String])
    { #expect(found(text) == expected) }
}
