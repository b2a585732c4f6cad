// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import VaultTesting

internal import Dates
internal import Testing
internal import VaultFormat

@testable internal import Presentation

struct NoteRowRendererTests {
    private let clock = RenderingClock(style: .iso, now: 1_795_269_780_000) { _ in 0 }
    private let note = RenderedNote(
        shortID: "k3f9", fullID: "k3f9aaaabbbbcccc", title: "Groceries", snippet: "milk and eggs", created: 0,
        updated: 1_795_269_780_000,
        byteCount: 1234,
        notebook: "home", tags: ["food", "todo"])

    private func text(_ note: RenderedNote, columns: Int?, color: Bool = false, isLong: Bool = false) -> String {
        String(
            decoding: NoteRowRenderer(columns: columns, color: color, isLong: isLong, clock: clock).row(note),
            as: UTF8.self)
    }

    @Test func aTerminalGetsTwoLines() {
        #expect(
            text(note, columns: 50) == """
                k3f9  Groceries                   2026-11-21 14:03
                  milk and eggs  home  #food  #todo

                """)
    }

    @Test func longRowsAddALineOfFacts() {
        #expect(
            text(note, columns: 100, isLong: true).hasSuffix(
                "\n  k3f9aaaabbbbcccc  created 1970-01-01 00:00  updated 2026-11-21 14:03  1.2 kB  ● saved here\n"))
    }

    @Test func pipesGetTabs() {
        #expect(text(note, columns: nil) == "k3f9\t2026-11-21 14:03\tGroceries\n")
        #expect(
            text(note, columns: nil, isLong: true)
                == "k3f9\t2026-11-21 14:03\tGroceries\t1970-01-01T00:00:00.000Z\t2026-11-21T14:03:00.000Z\t1234\thome\tfood,todo\tk3f9aaaabbbbcccc\tpersisted\n"
        )
    }

    @Test func onlyWhatIsNotUploadedHasAMark() {
        var sent = note
        for (state, mark) in [(UploadState.persisted, ""), (.uploaded, ""), (.pending, "[not uploaded]  ")] {
            sent.state = state
            #expect(text(sent, columns: 100).contains("  \(mark)home  #food  #todo"))
            #expect(text(sent, columns: nil, isLong: true).hasSuffix("\t\(state.name)\n"))
        }
    }

    @Test func aTitleCannotBreakARowOrAct() {
        var evil = note
        evil.title = "a\tb\nc\u{1B}[2J"
        evil.tags = ["x\u{202E}", "\u{9B}m"]
        #expect(text(evil, columns: nil) == "k3f9\t2026-11-21 14:03\ta b c␛[2J\n")
        let row = text(evil, columns: 80)
        #expect(row.contains("a b c␛[2J") && row.contains("#x<U+202E>  #<U+9B>m"))
        #expect(row.filter { $0 == "\n" }.count == 2)
    }

    @Test func hitsAreHighlightedOnlyInColor() {
        var found = note
        found.titleHits = [0..<4]
        found.snippetHits = [9..<13]
        #expect(text(found, columns: 60) == text(note, columns: 60))
        let row = text(found, columns: 60, color: true)
        #expect(row.contains("\u{1B}[2mk3f9\u{1B}[0m  \u{1B}[1;33mGroc\u{1B}[0m\u{1B}[1meries\u{1B}[0m"))
        #expect(row.contains("milk and \u{1B}[1;33meggs\u{1B}[0m  "))
        found.snippetHits = [5..<900, 3..<2 + 2]
        #expect(!text(found, columns: 60, color: true).isEmpty)
    }

    @Test func everyLineFits() {
        var random = SeededGenerator(22)
        let pieces = ["word ", "日本語", "👨‍👩‍👧", "e\u{301}", "\u{1B}", "\t", "Ünï"]
        for _ in 0..<300 {
            var any = note
            func pick(_ count: Int) -> String {
                (0..<count).map { _ in pieces.randomElement(using: &random)! }.joined()
            }
            any.title = pick(Int.random(in: 0...30, using: &random))
            any.snippet = pick(Int.random(in: 0...40, using: &random))
            any.notebook = pick(Int.random(in: 0...9, using: &random))
            any.titleHits = any.title.isEmpty ? [] : [0..<1]
            let columns = Int.random(in: 0...120, using: &random)
            for line in text(any, columns: columns, isLong: true).split(separator: "\n") {
                #expect(DisplayWidth.columns(of: String(line)) <= max(20, columns))
            }
        }
    }

    @Test func anEmptyNoteIsOneLine() {
        #expect(
            text(RenderedNote(shortID: "k3", fullID: "k3", title: "", created: 0, updated: 0), columns: 40)
                == "k3  (untitled)          1970-01-01 00:00\n")
    }

    @Test(
        arguments: [
            (5, 5, "5 notes"), (1, 1, "1 note"), (0, 0, "0 notes"), (20, 5013, "20 of 5,013 notes"),
            (0, 1, "0 of 1 note"), (20, nil, "20+ notes"),
            (1_234_567, 1_234_567, "1,234,567 notes"),
        ] as [(Int, Int?, String)])
    func countsHaveTheRightNumber(shown: Int, total: Int?, expected: String) {
        #expect(Quantity.notes(shown: shown, total: total) == expected)
    }

    @Test(arguments: [
        (0, "0 B"), (999, "999 B"), (1000, "1.0 kB"), (999_999, "999.9 kB"), (1_000_000, "1.0 MB"),
        (16 << 20, "16.7 MB"),
        (Int.max, "9,223,372.0 TB"),
    ])
    func sizesAreShort(byteCount: Int, expected: String) {
        #expect(Quantity.bytes(byteCount) == expected)
    }
}
