// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentClient
internal import AgentProtocol
internal import Dates
internal import ParserProtocol
internal import Presentation

/// How the screen is drawn.
extension NoteScreen {
    func draw() throws(ClientFailure) {
        terminal.clear()
        clock.now = ScreenProgram.now
        guard isLarge else {
            terminal.put("too small", row: 0, column: 0, width: layout.columns)
            terminal.show()
            return
        }
        // A note that is read may have been locked, or have gone.
        if mode == .reading {
            try findChosen()
            if chosen?.isLocked ?? true {
                mode = .list
                message = chosen == nil ? "the note is no longer here" : "the note was locked"
            }
        }
        switch mode {
        case .help: drawHelp()
        case .reading: drawText(in: layout.body)
        case .list:
            try drawList()
            drawDivider()
            if layout.text.rows > 0 { drawText(in: layout.text) }
        }
        drawHeading()
        drawEnds()
    }

    private func drawDivider() {
        if let divider = layout.divider {
            for row in layout.list.row..<layout.list.row + layout.list.rows {
                terminal.put("│", row: row, column: divider, width: 1, .dim)
            }
        } else if layout.text.rows > 0 {
            terminal.put(
                String(repeating: "─", count: layout.columns), row: layout.text.row - 1, column: 0,
                width: layout.columns, .dim)
        }
    }

    private func drawHeading() {
        let place = source.place == .trash ? "trash" : source.query.isEmpty ? "notes" : "found"
        let count = source.count.map(String.init) ?? "\(source.countMin)+"
        let found = source.query.isEmpty ? "" : "  " + source.query
        terminal.put(
            " vault  \(count) \(place)\(found)", row: layout.headingRow, column: 0, width: layout.columns, .reverse)
    }

    /// What is asked or said, and the keys.
    private func drawEnds() {
        let keys =
            line != nil
            ? KeyHelp.typing
            : mode == .help
                ? KeyHelp.help
                : mode == .reading ? KeyHelp.reading : source.place == .trash ? KeyHelp.trash : KeyHelp.list
        terminal.put(
            KeyHelp.line(keys, columns: layout.columns), row: layout.keysRow, column: 0, width: layout.columns - 1,
            .dim,
            isFilled: false)
        guard let line else {
            terminal.put(message, row: layout.messageRow, column: 0, width: layout.columns)
            return terminal.show()
        }
        // The end of what is typed is seen, however long it is.
        let label = line.purpose.label
        var text = OneLine.cut(line.text, to: 4096)
        let room = max(layout.columns - OneLine.columns(of: label) - 1, 1)
        while OneLine.columns(of: text) > room { text.removeFirst() }
        terminal.put(label + text, row: layout.messageRow, column: 0, width: layout.columns)
        terminal.show(cursor: (layout.messageRow, OneLine.columns(of: label + text)))
    }

    private func drawList() throws(ClientFailure) {
        let area = layout.list
        try findChosen()
        // The count comes with the first row; what stood here may have gone.
        if try source.row(selected, agent) == nil { try select(selected) }
        if try source.row(selected, agent) == nil { try select(0) }
        chosen = try source.row(selected, agent)
        drawn = []
        top = ScreenLayout.top(top, selected: selected, rows: area.rows, count: source.count)
        for at in 0..<area.rows {
            guard let note = try source.row(top + at, agent) else {
                if top + at == 0 {
                    let empty =
                        source.query.isEmpty
                        ? source.place == .trash ? "the trash is empty" : "no notes yet: n makes one" : "nothing found"
                    terminal.put(empty, row: area.row, column: area.column + 1, width: area.columns - 1, .dim)
                }
                break
            }
            drawn.append(note.id)
            draw(note, row: area.row + at, area, isSelected: top + at == selected)
        }
    }

    /// One row: the title, what stands behind it, and the date where there is room.
    private func draw(_ note: NoteRow, row: Int, _ area: ScreenLayout.Area, isSelected: Bool) {
        let names = NoteLabels(note)
        let reverse: Terminal.Style = isSelected ? .reverse : []
        let date = clock.text(note.modified)
        let dateColumns = area.columns >= 44 ? OneLine.columns(of: date) + 1 : 0
        let room = area.columns - 2 - dateColumns
        let title = OneLine.cut(names.title, to: room)
        terminal.put(" ", row: row, column: area.column, width: area.columns, reverse)
        terminal.put(
            title, row: row, column: area.column + 1, width: room,
            names.isNamed ? reverse.union(.bold) : reverse.union(.dim),
            isFilled: false)
        let used = OneLine.columns(of: title) + 2
        let labels = names.labels.joined(separator: " ")
        if !labels.isEmpty, room - used >= 4 {
            terminal.put(
                labels, row: row, column: area.column + 1 + used, width: room - used, reverse.union(.dim),
                isFilled: false)
        }
        if dateColumns > 0 {
            terminal.put(
                date, row: row, column: area.column + area.columns - dateColumns, width: dateColumns,
                reverse.union(.dim))
        }
    }

    private func drawText(in area: ScreenLayout.Area) {
        guard let note = chosen else { return }
        guard note.byteCount <= NoteScreen.previewByteCountMax || mode == .reading else {
            return say("a text of \(note.byteCount / 1024) KiB: Enter reads it", in: area)
        }
        guard !note.isLocked else { return say("a private note: Enter asks for its password", in: area) }
        if shown?.id != note.id || shown?.revision != note.revision || shown?.columns != area.columns {
            var body: String
            do throws(ClientFailure) {
                body = try agent.ask(ShowNotes(refs: [note.id], raw: false, withDetails: false)).first?.body ?? ""
            } catch {
                // A text that does not open is no reason to see no list.
                body = error.outcome.message + "\n" + error.outcome.hint
            }
            let rows = laysOut ? reader.rows(of: body, columns: area.columns) : nil
            shown = ShownText(
                id: note.id, revision: note.revision, columns: area.columns,
                text: rows.map { NoteText($0) } ?? NoteText(body, columns: area.columns))
        }
        let count = shown?.text.rowCount(upTo: textTop + area.rows) ?? 0
        textTop = max(min(textTop, count - area.rows), 0)
        for at in 0..<area.rows {
            guard let row = shown?.text.row(textTop + at) else { break }
            draw(row, at: area.row + at, area)
        }
    }

    /// One row of a text: a piece that does not fit is cut, what the terminal counts in another way stays in its place.
    private func draw(_ row: ReadingRow, at number: Int, _ area: ScreenLayout.Area) {
        var used = 0
        for piece in row.pieces {
            var style: Terminal.Style = []
            if piece.style.contains(.bold) { style.insert(.bold) }
            if !piece.style.isDisjoint(with: [.dim, .struck]) { style.insert(.dim) }
            if !piece.style.isDisjoint(with: [.underline, .italic]) { style.insert(.underline) }
            if piece.style.contains(.code) { style.insert(.bold) }
            terminal.put(
                piece.text, row: number, column: area.column + used, width: area.columns - used, style, isFilled: false)
            used += OneLine.columns(of: OneLine.cut(piece.text, to: area.columns))
            guard used < area.columns else { return }
        }
    }

    private func say(_ text: String, in area: ScreenLayout.Area) {
        terminal.put(text, row: area.row, column: area.column, width: area.columns, .dim)
    }

    private func drawHelp() {
        let keys = KeyHelp.all
        let width = keys.map { OneLine.columns(of: $0.0) }.max() ?? 0
        let isNarrow = layout.columns < 72
        textTop = max(min(textTop, keys.count - layout.body.rows), 0)
        var row = layout.body.row
        for (key, meaning) in keys.dropFirst(textTop) where row < layout.body.row + layout.body.rows {
            let shown = isNarrow ? String(meaning.prefix { $0 != ";" }) : meaning
            terminal.put(key, row: row, column: 1, width: width, .bold)
            terminal.put(shown, row: row, column: width + 3, width: layout.columns - width - 3)
            row += 1
        }
    }
}
