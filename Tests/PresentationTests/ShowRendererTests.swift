// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import Dates
internal import Testing

@testable internal import Presentation

struct ShowRendererTests {
    private let renderer = ShowRenderer(clock: RenderingClock(style: .iso, now: 0) { _ in 0 })
    private let note = RenderedNote(
        shortID: "k3f9", fullID: "k3f9", title: "Title", created: 0, updated: 60_000, notebook: "home", tags: ["a"])

    private func text(_ note: RenderedNote, titleIsSet: Bool, body: String) -> String {
        String(decoding: renderer.text(note, titleIsSet: titleIsSet, body: body), as: UTF8.self)
    }

    @Test func showsTitleFactsAndBody() {
        #expect(
            text(note, titleIsSet: true, body: "Line\n\ttab") == """
                Title
                k3f9  created 1970-01-01 00:00  updated 1970-01-01 00:01  home  #a

                Line
                \ttab

                """)
    }

    @Test func aFirstLineThatIsTheTitleIsShownOnce() {
        #expect(text(note, titleIsSet: false, body: "# Title\n\nrest\n").hasSuffix("#a\n\nrest\n"))
        #expect(text(note, titleIsSet: false, body: "Title").hasSuffix("#a\n"))
    }

    @Test func aFirstLineTooLongForATitleIsShownInFull() {
        var long = note
        let line = String(repeating: "x", count: 300)
        long.title = String(line.prefix(200))
        #expect(text(long, titleIsSet: false, body: line).hasSuffix("\n\n" + line + "\n"))
    }

    @Test func nothingInANoteActs() {
        var evil = note
        evil.title = "\u{1B}]0;x\u{07}"
        let shown = text(evil, titleIsSet: true, body: "\u{1B}[2J\r\nx\u{202E}")
        #expect(shown.hasPrefix("␛]0;x␇\n"))
        #expect(shown.hasSuffix("\n\n␛[2J\nx<U+202E>\n"))
    }

    @Test func rawIsTheBodyAsItIs() {
        #expect(ShowRenderer.raw(body: "\u{1B}[2J\r\n") == Array("\u{1B}[2J\r\n".utf8))
    }
}
