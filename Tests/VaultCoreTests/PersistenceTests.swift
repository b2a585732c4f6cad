// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Testing
import VaultFormat

@testable import VaultCore

/// What every `LocalPersistence` must do, run on the sealed vault and on the one in memory.
struct PersistenceTests {
    enum Kind: CaseIterable {
        case sealedVault
        case memory
    }

    private func run(_ kind: Kind, _ body: (any LocalPersistence) async throws -> Void) async throws {
        switch kind {
        case .memory: try await body(InMemoryPersistence())
        case .sealedVault:
            let vault = try TestVault()
            let persistence = VaultPersistence(try vault.open())
            try await body(persistence)
            try await persistence.close()
        }
    }

    private func failure(_ body: () async throws -> Void) async -> VaultError.Code? {
        do {
            try await body()
            return nil
        } catch { return (error as? VaultError)?.code }
    }

    @Test(arguments: Kind.allCases)
    func whatWasSavedIsListedNewestFirst(kind: Kind) async throws {
        try await run(kind) { persistence in
            #expect(try await persistence.getNotes() == [])
            var saved: [Note] = []
            for (number, time) in [30, 10, 20, 20].enumerated() {
                var draft = NoteDraft(body: "# Title \(number)\ntext")
                draft.modified = Int64(time)
                draft.tags = ["a", "b"]
                draft.notebook = "N/M"
                saved.append(try await persistence.save(draft))
            }
            #expect(saved.map(\.title) == (0..<4).map { "Title \($0)" })
            for note in saved {
                #expect(!note.titleIsSet && !note.isTrashed && note.created == note.modified)
                #expect(note.tags == ["a", "b"] && note.notebook == "N/M")
            }
            #expect(try await persistence.getNotes() == [saved[0], saved[3], saved[2], saved[1]])
        }
    }

    @Test(arguments: Kind.allCases)
    func anUpdateMakesANewRevisionOfTheSameNote(kind: Kind) async throws {
        try await run(kind) { persistence in
            let first = try await persistence.save(NoteDraft(body: "body", title: "Set"))
            _ = try await persistence.save(NoteDraft(body: "another"))
            var change = first
            (change.body, change.title, change.tags, change.notebook) = ("new body", "New", ["t"], "N")
            let second = try await persistence.update(change)
            #expect(second.id == first.id && second.revision != first.revision)
            #expect(second.body == "new body" && second.title == "New" && second.titleIsSet)
            #expect(second.tags == ["t"] && second.notebook == "N")
            #expect(second.created == first.created && second.modified >= first.modified)
            #expect(try await persistence.update(second) == second, "no change, no revision")
            change = second
            change.titleIsSet = false
            #expect(try await persistence.update(change).title == "new body")
            #expect(try await persistence.getNotes().map(\.body).sorted() == ["another", "new body"])
        }
    }

    @Test(arguments: Kind.allCases)
    func aDeletedNoteIsNotListedAndDeletingTwiceIsNoError(kind: Kind) async throws {
        try await run(kind) { persistence in
            let note = try await persistence.save(NoteDraft(body: "going"))
            let kept = try await persistence.save(NoteDraft(body: "staying"))
            try await persistence.delete(note.id)
            try await persistence.delete(note.id)
            #expect(try await persistence.getNotes() == [kept])
        }
    }

    @Test(arguments: Kind.allCases)
    func badRequestsAreRefusedAndChangeNothing(kind: Kind) async throws {
        try await run(kind) { persistence in
            let note = try await persistence.save(NoteDraft(body: "body"))
            let unknown = try NoteID([UInt8](repeating: 1, count: 10))
            #expect(await failure { _ = try await persistence.save(NoteDraft(body: "")) } == .empty)
            #expect(
                await failure {
                    _ = try await persistence.save(NoteDraft(body: "x", title: String(repeating: "x", count: 4097)))
                } == .tooLarge)
            #expect(await failure { try await persistence.delete(unknown) } == .notFound)
            var change = note
            change.id = unknown
            let stranger = change
            #expect(await failure { _ = try await persistence.update(stranger) } == .notFound)
            (change.id, change.body) = (note.id, "")
            let emptied = change
            #expect(await failure { _ = try await persistence.update(emptied) } == .empty)
            #expect(try await persistence.getNotes() == [note])
        }
    }

    @Test(arguments: Kind.allCases)
    func manyNotesAreListedEachOnce(kind: Kind) async throws {
        try await run(kind) { persistence in
            for number in 0..<230 { _ = try await persistence.save(NoteDraft(body: "note \(number)")) }
            let notes = try await persistence.getNotes()
            #expect(notes.map(\.body) == (0..<230).reversed().map { "note \($0)" })
        }
    }

    @Test(arguments: Kind.allCases)
    func aNoteHasImagesSketchesAndText(kind: Kind) async throws {
        try await run(kind) { persistence in
            var note = try await persistence.save(NoteDraft(body: "a walk"))
            #expect(note.getImages().isEmpty && note.retrieveAllSketches().isEmpty)
            note.addImage(name: "lake.png", mediaType: "image/png", bytes: [1, 2, 3], caption: "By the lake")
            note.addImage(name: "lake.png", mediaType: "image/png", bytes: [4])
            note.addSketch(name: "map.svg", svg: Array("<svg/>".utf8))
            note.setText("a long walk")
            let saved = try await persistence.update(note)
            #expect(saved.getText() == "a long walk" && saved.added.isEmpty)
            #expect(
                saved.getImages().map(\.name) == ["lake.png", "lake 2.png"]
                    && saved.getImages()[0].details.caption == "By the lake")
            #expect(saved.getSketches().map(\.name) == ["map.svg"])
            #expect(try await persistence.content(of: saved.getImages()[0]) == [1, 2, 3])
            #expect(try await persistence.getNotes()[0].files.count == 3)
        }
    }
}
