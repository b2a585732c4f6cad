// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentProtocol
internal import TerminalText
internal import VaultCore
internal import VaultFormat

/// Writes what an operation found, as the client wants it: JSON, text for a terminal, or plain text for a pipe.
struct Answer {
    let connection: Connection
    var presentation: Presentation { connection.presentation }
    /// Width of the terminal; 80 when it is not known.
    var columns: Int { presentation.columns == 0 ? 80 : Int(presentation.columns) }

    init(_ connection: Connection) { self.connection = connection }

    func saved(_ notes: [NoteSummary], _ word: String) {
        if presentation.json { return json(.answerOfNotes([("notes", .array(notes.map { .note($0) }))])) }
        for note in notes {
            output(
                presentation.isTerminal
                    ? "\(word)  \(note.shortID)  \(SafeText.singleLine(note.title.isEmpty && note.protection == .locked ? RenderedNote.privateNote : note.title))\n"
                    : note.id.text + "\n")
        }
    }

    /// A new note and what was attached to it.
    func saved(_ note: NoteSummary, with attachments: [Attachment]) {
        if presentation.json { return json(.answerOfNotes([("notes", .array([.note(note, attachments: attachments)]))])) }
        saved([note], "saved")
        if presentation.isTerminal { for attachment in attachments { output("attached  \(line(attachment))\n") } }
    }

    /// A part of the notes that one command changed; JSON is one document all the same.
    func savedPart(_ notes: [NoteSummary], _ word: String, isFirst: Bool, isLast: Bool) {
        if presentation.json { return listed(notes.map { .note($0) }, isFirst: isFirst, isLast: isLast, end: "]}\n") }
        saved(notes, word)
    }

    /// Notes that a command changed without naming them.
    func changed(_ count: Int) {
        if presentation.json { return json(.answer([("changed", .int(Int64(count)))])) }
        output("changed \(Quantity.notes(shown: count, total: count))\n")
    }

    /// One of the notes that were asked for.
    func show(_ note: Note, _ attachments: [Attachment], shortID: String, raw: Bool, isFirst: Bool, isLast: Bool) {
        if presentation.json { return listed([.note(note, attachments, shortID: shortID)], isFirst: isFirst, isLast: isLast, end: "]}\n") }
        guard presentation.isTerminal && !raw else { return connection.output(ShowRenderer.raw(body: note.body)) }
        if !isFirst { output("\n") }
        let renderer = ShowRenderer(color: presentation.color, hyperlinks: presentation.hyperlinks, clock: clock)
        connection.output(renderer.text(RenderedNote(note, shortID: shortID), titleIsSet: note.titleIsSet, body: note.body))
    }

    /// A text alone: byte for byte, but harmless on a terminal.
    func body(_ note: Note) {
        let bytes = Array(note.body.utf8)
        connection.output(presentation.isTerminal ? SafeText.safe(bytes, .multiline) : bytes)
    }

    func list(_ notes: [NoteSummary], total: Int, offset: Int, long: Bool, noun: String = "Note") {
        let more = offset + notes.count < total
        if presentation.json { return json(.notes(notes.map { .note($0) }, total: total, more: more, isComplete: true)) }
        connection.output(rows(long: long).rows(notes.map { RenderedNote($0) }))
        if presentation.isTerminal { connection.talk(Quantity.notes(shown: notes.count, total: total, noun: noun)) }
    }

    /// - Parameters:
    ///   - total: nil when not all notes were looked at.
    ///   - isCutShort: the scan had looked at as much as it may.
    func filtered(_ notes: [NoteSummary], total: Int?, offset: Int, hasMore: Bool, isCutShort: Bool, long: Bool, noun: String = "Note") {
        if isCutShort { connection.talk("vault: hint: not all notes were searched; for all matches: vault ls --all") }
        if presentation.json { return json(.notes(notes.map { .note($0) }, total: total, more: hasMore, isComplete: !isCutShort)) }
        connection.output(rows(long: long).rows(notes.map { RenderedNote($0) }))
        guard presentation.isTerminal else { return }
        let known = total ?? (hasMore || isCutShort ? nil : offset + notes.count)
        connection.talk(Quantity.notes(shown: notes.count, total: known, noun: noun))
    }

    /// A part of a whole list; JSON is one document all the same.
    func listPart(_ notes: [NoteSummary], isFirst: Bool, isLast: Bool, total: Int, long: Bool, noun: String) {
        guard presentation.json else {
            connection.output(rows(long: long).rows(notes.map { RenderedNote($0) }))
            if isLast && presentation.isTerminal { connection.talk(Quantity.notes(shown: total, total: total, noun: noun)) }
            return
        }
        listed(notes.map { .note($0) }, isFirst: isFirst, isLast: isLast, end: "],\"total\":\(total),\"more\":false,\"complete\":true}\n")
    }

    /// A part of one JSON document: its head before the first part, commas between, its end after the last.
    private func listed(_ notes: [JSONText], isFirst: Bool, isLast: Bool, end: String) {
        var bytes = isFirst ? Array("{\"schema\":\(JSONText.notesSchema),\"notes\":[".utf8) : []
        for (index, note) in notes.enumerated() {
            if !(isFirst && index == 0) { bytes.append(UInt8(ascii: ",")) }
            note.write(to: &bytes)
        }
        connection.output(bytes + (isLast ? Array(end.utf8) : []))
    }

    func count(_ total: Int) {
        if presentation.json { return json(.answer([("total", .int(Int64(total)))])) }
        output("\(total)\n")
    }

    /// - Parameter shownBefore: notes on the pages before.
    func search(_ page: SearchPage, shownBefore: Int) {
        if page.isCutShort {
            connection.talk(
                "vault: hint: not all notes were searched, the newest first; narrow the search with another word, or search all: vault search --all"
            )
        }
        if presentation.json {
            return json(.notes(page.hits.map { .note($0.note, snippet: $0.snippet) }, total: nil, more: page.hasMore, isComplete: !page.isCutShort))
        }
        connection.output(rows(long: false).rows(page.hits.map { RenderedNote($0) }))
        guard presentation.isTerminal else { return }
        connection.talk(Quantity.notes(shown: page.hits.count, total: page.hasMore || page.isCutShort ? nil : shownBefore + page.hits.count))
    }

    func status(_ status: VaultStatus) {
        if presentation.json { json(status.json) } else { output(status.text) }
    }

    func purged(_ count: Int) {
        if presentation.json { return json(.answer([("removed", .int(Int64(count)))])) }
        connection.talk("\(Quantity.notes(shown: count, total: count)) permanently deleted")
    }

    private static let foreignNameCountMax = 20

    func check(_ report: CheckReport, rebuilt: Int?) {
        if presentation.json { return json(.check(report, rebuilt: rebuilt)) }
        if let rebuilt { output("index rebuilt, \(Quantity.notes(shown: rebuilt, total: rebuilt))\n") }
        for problem in report.problems {
            output("problem: \(problem.kind.sentence)\(problem.noteID.map { " (note \($0.text))" } ?? "")\n")
        }
        if report.orphans > 0 {
            let count = "\(report.orphans) file\(report.orphans == 1 ? "" : "s")"
            output(
                report.problems.isEmpty
                    ? "note: \(count) of attachments that no note has: moved to quarantine for 30 days\n"
                    : "note: \(count) of attachments that no note has: left in place, because there are problems\n")
        }
        for name in report.foreign.prefix(Self.foreignNameCountMax) {
            let shown = SafeText.singleLine(name)
            output("note: '\(shown)' in the vault's folder does not belong to the vault: backups leave it out, and vault did not encrypt it\n")
        }
        if report.foreign.count > Self.foreignNameCountMax { output("note: and \(report.foreign.count - Self.foreignNameCountMax) more\n") }
        if report.removed > 0 { output("note: \(report.removed) from quarantine removed after 30 days\n") }
        let parts = ["\(report.revisions) revisions", "\(report.attachments) attachments", "\(report.entries) entries", "\(report.pages) pages"]
        let verdict = report.problems.isEmpty ? "no problems found" : "see above"
        output("\(Quantity.notes(shown: report.notes, total: report.notes)), \(parts.joined(separator: ", ")): \(verdict)\n")
    }

    func hint(_ command: String) {
        if presentation.isTerminal && !presentation.json { connection.talk("vault: hint: \(command)") }
    }

    /// In a pipe a time must be readable without knowing today's date; a style that was asked for counts all the same.
    var clock: RenderingClock {
        var shown = presentation
        if !shown.isTerminal && shown.dateStyle == .classic { shown.dateStyle = .iso }
        return RenderingClock(shown, now: Machine.now)
    }

    private func rows(long: Bool) -> NoteRowRenderer {
        let columns = presentation.isTerminal ? columns : nil
        return NoteRowRenderer(columns: columns, color: presentation.color, isLong: long, clock: clock)
    }

    func output(_ text: String) { connection.output(Array(text.utf8)) }

    func json(_ value: JSONText) {
        var bytes: [UInt8] = []
        value.write(to: &bytes)
        connection.output(bytes + [0x0A])
    }
}
