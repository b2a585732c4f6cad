// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import SealedSQLite
import SecretMemory
import Testing
import VaultCrypto
import VaultFormat

@testable import VaultCore

/// What an import stores beside a note's text.
struct ImportedNoteTests {
    private let vault: TestVault
    private let store: OpenVault

    init() throws {
        vault = try TestVault()
        store = try vault.open()
    }

    @Test func H01ImportedNamesAreSafeAndNoTwoTheSame() {
        var names = ImportedNames()
        let given = ["../a.txt", "a.txt", "A.TXT", "b/../a.txt", "CON", "", ".", "-rf"]
        let made = given.map { names.add($0) }
        #expect(Set(made.map { $0.lowercased() }).count == given.count, "\(made)")
        #expect(made[0] == "a.txt" && made[1] == "a 2.txt" && made[2] == "A 2.TXT" || made[2] == "A 3.TXT", "\(made)")
        for name in made {
            #expect(!name.contains("/") && !name.hasPrefix("-") && !name.hasPrefix(".") && !name.isEmpty)
        }
        var many = ImportedNames()
        for _ in 0..<20_000 { _ = many.add("..") }
        #expect(many.add("x") == "x")
    }

    @Test func aNoteGetsTheIdentifierThatLinksAlreadySay() throws {
        let id = try store.notes.newID()
        var note = ImportedNote(NoteDraft(body: "text"))
        (note.id, note.draft.source, note.flags) = (id, "s", [.pinned])
        #expect(try store.imports.save([note], dryRun: false, ChangeGroup(.import)).created == 1)
        #expect(try store.notes.note(id).body == "text")
        #expect(try store.notes.note(id).isPinned)
        // What the source does not know of stays as its owner made it.
        _ = try store.notes.modify([id], .flag(.pinned, false), ChangeGroup(.pin))
        note.flags = []
        #expect(try store.imports.save([note], dryRun: false, ChangeGroup(.import)).unchanged == 1)
        (note.flags, note.knownFlags) = ([.archived], [.archived, .trashed])
        #expect(try store.imports.save([note], dryRun: false, ChangeGroup(.import)).updated == 1)
        #expect(try store.notes.note(id).place == .archive)
    }

    @Test func aTextWithNULIsWholeInTheIndex() throws {
        var draft = NoteDraft(body: "first\u{0}word\nsecond\u{0}needle\n")
        draft.source = "s"
        _ = try store.imports.save([draft], dryRun: false)
        #expect(try store.search.find("needle", limit: 10, page: 1, snippetColumns: 60).hits.count == 1)
        #expect(try store.notes.list(NoteFilter(), offset: 0, limit: 1).first?.title == "first word")
        _ = try store.imports.save([NoteDraft(body: "other")], dryRun: false)
        draft.body = "changed\u{0}text"
        #expect(try store.imports.save([draft], dryRun: false).updated == 1)
        #expect(try store.search.find("needle", limit: 10, page: 1, snippetColumns: 60).hits.isEmpty)
    }

    @Test func privateNotesOfOneImportShareASaltAndNoKey() throws {
        let password = secret(Array("a long phrase for all".utf8))
        let keys = try store.imports.opening(of: "pass\n/store").keys(password) { true }
        var notes: [ImportedNote] = []
        for number in 0..<3 {
            var note = ImportedNote(NoteDraft(body: "secret \(number)"))
            note.draft.source = "pass\n/store\n\(number)"
            note.protecting = try keys.protecting(store.notes.newID())
            notes.append(note)
        }
        try store.imports.remember(keys)
        #expect(try store.imports.save(notes, dryRun: false, ChangeGroup(.import)).created == 3)
        let ids = notes.compactMap { $0.protecting?.note }
        #expect(ids.allSatisfy { !store.privateNotes.isUnlocked($0) })
        let slots = try store.read { index in try ids.map { try index.keyslot($0) } }
        #expect(Set(slots.map(\.salt)).count == 1 && Set(slots.map(\.wrappedKey)).count == 3)
        // A second import finds them by that salt, with one derivation; another source does not.
        let again = try store.imports.opening(of: "pass\n/store")
        #expect(again.slots.count == 1)
        #expect(try store.imports.sources(with: again.keys(password) { true }).count == 3)
        #expect(try store.imports.opening(of: "pass\n/other").slots.isEmpty)
        expect(.wrongNotePassword) { try again.keys(secret(Array("another phrase".utf8))) { true } }
        // Each opens by itself as any private note does.
        for id in ids { _ = try store.privateNotes.unlock(id, with: store.privateNotes.opening(of: id).open(password)) }
        #expect(try store.notes.note(ids[2]).body == "secret 2")
        #expect(try store.privateNotes.secureNote(ids[0]).verify(password))
    }

    /// Somebody who sees a salt and guesses the path of the import must learn nothing.
    @Test func aSaltOfAnImportIsRandomAsAWhole() throws {
        let password = secret(Array("a long phrase for all".utf8))
        var begins: Set<[UInt8]> = []
        for _ in 0..<2 {
            let made = try store.imports.opening(of: "pass\n/store").keys(password) { true }
            begins.insert(Array(made.new.salt.prefix(16)))
            #expect(try !made.new.salt.starts(with: ImportSalts.beginBefore("pass\n/store", store.header.vaultID)))
        }
        #expect(begins.count == 2, "nothing of it comes from vault and source")
        let keys = try store.imports.opening(of: "pass\n/store").keys(password) { true }
        try store.imports.remember(keys)
        try store.startNewLog(isOpen: true)
        let path = Array("/store".utf8)
        for number in 1...store.database.storage.pageCount {
            let page = try #require(store.database.storage.openedPage(number))
            #expect(page.firstRange(of: path) == nil, "the path itself lies nowhere")
        }
    }

    @Test func notesOfAnImportBeforeSaltsWereRandomAreKnownAgain() throws {
        let password = secret(Array("a long phrase for all".utf8))
        let old = try importedBefore(password, "pass\n/store")
        let again = try store.imports.opening(of: "pass\n/store")
        #expect(again.slots.map(\.noteID) == [old[0]] && again.others.isEmpty)
        let keys = try again.keys(password) { true }
        #expect(try Set(store.imports.sources(with: keys).values) == Set(old))
        #expect(try !keys.new.salt.starts(with: ImportSalts.beginBefore("pass\n/store", store.header.vaultID)))
        // What is new lies under a salt of today, and both are found from then on.
        try store.imports.remember(keys)
        var note = ImportedNote(NoteDraft(body: "new"))
        note.draft.source = "pass\n/store\nnew"
        note.protecting = try keys.protecting(store.notes.newID())
        _ = try store.imports.save([note], dryRun: false, ChangeGroup(.import))
        let third = try store.imports.opening(of: "pass\n/store")
        #expect(third.slots.count == 2)
        let last = try third.keys(password) { true }
        #expect(try store.imports.sources(with: last).count == 3)
        #expect(last.new.salt == keys.new.salt, "no new note lies under a salt of then")
    }

    /// As after a restore from an archive, which has the notes and not the table.
    @Test func notesOfAnImportOfWhichOnlyTheSlotsAreLeftAreKnownAgain() throws {
        let password = secret(Array("a long phrase for all".utf8))
        let old = try importedBefore(password, "pass\n/elsewhere")
        let again = try store.imports.opening(of: "pass\n/store")
        #expect(again.slots.isEmpty && again.others.map(\.noteID) == [old[0]])
        let other = try again.keys(secret(Array("another phrase".utf8))) { true }
        #expect(other.groups.isEmpty && other.unopened == [old[0]], "another password is none that is wrong")
        let keys = try again.keys(password) { true }
        #expect(try Set(store.imports.sources(with: keys).values) == Set(old))
        try store.imports.remember(keys)
        #expect(try store.imports.opening(of: "pass\n/store").slots.count == 1)
    }

    /// Two private notes whose salt begins as it did before.
    private func importedBefore(_ password: borrowing SecretBytes, _ source: String) throws -> [NoteID] {
        let made = try store.imports.opening(of: source).keys(password) { true }
        let salt = try ImportSalts.beginBefore(source, store.header.vaultID) + made.new.salt.prefix(16)
        let kek = try Argon2id.deriveKey(
            password: password, salt: salt, cost: .recommended, memoryByteCount: Machine.memoryByteCount)
        let keys = ImportKeys(
            groups: [], unopened: [], new: .init(salt: salt, cost: .recommended, kek: kek),
            passwordHash: made.passwordHash, vaultID: store.header.vaultID, source: source)
        let notes = try (0..<2).map { number in
            var note = ImportedNote(NoteDraft(body: "old \(number)"))
            note.draft.source = source + "\n\(number)"
            note.protecting = try keys.protecting(store.notes.newID())
            return note
        }
        _ = try store.imports.save(notes, dryRun: false, ChangeGroup(.import))
        return notes.compactMap { $0.protecting?.note }.sorted { $0.bytes.lexicographicallyPrecedes($1.bytes) }
    }

    @Test func aSecretIsStoredUnderAPasswordOrNotAtAll() throws {
        // Somebody's parser sends one name twice: first as an ordinary note, then as a secret.
        var first = ImportedNote(NoteDraft(body: "ordinary"))
        first.draft.source = "pass\n/store\nentry"
        let keys = try store.imports.opening(of: "pass\n/store").keys(secret(Array("a long phrase for all".utf8))) {
            true
        }
        var second = ImportedNote(NoteDraft(body: "the secret word is xylophone"))
        second.draft.source = first.draft.source
        second.mustBePrivate = true
        second.protecting = try keys.protecting(store.notes.newID())
        expect(.notPrivate) { try store.imports.save([first, second], dryRun: false, ChangeGroup(.import)) }
        expect(.notPrivate) {
            second.protecting = nil
            return try store.imports.save([second], dryRun: false, ChangeGroup(.import))
        }
        #expect(
            try store.search.find("xylophone", limit: 10, page: 1, snippetColumns: 60).hits.isEmpty
                && store.notes.counts().notes[.live] == 0)
    }
}
