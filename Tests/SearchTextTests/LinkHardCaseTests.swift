// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import SearchText
import Testing
import TextReading

/// Cases where a link begins or ends at a place that is easily mistaken, or where something looks like one. Kind,
/// target and what is shown.
struct LinkHardCaseTests {
    private func check(_ text: String, _ expected: [String], at location: SourceLocation = #_sourceLocation) {
        let links = LinkDetector.links(in: text)
        #expect(links.map { "\($0.kind.rawValue) \($0.target) | \($0.label)" } == expected, sourceLocation: location)
        let bytes = Array(text.utf8)
        for link in links where link.kind != .note {
            #expect(String(decoding: bytes[link.range], as: UTF8.self) == link.label, sourceLocation: location)
        }
    }

    @Test(
        arguments: [
            (
                "[a](https://x.org)[b](https://y.org)",
                ["url https://x.org | https://x.org", "url https://y.org | https://y.org"]
            ),
            (
                "[https://x.org](https://x.org)",
                ["url https://x.org | https://x.org", "url https://x.org | https://x.org"]
            ),
            ("[l](https://x.org/a)text,", ["url https://x.org/a | https://x.org/a"]),
            ("|https://x.org|b|", ["url https://x.org | https://x.org"]),
            ("http://http://x.org", ["url http://x.org | http://x.org"]),
            ("http://a...b", ["url http://a | http://a"]), ("https://x.org…", ["url https://x.org | https://x.org"]),
            ("https://x.org/a…", ["url https://x.org/a | https://x.org/a"]),
            ("https://x.org/‘a’", ["url https://x.org/ | https://x.org/"]),
            ("http://x.org:65535/", ["url http://x.org:65535/ | http://x.org:65535/"]), ("http://x.org:65536/", []),
            ("http://x.org:123456789/", []),
            ("http://x.org: next", ["url http://x.org | http://x.org"]), ("http://x.org:/", []),
            ("https://x.org谢谢", ["url https://x.org | https://x.org"]),
            ("请看https://x.org/a，谢谢", ["url https://x.org/a | https://x.org/a"]),
            ("（https://x.org/a）", ["url https://x.org/a | https://x.org/a"]), ("éhttps://x.org", []),
            ("_https://x.org_", ["url https://x.org | https://x.org"]),
            ("'https://x.org/a'+b", ["url https://x.org/a | https://x.org/a"]),
            ("**https://x.org**", ["url https://x.org | https://x.org"]),
            ("<https://x.org/a.>", ["url https://x.org/a. | https://x.org/a."]),
            ("<https://x.org/a)b>", ["url https://x.org/a)b | https://x.org/a)b"]),
            ("{\\url{https://x.org/a}}", ["url https://x.org/a | https://x.org/a"]),
            ("https://x.org/a(b", ["url https://x.org/a(b | https://x.org/a(b"]),
            ("https://x.org/a(", ["url https://x.org/a | https://x.org/a"]),
            ("https://x.org/?a[]=1", ["url https://x.org/?a%5B%5D=1 | https://x.org/?a[]=1"]),
            ("https://x.org/%zz%4", ["url https://x.org/%25zz%254 | https://x.org/%zz%4"]),
            ("https://x.org/a#b#c", ["url https://x.org/a#b%23c | https://x.org/a#b#c"]),
            ("https://x.org/a[[b]]", ["url https://x.org/a | https://x.org/a", "note b | b"]),
            ("https://x.org./p", ["url https://x.org./p | https://x.org./p"]),
            ("https://x.org/L’Équipe", ["url https://x.org/L%E2%80%99%C3%89quipe | https://x.org/L’Équipe"]),
            ("https://x.org/a–", ["url https://x.org/a | https://x.org/a"]),
            ("http://localhost:8080/x", ["url http://localhost:8080/x | http://localhost:8080/x"]),
            ("https://bank.example\u{200B}.evil.org", []), ("http://ex\u{3164}ample.org", []),
            ("https://a\u{1F600}b.org", []),
            ("https://\u{202E}gro.x", []),
            ("https://user:p@ss@x.org/", []), ("https://u%zz@x.org/", []), ("https://[zz]/", []), ("https://[::1", []),
            ("https://-x.org", []),
            ("www.x@y.org", ["email mailto:www.x@y.org | www.x@y.org"]), ("www.com", []), ("www.x.1", []),
            ("WWW.X.ORG", ["url https://WWW.X.ORG | WWW.X.ORG"]),
            ("Www.x.org?q=1", ["url https://Www.x.org?q=1 | Www.x.org?q=1"]), ("foo://user@host.org/ ", []),
            ("data://x.org file://x.org/2026-11-21", []),
        ] as [(String, [String])]) func addresses(text: String, expected: [String])
    {
        check(text, expected)
    }

    @Test(
        arguments: [
            ("请联系a@x.org谢谢", ["email mailto:a@x.org | a@x.org"]),
            ("Mail:me@x.org", ["email mailto:me@x.org | me@x.org"]),
            ("git@github.com:foo/bar.git", []), ("postgres://u:pass@db.host.org/x", []), ("@user@server.org", []),
            ("icon@2x.png", []),
            ("pkg@1.2.3", []),
            ("'a@x.org'", ["email mailto:a@x.org | a@x.org"]), ("_a@x.org_", ["email mailto:a@x.org | a@x.org"]),
            ("a@x.org:", ["email mailto:a@x.org | a@x.org"]),
            ("a@x.org…", ["email mailto:a@x.org | a@x.org"]), ("a@x_y.org", []), ("a@x.org-b", []),
            ("2026-11-21@x.org", ["email mailto:2026-11-21@x.org | 2026-11-21@x.org"]),
            (
                "mailto:a@x.org?subject=Hi%20x&body=ä.",
                ["email mailto:a@x.org?subject=Hi%20x&body=%C3%A4 | mailto:a@x.org?subject=Hi%20x&body=ä"]
            ),
            ("mailto:foo tel:none geo:politics", []), ("geo:1.2.3,4", []),
            ("geo:-33.9,151.2;u=35", ["url geo:-33.9,151.2;u=35 | geo:-33.9,151.2;u=35"]),
            ("tel:112,", ["phone tel:112 | tel:112"]),
            ("Tel:+49 30 1234567", ["phone tel:+49301234567 | Tel:+49 30 1234567"]),
        ] as [(String, [String])]) func mailAndNamedAddresses(text: String, expected: [String])
    { check(text, expected) }

    @Test(
        arguments: [
            ("DE89 3704 0044 0532 0130 00", []), ("0123 4567 8901 2345", []), ("4111-1111-1111-1111", []),
            ("+1 000 000", []), ("+12.345.678", []),
            ("+250 000 000 €", []), ("€030 123 4567", []), ("0930-1045", []), ("01-02-2026", []),
            ("01.02.2026 1030", []), ("0-306-40615-2", []),
            ("00-11-22-33-44-55", []), ("01234567-89ab-cdef", []), ("IMG_0301-234567.jpg", []), ("f(202) 555-0143", []),
            ("123-456-7890-123", []),
            ("(102) 555-0143", []), ("202-155-0143", []), ("+1234567890123456", []), ("0301234567", []),
            ("12 345 678 901", []), ("123-45-6789", []),
            ("+49 30 1234567 2nd", ["phone tel:+49301234567 | +49 30 1234567"]),
            ("030 1234567 2026-11-21", ["phone tel:0301234567 | 030 1234567", "date 2026-11-21 | 2026-11-21"]),
            ("202-555-0143x12", ["phone tel:2025550143 | 202-555-0143"]),
            ("06 12 34 56 78", ["phone tel:0612345678 | 06 12 34 56 78"]),
            ("(+49 30 1234567)", ["phone tel:+49301234567 | +49 30 1234567"]),
            ("030 / 1234567", ["phone tel:0301234567 | 030 / 1234567"]),
            ("(202)555-0143", ["phone tel:2025550143 | (202)555-0143"]),
            ("+1 (202) 555-0143", ["phone tel:+12025550143 | +1 (202) 555-0143"]),
            ("00 49 30 1234567", ["phone tel:+49301234567 | 00 49 30 1234567"]),
            ("+81\u{A0}3\u{2011}1234\u{2011}5678", ["phone tel:+81312345678 | +81\u{A0}3\u{2011}1234\u{2011}5678"]),
            ("2026-11-20..2026-11-23", ["date 2026-11-20 | 2026-11-20", "date 2026-11-23 | 2026-11-23"]),
            ("due:2026-11-21", ["date 2026-11-21 | 2026-11-21"]),
            ("am2026-11-21", []), ("日付2026-11-21です", ["date 2026-11-21 | 2026-11-21"]), ("2026-11-21T25:00", []),
            ("1900-02-29 2000-02-29", ["date 2000-02-29 | 2000-02-29"]),
            ("2026-11-21T10:00:30+0100.", ["date 2026-11-21 | 2026-11-21T10:00:30+0100"]), ("2026-11-21-", []),
            ("a-2026-11-21", []),
            ("2026-11-21_x", []),
        ] as [(String, [String])]) func numbers(text: String, expected: [String])
    { check(text, expected) }

    @Test(
        arguments: [
            ("[[1]](https://x.org)", ["url https://x.org | https://x.org"]), ("\\[[a]]", []),
            ("\\\\[[a]]", ["note a | a"]),
            ("[[https://x.org]]", ["url https://x.org | https://x.org"]), ("[[a|]]", ["note a | a"]), ("[[|x]]", []),
            ("[[a|b|c]]", ["note a | b|c"]),
            ("[[me@x.org]]", ["note me@x.org | me@x.org"]), ("[[a\u{202E}b\u{1B}|c\u{2066}d]]", ["note ab | cd"]),
            ("[[\u{202E}]]", []),
            ("[[a `b` c]]", []),
            ("![[a]]", ["note a | a"]), ("[[日記]]", ["note 日記 | 日記"]),
            ("\\`https://x.org`", ["url https://x.org | https://x.org"]), ("a `b\nhttps://x.org` c", []),
            ("a `b\n\nhttps://x.org` c", ["url https://x.org | https://x.org"]),
            ("- a `b\n- https://x.org` c", ["url https://x.org | https://x.org"]),
            ("10. x\n\n    ```\n\n    https://x.org\n    ```\n[[a]]", ["note a | a"]),
            ("# `x\nhttps://x.org `", ["url https://x.org | https://x.org"]),
            ("```\n```x\nhttps://x.org\n```\n[[a]]", ["note a | a"]),
            ("3.14\n\n    [[a]]", []),
            ("\thttps://x.org", []), ("text\n    https://x.org", ["url https://x.org | https://x.org"]),
            ("~~~\n```\n[[a]]\n~~~\r\n[[b]]", ["note b | b"]),
        ] as [(String, [String])]) func notesAndCode(text: String, expected: [String])
    { check(text, expected) }

    @Test func aNoteLinkHasAtMostFiveHundredBytes() {
        for (count, found) in [(500, 1), (501, 0)] {
            #expect(LinkDetector.links(in: "[[" + String(repeating: "a", count: count) + "]]").count == found)
        }
    }

    @Test func targetsOfNotesAreNamedOnce() {
        #expect(LinkDetector.noteTargets(in: Array("[[a]] [[b|x]] [[a|y]] `[[c]]`".utf8)) == ["a", "b"])
    }
}
