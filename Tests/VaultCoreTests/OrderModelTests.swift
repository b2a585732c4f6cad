// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import SearchText
import Testing
import VaultFormat
import VaultTesting

@testable import VaultCore

/// Random sequences of all operations on notes against a plain model in memory: same notes, same history, same search
/// results, same undo.
struct OrderModelTests {
    private static let words = ["ähre", "Boot", "citron", "dämmer", "eule", "漢字", "fünf"]
    private static let tags = ["Work", "work/x", "heim", "ÜBUNG"]
    private static let notebooks = ["", "a", "a/b", "c"]

    /// Filters with what they mean, said in Swift.
    private static let filters: [(String, @Sendable (OrderModel.State) -> Bool)] = [
        ("tag:work", { $0.isFound && $0.hasTag("work") }),
        ("tag:WORK/X", { $0.isFound && $0.tags.contains { TagKey.bytes($0) == TagKey.bytes("work/x") } }),
        ("-boot", { $0.isFound && !$0.contains("boot") }), ("state:trashed", { $0.isTrashed }),
        ("state:pinned", { $0.isFound && $0.isPinned }),
        ("notebook:a", { $0.isFound && ($0.notebook == "a" || $0.notebook.hasPrefix("a/")) }),
        ("title:a", { $0.isFound && $0.titleContains("a") }),
        (
            "eule OR citron -ähre",
            { $0.isFound && ($0.contains("eule") || ($0.contains("citron") && !$0.contains("ähre"))) }
        ),
        ("tag:heim|übung -eule", { $0.isFound && ($0.hasTag("heim") || $0.hasTag("übung")) && !$0.contains("eule") }),
        ("state:archived has:tag", { !$0.isTrashed && $0.isArchived && !$0.tags.isEmpty }),
        ("has:title", { $0.isFound && $0.title != nil }),
        ("state:trashed|archived boot", { ($0.isTrashed || $0.isArchived) && $0.contains("boot") }),
        ("-tag:work -has:notebook", { $0.isFound && !$0.hasTag("work") && $0.notebook.isEmpty }),
    ]

    private func text(_ random: inout SeededGenerator) -> String {
        (0..<Int.random(in: 1...6, using: &random)).map { _ in Self.words.randomElement(using: &random)! }.joined(
            separator: " ")
    }

    @Test(arguments: [UInt64(21), 22, 23, 24]) func aVaultDoesWhatAPlainModelDoes(seed: UInt64) throws {
        var random = SeededGenerator(seed)
        var world = try World(vault: TestVault())
        for step in 0..<110 {
            try world.step(Int.random(in: 0..<22, using: &random), &random, self)
            let word = String(Self.words.randomElement(using: &random)!.prefix(Int.random(in: 1...3, using: &random)))
            let expected = Set(world.model.found.filter { $0.value.contains(word) }.keys)
            #expect(try world.search(word) == expected, "step \(step), \(word)")
            let (filter, holds) = Self.filters[step % Self.filters.count]
            #expect(
                try world.filter(filter) == Set(world.model.states.filter { holds($0.value) }.keys),
                "step \(step), \(filter)")
            if step % 22 == 21 { try world.compare("step \(step)") }
        }
        try world.compare("at the end")
        #expect(try check(world.store).problems.isEmpty)
        // All the way back: everything that was written is in the trash, nothing else is there.
        while try world.undoWhole() {
            let isThere = world.model.undo()
            #expect(isThere)
        }
        let isMore = world.model.undo()
        #expect(!isMore)
        try world.compare("after all undos")
        #expect(try check(world.store).problems.isEmpty)
    }

    private struct World {
        var vault: TestVault
        var store: OpenVault
        var model = OrderModel()

        init(vault: TestVault) throws {
            self.vault = vault
            store = try vault.open()
        }

        mutating func step(_ choice: Int, _ random: inout SeededGenerator, _ tests: OrderModelTests) throws {
            let ids = model.ids
            guard choice > 4, let id = ids.randomElement(using: &random) else {
                return try create(tests.text(&random), &random)
            }
            let some = Array(ids.shuffled(using: &random).prefix(3))
            let tag = OrderModelTests.tags.randomElement(using: &random)!
            let notebook = OrderModelTests.notebooks.randomElement(using: &random)!
            switch choice {
            case 5, 6: try edit(id, tests.text(&random))
            case 7: try modify(some, .tag([tag]), .tag) { $0.tags = NoteNames.tags($0.tags + [tag]) }
            case 8:
                try modify(some, .untag([tag]), .untag) { state in
                    state.tags.removeAll { TagKey.bytes($0) == TagKey.bytes(tag) }
                }
            case 9: try modify(some, .notebook(notebook), .mv) { $0.notebook = notebook }
            case 10:
                try modify([id], .title(notebook.isEmpty ? nil : notebook), .title) {
                    $0.title = notebook.isEmpty ? nil : notebook
                }
            case 11: try modify(some, .flag(.pinned, true), .pin) { $0.isPinned = true }
            case 12: try modify(some, .flag(.archived, Bool.random(using: &random)), .archive)
            case 13: try modify(some, .flag(.trashed, true), .rm) { $0.isTrashed = true }
            case 14: try modify(some, .flag(.trashed, false), .restore) { $0.isTrashed = false }
            case 15: try duplicate(id)
            case 16: try join(some)
            case 17: try revert(id, &random)
            case 18:
                let (done, wanted) = (try undoWhole(), model.undo())
                #expect(done == wanted)
            case 19: try meet(id, tests.text(&random))
            case 20: try reopen(crashing: Bool.random(using: &random))
            default:
                if Bool.random(using: &random) {
                    _ = try store.notes.purgeTrash(limit: 1000)
                    model.purge()
                } else {
                    #expect(try store.checks.rebuildIndex() == model.notes.count)
                }
            }
        }

        private mutating func create(_ text: String, _ random: inout SeededGenerator) throws {
            let id = try store.notes.create(NoteDraft(body: text)).id
            model.create(id, .init(body: text))
        }

        private mutating func edit(_ id: NoteID, _ text: String) throws {
            _ = try store.notes.edit(id) { $0.body = text }
            model.change([id]) { $0.body = text }
        }

        private mutating func modify(
            _ ids: [NoteID], _ change: NoteChange, _ kind: ChangeKind, _ body: (inout OrderModel.State) -> Void
        ) throws {
            _ = try store.notes.modify(ids, change, ChangeGroup(kind))
            model.change(ids, body)
        }

        private mutating func modify(_ ids: [NoteID], _ change: NoteChange, _ kind: ChangeKind) throws {
            guard case .flag(.archived, let isSet) = change else { return }
            try modify(ids, change, kind) { $0.isArchived = isSet }
        }

        private mutating func duplicate(_ id: NoteID) throws {
            guard let state = model.notes[id]?.current else { return }
            let copy = try store.notes.duplicate(id).id
            var copied = OrderModel.State(body: state.body, title: state.title.map { $0 + " (copy)" })
            copied.tags = state.tags
            copied.notebook = state.notebook
            model.create(copy, copied)
        }

        private mutating func join(_ ids: [NoteID]) throws {
            guard ids.count > 1, let first = ids.first, var target = model.notes[first]?.current else { return }
            _ = try store.notes.join(ids)
            var changes: [(NoteID, OrderModel.State)] = []
            for id in ids.dropFirst() {
                guard var other = model.notes[id]?.current else { continue }
                let text = other.title.map { $0 + "\n\n" + other.body } ?? other.body
                target.body += (target.body.hasSuffix("\n\n") ? "" : target.body.hasSuffix("\n") ? "\n" : "\n\n") + text
                target.tags = NoteNames.tags(target.tags + other.tags)
                other.isTrashed = true
                changes.append((id, other))
            }
            model.changeEach(changes + [(first, target)])
        }

        private mutating func revert(_ id: NoteID, _ random: inout SeededGenerator) throws {
            guard let states = model.notes[id]?.states, let back = states.indices.randomElement(using: &random) else {
                return
            }
            let revision = try store.history.revision("@\(states.count - 1 - back)", of: id)
            _ = try store.history.revert(id, to: revision.id)
            var wanted = states[back]
            wanted.isTrashed = states[states.count - 1].isTrashed
            // A revision is made even when its content is the same.
            model.append(id, wanted)
        }

        /// An editor's text meets a change that was made meanwhile: at other places, so that both are kept.
        private mutating func meet(_ id: NoteID, _ text: String) throws {
            guard let state = model.notes[id]?.current, !state.isTrashed else { return }
            let base = "begin\n" + state.body + "\n1\n2\n3\nend\n"
            try edit(id, base)
            var start = DraftStart()
            start.note = id
            start.base = try store.notes.note(id).revision
            let journal = try store.drafts.begin(start)
            try journal.save(Array("halfway".utf8))
            try edit(id, base + text + "\n")
            let outcome = try store.drafts.commit(journal.id, text: Array(("first\n" + base).utf8))
            guard case .merged = outcome else { throw VaultError(.integrity) }
            model.change([id]) { $0.body = "first\n" + base + text + "\n" }
        }

        private mutating func reopen(crashing: Bool) throws {
            if crashing {
                vault = try TestVault(copying: vault, sharingPins: true)
            } else {
                try store.end()
            }
            store = try vault.open()
        }

        /// - Returns: whether there was something to undo.
        mutating func undoWhole() throws -> Bool {
            while var step = try store.history.undo(limit: 2) {
                var count = step.notes.count
                while !step.isWhole, let next = try store.history.undo(limit: 2, continuing: step.command) {
                    step = next
                    count += step.notes.count
                }
                // All of it was purged meanwhile: the command before it counts.
                if count > 0 { return true }
            }
            return false
        }

        func search(_ word: String) throws -> Set<NoteID> {
            for _ in 0..<50 {
                let page = try store.search.find(word, limit: 1000, page: 1, snippetColumns: 40)
                if !page.isCutShort { return Set(page.hits.map(\.note.id)) }
            }
            throw VaultError(.searchTooBroad)
        }

        func filter(_ text: String) throws -> Set<NoteID> {
            var search = FilteredSearch()
            search.query = try NoteQuery(text, clock: QueryClock(now: Machine.now) { _ in 0 })
            search.places = [.live, .archive]
            search.limit = 10_000
            let scan = try FilteredScan(store, search)
            while try scan.step() {}
            #expect(!scan.hasMore)
            return Set(scan.notes.map(\.id))
        }

        func compare(_ comment: Comment) throws {
            let lists = try NotePlace.allCases.map { place in
                var filter = NoteFilter()
                filter.place = place
                return Set(try store.notes.list(filter, offset: 0, limit: 10_000).map(\.id))
            }
            #expect(lists[0] == Set(model.live.keys), comment)
            #expect(lists[1] == Set(model.trash.keys), comment)
            #expect(lists[2] == Set(model.found.keys).subtracting(model.live.keys), comment)
            for (id, expected) in model.notes {
                #expect(try OrderModel.State(store.read { try $0.head(of: id).record }) == expected.current, comment)
                let history = try store.history.all(of: id).reversed().map { OrderModel.State($0.record) }
                #expect(history == expected.states, comment)
            }
        }
    }
}
