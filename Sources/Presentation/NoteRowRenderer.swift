// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import Dates
internal import TerminalText
internal import VaultFormat

/// `NoteRowRenderer` makes the rows of `ls` and `search`.
///
/// On a terminal two lines for each note: ID, title and date; below them snippet, notebook and tags. Elsewhere one line
/// with tabs: ID, date, title; `--long` adds created, updated, size, notebook, tags, the full ID and the state.
struct NoteRowRenderer: Sendable {
    static let columnsMin = 20

    /// Width of the terminal; nil when the output is not one.
    var columns: Int?
    var color = false
    var isLong = false
    var clock: RenderingClock

    func rows(_ notes: [RenderedNote]) -> [UInt8] { notes.reduce(into: []) { $0 += row($1) } }

    func row(_ note: RenderedNote) -> [UInt8] {
        guard let columns else { return tabbed(note) }
        let width = max(Self.columnsMin, columns)
        var bytes = heading(note, width: width).encoded(color: color)
        let details = details(note, width: width)
        if details.columns > 0 { bytes += details.encoded(color: color) }
        if isLong { bytes += facts(note, width: width).encoded(color: color) }
        return bytes
    }

    private func heading(_ note: RenderedNote, width: Int) -> StyledLine {
        var line = StyledLine()
        line.append(note.shortID, .dim, room: width / 2)
        line.append("  ")
        let date = clock.text(note.updated)
        let dateColumns = DisplayWidth.columns(of: date)
        // On a narrow terminal the title matters more than the date.
        let showsDate = width - line.columns - dateColumns - 2 >= 8
        let room = width - line.columns - (showsDate ? dateColumns + 2 : 0)
        if note.title.isEmpty { line.append(note.unnamed, .dim, room: room) }
        line.append(note.title, .bold, hits: note.titleHits, room: room)
        if showsDate {
            line.pad(to: width - dateColumns)
            line.append(date, .dim)
        }
        return line
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
            Quantity.bytes(note.byteCount),
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
