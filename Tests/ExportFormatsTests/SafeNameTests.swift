// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Testing

@testable import ExportFormats

/// ThreatModel H01.
struct SafeNameTests {
    @Test(arguments: [
        ("../../etc/passwd", "_.._etc_passwd"), ("/abs", "_abs"), ("C:\\x", "C__x"), ("..\\evil", "_evil"), (".", ""),
        ("..", ""), ("", ""),
        ("   ", ""), (".hidden", "hidden"), ("-rf", "rf"), ("--  .-x", "x"), ("name.", "name"), ("name . ", "name"),
        ("a\nb\u{0}c", "a_b_c"),
        ("CON", "_CON"), ("con.txt", "_con.txt"), ("Aux .md", "_Aux .md"), ("COM1", "_COM1"), ("lpt9.x", "_lpt9.x"),
        ("COM\u{B9}", "_COM\u{B9}"),
        ("CONIN$", "_CONIN$"), ("console", "console"), ("COM10", "COM10"), ("a<b>c:d\"e|f?g*h", "a_b_c_d_e_f_g_h"),
        ("a\u{202E}gpj.exe", "a_gpj.exe"), ("a\u{2028}b\u{85}c", "a_b_c"), ("\u{2003}x\u{A0}", "x"),
        ("Ümläute 文字 🎉", "Ümläute 文字 🎉"),
        ("👩‍💻 at work", "👩‍💻 at work"), ("plain title-1_2, x", "plain title-1_2, x"),
    ])
    func hostileNamesBecomeSafe(text: String, expected: String) {
        #expect(SafeName.clean(text, fallback: "") == expected)
    }

    @Test func aNameThatLosesAllHasTheFallback() {
        #expect(SafeName.clean("...", fallback: "Untitled") == "Untitled")
    }

    @Test func longNamesAreCutBetweenCharacters() {
        for (text, byteCount) in [
            (String(repeating: "a", count: 300), 120), (String(repeating: "ü", count: 300), 120),
            (String(repeating: "👩‍💻", count: 90), 110),
            ("x" + String(repeating: "文", count: 300), 118), (String(repeating: "a", count: 119) + "e\u{301}", 119),
        ] {
            let name = SafeName.clean(text, fallback: "")
            #expect(name.utf8.count == byteCount && text.hasPrefix(name))
        }
        // One character that is longer than any name.
        let zalgo = "e" + String(repeating: "\u{301}", count: 1 << 20)
        #expect(SafeName.clean(zalgo, fallback: "").utf8.count == 119)
        #expect(SafeName.clean(String(repeating: "a", count: 119) + " b", fallback: "").utf8.count == 119)
    }

    @Test func anyTextGivesANameThatStaysItself() {
        var random = SystemRandomNumberGenerator()
        let signs = Array("a.-_ /\\:*?\"<>|\u{0}\n\u{7F}\u{202E}üß文🎉\u{301}\u{200D}CONcon1").map(String.init)
        for _ in 0..<3000 {
            let text = (0..<Int.random(in: 0..<40, using: &random)).map { _ in signs.randomElement(using: &random)! }
                .joined()
            let name = SafeName.clean(text, fallback: "fallback")
            #expect(SafeName.clean(name, fallback: "") == name, "\(text.debugDescription)")
            #expect((try? ExportPath.check([name])) != nil && name.utf8.count <= 120)
        }
    }

    @Test func onlyShortEndingsAreEndings() {
        #expect(SafeName.split("photo.jpeg") == ("photo", ".jpeg"))
        #expect(SafeName.split("archive.tar.gz") == ("archive.tar", ".gz"))
        for name in ["none", ".hidden", "a.", "a.b c", "a." + String(repeating: "x", count: 20), "a.ü"] {
            #expect(SafeName.split(name) == (name, ""))
        }
    }

    @Test func namesThatMeetOnSomeSystemGetNumbers() {
        var names = UsedNames()
        let stems = [
            "Straße", "STRASSE", "e\u{301}", "\u{E9}", "Plan", "plan", "PLAN", "plan (2)", "ſ", "S", "a\u{200D}b", "ab",
        ]
        let claimed = stems.map { names.claim($0, in: 1, endings: [".md"]) }
        #expect(
            claimed == [
                "Straße", "STRASSE (2)", "e\u{301}", "\u{E9} (2)", "Plan", "plan (2)", "PLAN (3)", "plan (2) (2)", "ſ",
                "S (2)", "a\u{200D}b",
                "ab (2)",
            ])
        #expect(names.claim("plan", in: 2, endings: [".md"]) == "plan")
    }

    @Test func allEndingsOfAStemMustBeFree() {
        var names = UsedNames()
        #expect(names.claim("a.files", in: 0, endings: [""]) == "a.files")
        #expect(names.claim("a", in: 0, endings: [".md", ".files"]) == "a (2)")
        #expect(names.claim("A", in: 0, endings: [".md"]) == "A")
    }

    @Test func aHundredThousandTwinsAreCountedOnce() {
        var names = UsedNames()
        let long = String(repeating: "x", count: 110)
        var last = ""
        for number in 0..<100_000 {
            last = names.claim(number % 2 == 0 ? "Untitled" : long + "\(number % 10)", in: 0, endings: [".md"])
        }
        #expect(last.utf8.count <= 120 && last.hasSuffix(")"))
    }
}
