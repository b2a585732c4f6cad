// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentClient
internal import AgentProtocol
internal import Glibc
internal import VaultFormat

/// What each key does.
extension NoteScreen {
    func take(_ key: ScreenKey) throws(ClientFailure) {
        switch key {
        case .resize: return measure()
        case .gone: return end = .gone
        case .other: return
        case .control("l"): return terminal.redraw()
        case .control("c"): return end = .left
        case .control("z"):
            return terminal.lend { kill(0, SIGTSTP) }
        default: break
        }
        if line != nil { return try takeTyped(key) }
        message = ""
        switch mode {
        case .help: mode = .list
        case .reading: try takeReading(key)
        case .list: try takeInList(key)
        }
    }

    private func takeInList(_ key: ScreenKey) throws(ClientFailure) {
        switch key {
        case .down, .character("j"): try select(selected + 1)
        case .up, .character("k"): try select(selected - 1)
        case .wheelDown: try select(selected + 3)
        case .wheelUp: try select(selected - 3)
        case .pageDown, .character(" "): try select(selected + pageRows)
        case .pageUp, .character("b"): try select(selected - pageRows)
        case .home, .character("g"): try select(0)
        case .end, .character("G"): try selectLast()
        case .click(let row, let column): try click(row, column)
        case .character("/"): line = ScreenLine(.search, source.query)
        case .escape: if !source.query.isEmpty || source.place != .live { go(NoteSource()) }
        case .character("T"): go(NoteSource(place: source.place == .trash ? .live : .trash))
        case .character("?"): mode = .help
        case .character("q"): end = .left
        case .character("L"):
            _ = try agent.ask(LockVault())
            end = .locked
        case .character("n"):
            lend(["new"])
            // The new one is the last that changed.
            chosen = nil
            try select(newest())
        case .character("u") where source.place != .trash: try takeBack()
        case .enter, .right, .character("l"): try read()
        default: try takeForNote(key)
        }
    }

    private func takeReading(_ key: ScreenKey) throws(ClientFailure) {
        switch key {
        case .down, .enter, .character("j"): textTop += 1
        case .up, .character("k"): textTop -= 1
        case .wheelDown: textTop += 3
        case .wheelUp: textTop -= 3
        case .pageDown, .character(" "): textTop += pageRows
        case .pageUp, .character("b"): textTop -= pageRows
        case .home, .character("g"): textTop = 0
        case .end, .character("G"): textTop = .max / 2
        case .escape, .left, .character("h"): (mode, textTop) = (.list, 0)
        case .character("q"): (mode, textTop) = (.list, 0)
        case .character("?"): mode = .help
        default: try takeForNote(key)
        }
        textTop = max(textTop, 0)
    }

    /// What is done with the note that is selected.
    private func takeForNote(_ key: ScreenKey) throws(ClientFailure) {
        guard let note = chosen else { return }
        switch key {
        case .character("e"): lend(["edit", note.id])
        case .character("y"):
            lend(["copy", note.id])
            message = "copied"
        case .character("t"): line = ScreenLine(.tags)
        case .character("m"): line = ScreenLine(.notebook, note.notebook)
        case .character("r"): line = ScreenLine(.title, note.title)
        case .character("p"):
            try change(ModifyNotes(refs: [note.id], change: .flag(.pinned, !note.marks.contains(.pinned))))
        case .character("d"), .delete:
            guard source.place == .live else { return }
            try change(TrashNotes(refs: [note.id]))
            lastTrashed = note.id
            mode = .list
            message = "moved to the trash; u takes it back"
        case .character("u") where source.place == .trash:
            try change(RestoreNotes(refs: [note.id]))
            message = "taken back"
        default: break
        }
    }

    private func takeBack() throws(ClientFailure) {
        guard let id = lastTrashed else { return message = "nothing was deleted here; T shows the trash" }
        try change(RestoreNotes(refs: [id]))
        lastTrashed = nil
        message = "taken back"
    }

    /// The row of the note that changed last, among the first ones: pinned notes stand above it.
    private func newest() throws(ClientFailure) -> Int {
        var (found, moment) = (0, Int64.min)
        for index in 0..<64 {
            guard let note = try source.row(index, &agent) else { break }
            if note.modified > moment { (found, moment) = (index, note.modified) }
        }
        return found
    }

    private func takeTyped(_ key: ScreenKey) throws(ClientFailure) {
        guard var typed = line else { return }
        switch key {
        case .escape:
            line = nil
            if typed.purpose == .search { go(NoteSource(place: source.place)) }
        case .enter:
            line = nil
            try finish(typed)
        case .down where typed.purpose == .search: try select(selected + 1)
        case .up where typed.purpose == .search: try select(selected - 1)
        default:
            guard typed.take(key) else { return }
            line = typed
            guard typed.purpose == .search else { return }
            // What is typed may be no query yet: then the list stays as it was.
            let before = (source, selected)
            go(NoteSource(place: source.place, query: typed.text.trimmed))
            message = ""
            do throws(ClientFailure) { _ = try source.row(0, &agent) } catch {
                guard error.outcome.code == .usage else { throw error }
                (source, selected) = before
                message = error.outcome.message
            }
        }
    }

    private func finish(_ typed: ScreenLine) throws(ClientFailure) {
        guard typed.purpose != .search, let note = chosen else { return }
        switch typed.purpose {
        case .search: break
        case .tags:
            let words = typed.text.split(separator: " ").map(String.init)
            let gone = words.filter { $0.hasPrefix("-") && $0.count > 1 }.map { String($0.dropFirst()) }
            let added = words.filter { !$0.hasPrefix("-") }.map {
                $0.first == "+" || $0.first == "#" ? String($0.dropFirst()) : $0
            }
            .filter { !$0.isEmpty }
            if !added.isEmpty { try change(ModifyNotes(refs: [note.id], change: .tag(added))) }
            if !gone.isEmpty { try change(ModifyNotes(refs: [note.id], change: .untag(gone))) }
        case .notebook: try change(ModifyNotes(refs: [note.id], change: .notebook(typed.text.trimmed)))
        case .title:
            let title = typed.text.trimmed
            try change(ModifyNotes(refs: [note.id], change: .title(title.isEmpty ? nil : title)))
        }
    }

    /// Reads the selected note; a private one is opened first.
    private func read() throws(ClientFailure) {
        guard let note = chosen else { return }
        if note.isLocked {
            lend(["note", "unlock", note.id])
            try findChosen()
            chosen = try source.row(selected, &agent)
        }
        if chosen?.id == note.id, chosen?.isLocked == false { (mode, textTop) = (.reading, 0) }
    }

    private func change<Asked: Operation>(_ operation: Asked) throws(ClientFailure) {
        let outcome = try agent.ask(operation).outcome
        refresh()
        try outcome.require()
    }

    /// Runs a command on the terminal.
    private func lend(_ words: [String]) {
        let directory = String(decoding: location.directory, as: UTF8.self)
        let code = terminal.lend { LentTerminal.run(words, in: directory) }
        measure()
        refresh()
        if code != 0 { message = "vault \(words[0]) ended with \(code)" }
    }
}

extension String {
    fileprivate var trimmed: String {
        String(self.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
    }
}
