// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import AgentProtocol
import Dates
import Testing

@testable import Presentation

/// Answers that are not whole, as a script and a person read them.
struct CutAnswerTests {
    private func shown<Asked: Presented>(_ operation: Asked, _ reply: Asked.Reply, json: Bool) -> String {
        var style = PageStyle(clock: RenderingClock(now: 0) { _ in 0 })
        (style.json, style.isTerminal) = (json, !json)
        var page = Page(style)
        operation.present(reply, on: &page)
        return page.pieces.map { piece in
            switch piece {
            case .output(let bytes), .talk(let bytes): String(decoding: bytes, as: UTF8.self)
            }
        }.joined()
    }

    @Test(arguments: [false, true]) func aListThatWasCutShortSaysSo(isCutShort: Bool) {
        var list = NoteList()
        (list.total, list.isCutShort) = (isCutShort ? nil : 0, isCutShort)
        let (json, text) = (shown(ListNotes(), list, json: true), shown(ListNotes(), list, json: false))
        #expect(json.contains(#""more":false,"complete":\#(!isCutShort)}"#))
        #expect(json.contains("vault ls --all") == isCutShort)
        #expect(text.contains("0+ Notes") == isCutShort && text.contains("vault ls --all") == isCutShort)
    }

    @Test(arguments: [false, true]) func aSearchThatWasCutShortSaysSo(isCutShort: Bool) {
        var found = FoundNotes()
        (found.before, found.isCutShort) = (20, isCutShort)
        let json = shown(SearchNotes(query: "x"), found, json: true)
        #expect(json.contains(#""more":false,"complete":\#(!isCutShort)}"#))
        #expect(json.contains("vault search --all") == isCutShort)
        #expect(shown(SearchNotes(query: "x"), found, json: false).contains(isCutShort ? "0+ Notes" : "0 of 20 Notes"))
    }
}
