// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import Dates
internal import ParserProtocol
internal import TerminalText
internal import TextReading

/// `ShowRenderer` shows one note, for `show`: on a terminal the title, a line of facts, a blank line and the body;
/// elsewhere the body's bytes as they are.
struct ShowRenderer: Sendable {
    var color = false
    /// Links in the text can be followed.
    var hyperlinks = false
    var clock: RenderingClock
    /// Lays Markdown out; nil where a text is shown as it is.
    var reads: (@Sendable (String) -> [ReadingRow]?)?

    /// Returns a note as it is shown on a terminal.
    ///
    /// - Parameters:
    ///   - titleIsSet: false when the title is the body's first line, which is then not shown twice.
    ///   - body: the note's text; it ends with a line feed when shown.
    func text(_ note: RenderedNote, titleIsSet: Bool, body: String) -> [UInt8] {
        var title = StyledLine()
        if note.title.isEmpty { title.append(note.unnamed, .dim) }
        title.append(note.title, .bold)
        var line = StyledLine()
        line.append(facts(of: note).joined(separator: "  "), .dim)
        var bytes = title.encoded(color: color) + line.encoded(color: color)
        let text = self.body(body, below: note.title, titleIsSet: titleIsSet)
        let rest = Array(text.utf8)
        if !rest.isEmpty, let rows = reads?(String(text)) {
            return bytes + [0x0A] + rows.flatMap { ReadRow.encoded($0, color: color, hyperlinks: hyperlinks) }
        }
        let shown = hyperlinks ? OSC8.linked(rest) : SafeText.safe(rest, .multiline)
        guard !shown.isEmpty else { return bytes }
        bytes.append(0x0A)
        bytes += shown
        if shown.last != 0x0A { bytes.append(0x0A) }
        return bytes
    }

    /// Serves pipes and `--raw`: nothing is added, nothing is changed.
    static func raw(body: String) -> [UInt8] { Array(body.utf8) }

    private func facts(of note: RenderedNote) -> [String] {
        let updated = note.updated == note.created ? [] : ["updated \(clock.text(note.updated))"]
        return [note.shortID, "created \(clock.text(note.created))"] + updated + note.labels
    }

    /// Returns the part of the body to show below the title; a first line that was cut for the title is shown again in
    /// full.
    private func body(_ body: String, below title: String, titleIsSet: Bool) -> Substring {
        let isWhole = title.count < NoteTitle.characterCountMax && title.utf8.count < NoteTitle.byteCountMax / 2
        return titleIsSet || !isWhole ? body[...] : NoteTitle.rest(title: nil, of: body)
    }
}
