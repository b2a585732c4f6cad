// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import SketchFormat
import Testing
import VaultTesting

struct ImportHostileTests {
    private static let root = "<svg xmlns=\"http://www.w3.org/2000/svg\">"

    private func code(_ text: String) -> SketchError.Code? { code(Array(text.utf8)) }

    private func code(_ bytes: [UInt8]) -> SketchError.Code? {
        var leftOut: [LeftOut: Int] = [:]
        do {
            _ = try Sketch(importingSVG: bytes, leavingOut: &leftOut)
            return nil
        } catch {
            return error.code
        }
    }

    @Test(arguments: [
        (
            "billion laughs", "<!DOCTYPE l [<!ENTITY a \"ha\"><!ENTITY b \"&a;&a;\">]>\(root)&b;</svg>",
            SketchError.Code.declarations
        ),
        ("external entity", "<!DOCTYPE l [<!ENTITY a SYSTEM \"file:///etc/passwd\">]>\(root)&a;</svg>", .declarations),
        ("parameter entity", "<!DOCTYPE l SYSTEM \"a\" [%b;]>\(root)</svg>", .declarations),
        ("entity in text", "\(root)&nbsp;</svg>", .unknownEntity),
        ("entity in a value", "\(root)<g id=\"&a;\"/></svg>", .unknownEntity),
        ("endless reference", "\(root)&aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa;</svg>", .malformed),
        ("surrogate by number", "\(root)&#xD800;</svg>", .malformed),
        ("NUL by number", "\(root)&#0;</svg>", .malformed),
        ("large number", "\(root)&#99999999999;</svg>", .malformed), ("open comment", "\(root)<!-- </svg>", .malformed),
        ("open CDATA", "\(root)<![CDATA[ </svg>", .malformed), ("open value", "\(root)<g id=\"></svg>", .malformed),
        ("wrong end", "\(root)<g></h></svg>", .malformed), ("no end", root, .malformed),
        ("two roots", "\(root)</svg>\(root)</svg>", .malformed),
        ("text after", "\(root)</svg>x", .malformed), ("attribute twice", "\(root)<g a='1' a='2'/></svg>", .malformed),
        ("attributes together", "\(root)<g a='1'b='2'/></svg>", .malformed),
        ("tag in a value", "\(root)<g a='<'/></svg>", .malformed),
        ("document type within", "\(root)<!DOCTYPE svg></svg>", .malformed),
        ("control character", "\(root)\u{1}</svg>", .notText),
        ("nothing", "", .malformed), ("only a comment", "<!-- -->", .malformed), ("other root", "<html/>", .notASketch),
        ("no namespace", "<svg/>", .notASketch), ("other namespace", "<svg xmlns='http://example.org'/>", .notASketch),
        ("not XML", "%PDF-1.4", .malformed),
    ])
    func malformedAndHostileFilesAreRefused(_ name: String, _ text: String, _ expected: SketchError.Code) {
        #expect(code(text) == expected, "\(name)")
    }

    @Test func depthAttributesAndElementsHaveLimits() {
        func nested(_ depth: Int) -> String {
            Self.root + String(repeating: "<g>", count: depth - 1) + String(repeating: "</g>", count: depth - 1)
                + "</svg>"
        }
        #expect(code(nested(64)) == nil)
        #expect(code(nested(65)) == .tooDeep)
        #expect(code(nested(100_000)) == .tooDeep)
        func attributes(_ count: Int) -> String {
            Self.root + "<g " + (0..<count).map { "a\($0)='' " }.joined() + "/></svg>"
        }
        #expect(code(attributes(256)) == nil)
        #expect(code(attributes(100_000)) == .tooManyAttributes)
        #expect(code(Self.root + String(repeating: "<b/>", count: 250_001) + "</svg>") == .tooManyElements)
        #expect(code(Self.root + "<\(String(repeating: "a", count: 100_000))/></svg>") == .malformed)
    }

    @Test func bytesThatAreNoTextAreRefused() {
        #expect(code([0xFF, 0xFE, 0x3C, 0]) == .notText)
        #expect(code(Array(Self.root.utf8) + [0xC0, 0xAF]) == .notText)
        #expect(code([UInt8](repeating: 0x20, count: Sketch.byteCountMax + 1)) == .tooLarge)
    }

    @Test func countsOfStrokesAndPointsHaveLimits() {
        let dot = "<path stroke='red' d='M0 0h0'/><path stroke='blue' d='M0 0h0'/>"
        #expect(code(Self.root + String(repeating: dot, count: 5_000) + "</svg>") == nil)
        #expect(code(Self.root + String(repeating: dot, count: 5_001) + "</svg>") == .tooManyStrokes)
        #expect(
            code(Self.root + "<path stroke='red' d='M0 0\(String(repeating: "h1h-1", count: 500_001))'/></svg>")
                == .tooManyPoints)
        // Each curve alone would be thousands of lines.
        let curve = "C32000 0 -32000 9 0 0"
        #expect(
            code(Self.root + "<path stroke='red' d='M0 0\(String(repeating: curve, count: 5_000))'/></svg>")
                == .tooManyPoints)
    }

    @Test func longTextsTakeTimeInProportion() {
        // Each of these is near the cap; were one of them read in quadratic time, this would not end.
        for filler in ["]]", "&#65;", "<!---->", "<?x?>", "  \n", "<g/>"] {
            let count = min(300_000 / filler.utf8.count, 100_000)
            #expect(code(Self.root + String(repeating: filler, count: count) + "</svg>") == nil, "\(filler)")
        }
        for value in [";", "a:b;", "stroke:", "(", "-", "1e", "M"] {
            let long = String(repeating: value, count: 50_000)
            #expect(
                code(Self.root + "<path style='\(long)' d='M\(long)' transform='\(long)' stroke='\(long)'/></svg>")
                    == nil, "\(value)")
        }
    }

    @Test func noFlippedBitTraps() {
        let svg = Array(
            """
            <?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg" width="9cm" height="50%" viewBox="0 0 90 40"><!-- c --><g id="&#x41;&lt;"
            transform="rotate(5,1,2) skewX(3) matrix(1 0 0 1 2e1 -3)" style="stroke:#f00;fill:none;opacity:.9"><path d="M1 2C3 4 5 6 7 8s1-2 3 4q1 2 3
            4t9 9A5 6 7 0 1 9 9zh1v2"/><rect x="1" y="2" width="30%" height="4" rx="1"/><polygon points="1 2,3 4 5,6"/><![CDATA[x]]></g></svg>
            """.utf8)
        #expect(code(svg) == nil)
        var numbers = SeededGenerator(5)
        var refused = 0
        for _ in 0..<4_000 {
            var bytes = svg
            for _ in 0..<Int.random(in: 1...4, using: &numbers) {
                let place = Int.random(in: 0..<bytes.count, using: &numbers)
                bytes[place] =
                    Bool.random(using: &numbers)
                    ? svg.randomElement(using: &numbers) ?? 0
                    : bytes[place] ^ UInt8(1 << Int.random(in: 0..<8, using: &numbers))
            }
            if code(bytes) != nil { refused += 1 }
        }
        #expect(refused > 1_000)
    }
}
