// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

public import AgentProtocol

extension ListNotes: Presented {
    public func present(_ reply: NoteList, on page: inout Page) {
        if countOnly { return page.count(reply.total ?? 0) }
        page.list(reply, long: long, noun: place == .template ? "template" : "note")
    }
}

extension ListBacklinks: Presented {
    public func present(_ reply: NoteList, on page: inout Page) { page.list(reply, long: false, noun: "note") }
}

extension SearchNotes: Presented {
    public func present(_ reply: FoundNotes, on page: inout Page) {
        if reply.isCutShort {
            page.talk(
                "vault: hint: not all notes were searched, the newest first; narrow the search with another word, or search all: vault search --all"
            )
        }
        if page.style.json {
            let notes = reply.hits.map { JSONText.note($0.note) }
            return page.json(
                .answerOfNotes([
                    ("notes", .array(notes)), ("total", .null), ("more", .bool(reply.hasMore)),
                    ("complete", .bool(!reply.isCutShort)),
                ]))
        }
        page.output(
            page.rows(long: false).rows(reply.hits.map { RenderedNote($0) }, isNumbered: page.style.isRemembered))
        guard page.style.isTerminal else { return }
        let count = reply.hits.count
        page.talk(Quantity.notes(shown: count, total: reply.hasMore || reply.isCutShort ? nil : reply.before + count))
    }
}

extension PageStyle {
    /// Below so many rows a note has one line.
    private static var shortRowCount: Int { 40 }
    var hasShortRows: Bool { rows < Self.shortRowCount }

    /// How many notes of a list the screen holds, with its footer and the shell's prompt.
    public func noteCount(long: Bool) -> Int {
        max((rows - 3) / (long ? 3 : hasShortRows ? 1 : 2), 5)
    }
}

extension Page {
    func rows(long: Bool) -> NoteRowRenderer {
        NoteRowRenderer(
            columns: style.isTerminal ? style.columns : nil, color: style.color, isLong: long,
            isShort: style.hasShortRows && !long, clock: clock)
    }

    mutating func count(_ total: Int) {
        if style.json { return json(.answer([("total", .count(total))])) }
        output("\(total)\n")
    }

    /// Presents a page of a list, or a part of a whole one; JSON is one document anyway.
    ///
    /// - Parameter noun: what the footer counts.
    mutating func list(_ list: NoteList, long: Bool, noun: String) {
        if list.isCutShort && list.isFirst {
            talk("vault: hint: not all notes were searched; for all matches: vault ls --all")
        }
        if style.json {
            let total = list.total.map { "\($0)" } ?? "null"
            let end = "],\"total\":\(total),\"more\":\(list.hasMore),\"complete\":\(!list.isCutShort)}\n"
            return notes(list.notes, isFirst: list.isFirst, end: list.isLast ? end : nil)
        }
        output(
            rows(long: long).rows(list.notes.map { RenderedNote($0) }, isNumbered: style.isRemembered && list.isFirst))
        guard style.isTerminal, list.isLast else { return }
        let known = list.total ?? (list.hasMore || list.isCutShort ? nil : list.before + list.shown)
        talk(Quantity.notes(shown: list.shown, total: known, noun: noun))
    }

    /// Presents a part of one JSON document: its head before the first part, commas between, its end after the last.
    ///
    /// - Parameter end: nil where more parts follow.
    mutating func notes(_ notes: [NoteRow], isFirst: Bool, end: String?) {
        elements(notes.map { .note($0) }, isFirst: isFirst, end: end)
    }

    mutating func elements(_ notes: [JSONText], isFirst: Bool, end: String?) {
        var bytes = isFirst ? Array("{\"schema\":\(JSONText.notesSchema),\"notes\":[".utf8) : []
        for (index, note) in notes.enumerated() {
            if !(isFirst && index == 0) { bytes.append(UInt8(ascii: ",")) }
            note.write(to: &bytes)
        }
        output(bytes + Array((end ?? "").utf8))
    }
}
