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
            terminal.lend { _ = kill(0, SIGTSTP) }
            return try takeStock()
        default: break
        }
        // Nothing is done to what cannot be seen.
        guard isLarge else { return }
        if line != nil { return try takeTyped(key) }
        message = ""
        switch (mode, key) {
        case (_, .character("L")):
            _ = try agent.ask(LockVault())
            end = .locked
        case (.help, _): takeInHelp(key)
        case (.reading, _): try takeReading(key)
        case (.list, _): try takeInList(key)
        }
    }

    private func takeInHelp(_ key: ScreenKey) {
        switch key {
        case .down, .character("j"), .wheelDown: textTop += 1
        case .up, .character("k"), .wheelUp: textTop -= 1
        case .pageDown, .character(" "): textTop += pageRows
        case .pageUp, .character("b"): textTop -= pageRows
        default: (mode, textTop) = (.list, 0)
        }
        textTop = max(textTop, 0)
    }

    /// After another program had the terminal, or nobody: the vault may have been locked meanwhile.
    private func takeStock() throws(ClientFailure) {
        measure()
        while end == nil, try hear(within: 0) {}
        refresh()
    }

    private func takeInList(_ key: ScreenKey) throws(ClientFailure) {
        switch key {
        case .down, .character("j"): try move(by: 1)
        case .up, .character("k"): try move(by: -1)
        case .wheelDown: try move(by: 3)
        case .wheelUp: try move(by: -3)
        case .pageDown, .character(" "): try move(by: pageRows)
        case .pageUp, .character("b"): try move(by: -pageRows)
        case .home, .character("g"): try select(0)
        case .end, .character("G"): try selectLast()
        case .click(let row, let column): try click(row, column)
        case .character("/"): line = ScreenLine(.search, source.query)
        case .escape: if !source.query.isEmpty || source.place != .live { go(NoteSource()) }
        case .character("T"): go(NoteSource(place: source.place == .trash ? .live : .trash))
        case .character("?"): (mode, textTop) = (.help, 0)
        case .character("q"): end = .left
        case .character("n"):
            // The new one is the last that changed.
            guard try lend(["new"]) == 0, end == nil else { return }
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
        case .character("?"): (mode, textTop) = (.help, 0)
        default: try takeForNote(key)
        }
        textTop = max(textTop, 0)
    }

    /// What is done with the note that is selected.
    private func takeForNote(_ key: ScreenKey) throws(ClientFailure) {
        guard let note = chosen else { return }
        switch key {
        case .character("e"): try lend(["edit", note.id])
        case .character("y"): if try lend(["copy", note.id]) == 0 { message = "copied its first line" }
        case .character("t"): line = ScreenLine(.tags, noteID: note.id)
        case .character("m"): line = ScreenLine(.notebook, note.notebook, noteID: note.id)
        case .character("r"): line = ScreenLine(.title, note.title, noteID: note.id)
        case .character("p"):
            try change(ModifyNotes(refs: [note.id], change: .flag(.pinned, !note.marks.contains(.pinned))))
        case .character("d"), .delete:
            guard source.place == .live else { return }
            try change(TrashNotes(refs: [note.id]))
            trashed.append(note.id)
            mode = .list
            message = "moved to the trash; u takes it back"
        case .character("u") where source.place == .trash:
            try change(RestoreNotes(refs: [note.id]))
            message = "taken back"
        default: break
        }
    }

    private func takeBack() throws(ClientFailure) {
        guard let id = trashed.last else { return message = "nothing was deleted here; T shows the trash" }
        try change(RestoreNotes(refs: [id]))
        trashed.removeLast()
        message = "taken back"
    }

    /// The row of the note that changed last, among the first ones: pinned notes stand above it.
    private func newest() throws(ClientFailure) -> Int {
        var (found, moment) = (0, Int64.min)
        for index in 0..<64 {
            guard let note = try source.row(index, agent) else { break }
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
        case .down where typed.purpose == .search: try move(by: 1)
        case .up where typed.purpose == .search: try move(by: -1)
        default:
            guard typed.take(key) else { return }
            line = typed
            guard typed.purpose == .search else { return }
            // What is typed may be no query yet: then the list stays as it was.
            let before = (source, selected)
            go(NoteSource(place: source.place, query: typed.text.trimmed))
            message = ""
            do throws(ClientFailure) { _ = try source.row(0, agent) } catch {
                guard agent.isOpen else { throw error }
                (source, selected) = before
                if error.outcome.code != .interrupted { message = error.outcome.message }
            }
        }
    }

    private func finish(_ typed: ScreenLine) throws(ClientFailure) {
        guard typed.purpose != .search else { return }
        let refs = [typed.noteID]
        switch typed.purpose {
        case .search: break
        case .tags:
            let words = typed.text.split(separator: " ").map(String.init)
            let gone = words.filter { $0.hasPrefix("-") && $0.count > 1 }.map { String($0.dropFirst()) }
            let added = words.filter { !$0.hasPrefix("-") }.map {
                $0.first == "+" || $0.first == "#" ? String($0.dropFirst()) : $0
            }
            .filter { !$0.isEmpty }
            if !added.isEmpty { try change(ModifyNotes(refs: refs, change: .tag(added))) }
            if !gone.isEmpty { try change(ModifyNotes(refs: refs, change: .untag(gone))) }
        case .notebook: try change(ModifyNotes(refs: refs, change: .notebook(typed.text.trimmed)))
        case .title:
            let title = typed.text.trimmed
            try change(ModifyNotes(refs: refs, change: .title(title.isEmpty ? nil : title)))
        }
    }

    /// Reads the selected note; a private one is opened first.
    private func read() throws(ClientFailure) {
        guard let note = chosen else { return }
        if note.isLocked {
            guard try lend(["note", "unlock", note.id]) == 0 else { return }
            try findChosen()
        }
        if chosen?.id == note.id, chosen?.isLocked == false { (mode, textTop) = (.reading, 0) }
    }

    private func change<Asked: Operation>(_ operation: Asked) throws(ClientFailure) {
        defer { refresh() }
        _ = try agent.ask(operation)
    }

    /// Runs a command on the terminal, and returns its exit code.
    @discardableResult
    private func lend(_ words: [String]) throws(ClientFailure) -> Int32 {
        let directory = String(decoding: location.directory, as: UTF8.self)
        let code = terminal.lend { LentTerminal.run(words, in: directory) }
        try takeStock()
        if code != 0 { message = "vault \(words[0]) ended with \(code)" }
        return code
    }
}

extension String {
    fileprivate var trimmed: String {
        String(self.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
    }
}
