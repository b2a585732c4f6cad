// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import ParserProtocol
import Testing
import VaultTesting

/// Front matter that is broken or means harm: the note keeps it as text, and nothing is taken from it.
struct MarkdownHostileYAMLTests {
    @Test(arguments: [
        "title: [a", "title: a: b", "just text", "- a\n- b", "title: T\ntitle: U", "\ttitle: T", "title: *unknown",
        "title: &a T", "a: &x [1]\nb: *x", "title: !!binary AAAA", "title: !own T", "tags: !!set {a, b}", "? [a]\n: b",
        "title: \"\\uD800\"", "title: T\n%TAG ! x", "title: a\u{2028}b", "title: a\u{85}- - - b", "title: T\n--- more",
        "title: a\rb: c", "title: \u{1}", "~",
    ])
    func unsafeOrBrokenFrontMatterIsKeptAsText(yaml: String) throws {
        let text = "---\n\(yaml)\n---\nBody #tag\n"
        let note = try parse(text)
        #expect(note.body == text && note.title == "note")
        #expect(codes(note).contains(.frontMatterInvalid))
        #expect(note.tags == ["tag"])
    }

    @Test func whatOnlyLooksLikeAnAnchorIsText() throws {
        #expect(try parse("---\ntitle: R&D & more *stars* ! & so\n---\n").title == "R&D & more *stars* ! & so")
    }

    @Test func aBombOfAliasesIsRefusedBeforeItIsParsed() throws {
        var yaml = "a0: &a0 [x, x, x, x, x, x, x, x, x]\n"
        for level in 1...20 {
            let items = Array(repeating: "*a\(level - 1)", count: 9).joined(separator: ", ")
            yaml += "a\(level): &a\(level) [\(items)]\n"
        }
        for bomb in [yaml, yaml.replacingFirst(" &", with: " !!seq &"), yaml + "? *a20\n: x\n"] {
            let note = try parse("---\n\(bomb)---\nx")
            #expect(codes(note).contains(.frontMatterInvalid) && note.body.hasPrefix("---\na0"))
        }
    }

    @Test(arguments: [
        "[", "{", "[{", "{a: ", "- ", "? ", ": ", "-\t", "- ? ", "\"[\" ", "!!seq [",
    ])
    func deepNestingNeverReachesTheParsersStack(unit: String) throws {
        for count in [100, 5_000, 100_000] {
            for opening in ["", "title: ", "title: T\nx:\n  "] {
                let text = "---\n" + opening + String(repeating: unit, count: count) + "\n---\nx"
                let note = try parse(text)
                #expect(note.body == text && codes(note).contains(.frontMatterInvalid))
            }
        }
    }

    @Test func nestingByIndentationIsBounded() throws {
        let yaml = (0..<300).map { String(repeating: " ", count: $0) + "k:" }.joined(separator: "\n")
        #expect(codes(try parse("---\n\(yaml)\n---\nx")) == [.frontMatterInvalid])
        let shallow = (0..<100).map { String(repeating: " ", count: 2 * $0) + "k:" }.joined(separator: "\n")
        #expect(codes(try parse("---\n\(shallow)\n---\nx")) == [.unknownFrontMatterKey])
    }

    @Test func theDeepestThatPassesIsParsedWithoutHarm() throws {
        // Each line opens eight blocks, and a quoted word lets the brackets' depth begin again.
        var yaml = "k:\n"
        var column = 1
        while column < 190 {
            yaml += String(repeating: " ", count: column) + String(repeating: "- ", count: 8) + "a:\n"
            column += 17
        }
        yaml += String(repeating: " ", count: 199)
        for _ in 0..<30 { yaml += String(repeating: "[", count: 31) + "\"" + String(repeating: "]", count: 31) + "\"," }
        let note = try parse("---\n\(yaml)\n---\nx")
        #expect(!note.losses.isEmpty && note.body.contains(yaml))
    }

    @Test func propertiesAboveTheCapAreText() throws {
        let filler = String(repeating: "k: v\n", count: 13_200)
        let text = "---\ntitle: T\n\(filler)---\nx"
        let note = try parse(text)
        #expect(note.body == text && note.title == "note" && codes(note) == [.frontMatterInvalid])
        let many = (0..<6000).map { "k\($0): v\n" }.joined()
        #expect(try parse("---\ntitle: T\n\(many)---\nx").title == "T")
    }

    @Test func randomMutationsNeverTrapAndStayWithinTheCaps() throws {
        var generator = SeededGenerator(2)
        let seed = Array(
            "---\ntitle: \"A\\n\"\ntags: [a, #b, 'c']\ncreated: 2024-01-31T10:00:00Z\nx: {y: [1, *z]}\n? q\n: |\n  t\n---\n# H\n`#c` #d ![[e.png]]\n```\n#f\n```\n"
                .utf8)
        let signs = Array("[]{}&*!|>'\"%@`#-?:,\n\r\t \\~.0\u{85}\u{2028}é".utf8)
        for _ in 0..<20_000 {
            var bytes = seed
            for _ in 0...Int.random(in: 0...5, using: &generator) {
                let at = Int.random(in: bytes.indices, using: &generator)
                switch Int.random(in: 0...3, using: &generator) {
                case 0: bytes[at] = UInt8.random(in: 0...255, using: &generator)
                case 1: bytes[at] = signs.randomElement(using: &generator) ?? 0
                case 2: bytes.insert(signs.randomElement(using: &generator) ?? 0, at: at)
                default: bytes.remove(at: at)
                }
            }
            #expect(isWithinCaps(try parse(bytes: bytes)))
        }
    }
}

extension String {
    fileprivate func replacingFirst(_ part: String, with other: String) -> String {
        guard let range = firstRange(of: part) else { return self }
        return replacingCharacters(range, other)
    }
    private func firstRange(of part: String) -> Range<Index>? {
        indices.first { self[$0...].hasPrefix(part) }.map { $0..<index($0, offsetBy: part.count) }
    }
    private func replacingCharacters(_ range: Range<Index>, _ other: String) -> String {
        String(self[..<range.lowerBound]) + other + self[range.upperBound...]
    }
}
