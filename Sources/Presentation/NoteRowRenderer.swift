// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import Dates
internal import TerminalText
internal import VaultFormat

/// `NoteRowRenderer` makes the rows of `ls` and `search`.
///
/// On a terminal two lines for each note: number, ID, title and date; below them snippet, notebook and tags. On a short
/// one it is a single line, with the notebook and tags behind the title. Elsewhere one line with tabs: ID, date, title;
/// `--long` adds created, updated, size, notebook, tags, the full ID and the state.
struct NoteRowRenderer: Sendable {
    static let columnsMin = 20

    /// Width of the terminal; nil when the output is not one.
    var columns: Int?
    var color = false
    var isLong = false
    /// One line a note.
    var isShort = false
    var clock: RenderingClock
    /// Rows have the numbers by which `vault show 3` names them; further ones have none.
    private static let numberMax = 999

    /// - Parameter isNumbered: whether the agent remembers the rows of this list.
    func rows(_ notes: [RenderedNote], isNumbered: Bool = false) -> [UInt8] {
        let columns = String(min(notes.count, Self.numberMax)).utf8.count
        var bytes: [UInt8] = []
        for (index, note) in notes.enumerated() {
            let number = isNumbered && index < Self.numberMax ? String(index + 1) : ""
            bytes += row(
                note, number: isNumbered ? String(repeating: " ", count: columns - number.utf8.count) + number : "")
        }
        return bytes
    }

    func row(_ note: RenderedNote, number: String = "") -> [UInt8] {
        guard let columns else { return tabbed(note) }
        let width = max(Self.columnsMin, columns)
        var bytes = heading(note, number: number, width: width).encoded(color: color)
        guard !isShort else { return bytes }
        let details = details(note, width: width)
        if details.columns > 0 { bytes += details.encoded(color: color) }
        if isLong { bytes += facts(note, width: width).encoded(color: color) }
        return bytes
    }

    private func heading(_ note: RenderedNote, number: String, width: Int) -> StyledLine {
        var line = StyledLine()
        if !number.isEmpty { line.append(number + "  ") }
        line.append(note.shortID, .dim, room: width / 2)
        line.append("  ")
        let date = clock.text(note.updated)
        let dateColumns = DisplayWidth.columns(of: date)
        // On a narrow terminal the title matters more than the date.
        let showsDate = width - line.columns - dateColumns - 2 >= 8
        let room = width - line.columns - (showsDate ? dateColumns + 2 : 0)
        if note.title.isEmpty { line.append(note.unnamed, .dim, room: room) }
        line.append(note.title, .bold, hits: note.titleHits, room: room)
        if isShort { labels(note, on: &line, upTo: width - (showsDate ? dateColumns + 2 : 0)) }
        if showsDate {
            line.pad(to: width - dateColumns)
            line.append(date, .dim)
        }
        return line
    }

    /// Puts notebook, tags and marks behind the title where there is room, and the beginning of the text behind these.
    private func labels(_ note: RenderedNote, on line: inout StyledLine, upTo width: Int) {
        for (text, style) in [(note.labels.joined(separator: "  "), true), (note.snippet, false)] {
            let shown = SafeText.singleLine(text)
            guard !shown.isEmpty, shown != SafeText.singleLine(note.title), width - line.columns >= 8 else { continue }
            line.append("  ")
            if style {
                line.append(shown, .dim, room: width - line.columns)
            } else {
                line.append(note.snippet, .dim, hits: note.snippetHits, room: width - line.columns)
            }
        }
    }

    private func details(_ note: RenderedNote, width: Int) -> StyledLine {
        var line = StyledLine()
        let labels = DisplayWidth.truncate(
            SafeText.singleLine(note.labels.joined(separator: "  ")), to: note.snippet.isEmpty ? width - 2 : width / 2)
        if note.snippet.isEmpty, labels.isEmpty { return line }
        line.append("  ")
        let labelColumns = DisplayWidth.columns(of: labels)
        line.append(note.snippet, hits: note.snippetHits, room: width - 2 - (labels.isEmpty ? 0 : labelColumns + 2))
        if !labels.isEmpty {
            if !note.snippet.isEmpty { line.append("  ") }
            line.append(labels, .dim)
        }
        return line
    }

    private func facts(_ note: RenderedNote, width: Int) -> StyledLine {
        var line = StyledLine()
        let facts = [
            note.fullID, "created \(clock.text(note.created))", "updated \(clock.text(note.updated))",
            Quantity.bytes(note.byteCount), note.state.mark,
        ]
        line.append("  " + facts.joined(separator: "  "), .dim, room: width)
        return line
    }

    private func tabbed(_ note: RenderedNote) -> [UInt8] {
        var fields = [
            note.shortID, clock.text(note.updated),
            note.title.isEmpty && note.isLocked ? RenderedNote.privateNote : note.title,
        ]
        if isLong {
            fields += [
                DateStyle.rfc3339(note.created), DateStyle.rfc3339(note.updated), String(note.byteCount), note.notebook,
            ]
            fields += [note.tags.joined(separator: ","), note.fullID, note.state.name]
        }
        // Bytes, not a joined text: the generic code of that costs a list of 20 rows a tenth of its time.
        var line: [UInt8] = []
        for field in fields {
            if !line.isEmpty { line.append(0x09) }
            line += SafeText.singleLine(field).utf8
        }
        line.append(0x0A)
        return line
    }
}
