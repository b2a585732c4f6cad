// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import AgentProtocol
import Dates
import Glibc
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
        #expect(text.contains("0+ notes") == isCutShort && text.contains("vault ls --all") == isCutShort)
    }

    @Test(arguments: [false, true]) func aSearchThatWasCutShortSaysSo(isCutShort: Bool) {
        var found = FoundNotes()
        (found.before, found.isCutShort) = (20, isCutShort)
        let json = shown(SearchNotes(query: "x"), found, json: true)
        #expect(json.contains(#""more":false,"complete":\#(!isCutShort)}"#))
        #expect(json.contains("vault search --all") == isCutShort)
        #expect(shown(SearchNotes(query: "x"), found, json: false).contains(isCutShort ? "0+ notes" : "0 of 20 notes"))
    }

    /// A page grows with its lines and not with their square: an imported note may have a hundred thousand links.
    @Test func aPageOfManyLinesTakesNoLongerALine() {
        func seconds(_ count: Int) -> Double {
            var link = LinkList.Link()
            (link.target, link.label) = ("https://example.org/", "example")
            let reply = LinkList([LinkList.Link](repeating: link, count: count))
            let begin = ProcessorTime.seconds
            #expect(shown(ListLinks(ref: ""), reply, json: false).utf8.count > count)
            return ProcessorTime.seconds - begin
        }
        _ = seconds(100)
        let (few, many) = (seconds(2000), seconds(20_000))
        #expect(many < few * 40 + 1)
    }
}

/// Of this thread: what others do at the same time does not count.
private enum ProcessorTime {
    static var seconds: Double {
        var time = timespec()
        _ = unsafe clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
