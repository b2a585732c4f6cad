// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import SearchText
import Testing
import TextReading
import VaultFormat

@testable import VaultCore

/// What the vault should do, in the plainest way: each note is the list of all of its states.
struct OrderModel {
    struct State: Equatable {
        var body: String
        var title: String?
        var tags: [String] = []
        var notebook = ""
        var isPinned = false
        var isArchived = false
        var isTrashed = false
    }
    struct ModelNote {
        var states: [State]
        var current: State { states[states.count - 1] }
    }
    /// One command: the states that its notes had before it; nil for a note that it made.
    typealias Command = [(id: NoteID, before: State?)]

    private(set) var notes: [NoteID: ModelNote] = [:]
    private var commands: [Command] = []

    var ids: [NoteID] { notes.keys.sorted { $0.text < $1.text } }
    var live: [NoteID: State] {
        notes.compactMapValues { $0.current.isTrashed || $0.current.isArchived ? nil : $0.current }
    }
    var states: [NoteID: State] { notes.mapValues(\.current) }
    var found: [NoteID: State] { notes.compactMapValues { $0.current.isTrashed ? nil : $0.current } }
    var trash: [NoteID: State] { notes.compactMapValues { $0.current.isTrashed ? $0.current : nil } }

    mutating func create(_ id: NoteID, _ state: State) {
        notes[id] = ModelNote(states: [state])
        commands.append([(id, nil)])
    }

    /// One command on some notes; only those that it changes get a state.
    mutating func change(_ ids: [NoteID], _ body: (inout State) -> Void) {
        var command: Command = []
        for id in ids {
            guard var state = notes[id]?.current else { continue }
            let before = state
            body(&state)
            guard state != before else { continue }
            notes[id]?.states.append(state)
            command.append((id, before))
        }
        if !command.isEmpty { commands.append(command) }
    }

    /// Several notes, each in its own way, as one command.
    mutating func changeEach(_ changes: [(id: NoteID, state: State)]) {
        var command: Command = []
        for (id, state) in changes {
            guard let before = notes[id]?.current, before != state else { continue }
            notes[id]?.states.append(state)
            command.append((id, before))
        }
        if !command.isEmpty { commands.append(command) }
    }

    /// A state more, whether it differs or not.
    mutating func append(_ id: NoteID, _ state: State) {
        guard let before = notes[id]?.current else { return }
        notes[id]?.states.append(state)
        commands.append([(id, before)])
    }

    mutating func purge() {
        for id in trash.keys { notes[id] = nil }
    }

    /// - Returns: whether there was a command to take back.
    mutating func undo() -> Bool {
        while let command = commands.popLast() {
            var didSomething = false
            for (id, before) in command.reversed() {
                guard var state = notes[id]?.current else { continue }
                if let before {
                    state = before
                } else if state.isTrashed {
                    continue
                } else {
                    state.isTrashed = true
                }
                notes[id]?.states.append(state)
                didSomething = true
            }
            if didSomething { return true }
        }
        return false
    }
}

extension OrderModel.State {
    init(_ record: NoteRecord) {
        self.init(
            body: record.body, title: record.title, tags: record.tags, notebook: record.notebook,
            isPinned: record.flags.contains(.pinned),
            isArchived: record.flags.contains(.archived), isTrashed: record.flags.contains(.trashed))
    }

    /// Each word in title or text, without regard to case and accents.
    func contains(_ word: String) -> Bool {
        let wanted = TextFold.fold(word)
        let texts = [NoteTitle.display(title: title, body: body), body].map { TextFold.fold($0) }
        return texts.contains { text in
            text.indices.contains { text[$0...].starts(with: wanted) }
        }
    }

    var isFound: Bool { !isTrashed }

    /// The tag itself, or one below it.
    func hasTag(_ tag: String) -> Bool {
        let wanted = TagKey.bytes(tag)
        return tags.map { TagKey.bytes($0) }.contains { $0 == wanted || $0.starts(with: wanted + [0x2F]) }
    }

    func titleContains(_ word: String) -> Bool {
        let title = TextFold.fold(NoteTitle.display(title: title, body: body))
        return title.indices.contains { title[$0...].starts(with: TextFold.fold(word)) }
    }
}
