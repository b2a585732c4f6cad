// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Testing

@testable import VaultAgent

/// Names in imported texts: only whole ones, and linear whatever the text.
struct ImportedTextTests {
    @Test func targetsAndFilesGetTheirNewNames() {
        var text = ImportedText()
        text.targets = ["a/b.md": "k7aaaa", "x": "k8bbbb"]
        text.files = ["one (1).png": "one (1) 2.png", "CON": "_CON"]
        #expect(
            text.replacing(in: "[[a/b.md]] [[a/b.md|label]] [[a/b.mdx]] [a/b.md]")
                == "[[k7aaaa]] [[k7aaaa|label]] [[a/b.mdx]] [a/b.md]")
        #expect(
            text.replacing(in: "![p](att:one (1).png) [q](att:CON)(att:CONX)")
                == "![p](att:one (1) 2.png) [q](att:_CON)(att:CONX)")
        #expect(text.replacing(in: "[[x") == "[[x")
        #expect(text.replacing(in: "") == "")
        #expect(text.replacing(in: "é[[x]]é") == "é[[k8bbbb]]é")
    }

    @Test func aTextOfBracketsTakesNoLongerThanAnyOther() {
        var text = ImportedText()
        text.targets = ["x": "k8bbbb"]
        text.files = ["a": "b"]
        let begin = ContinuousClock.now
        for part in ["[[", "(att:", "(att:)", "[[x", "(att:))))"] {
            let long = String(repeating: part, count: 50_000)
            #expect(text.replacing(in: long).utf8.count >= long.utf8.count)
        }
        #expect(ContinuousClock.now - begin < .seconds(20))
    }
}
