// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Foundation
import SealedObjects
import SealedSQLite
import Testing
import VaultCrypto
import VaultFormat

@testable import VaultCore

/// A vault with everything in it, and rotations of it in steps.
struct RotatingVault {
    let vault: TestVault
    let privateNote: NoteID
    /// The note's key, derived once: no rotation changes it.
    let opened: OpenedNoteKey
    /// Recovery key of the next epoch; unlocking with it costs no derivation.
    static let nextKey = [UInt8](repeating: 0x5A, count: RecoveryKey.byteCount)

    /// What a person sees: texts, revisions, attachments' contents, drafts, thumbnails.
    struct Contents: Equatable {
        var notes: [NoteID: [String]] = [:]
        var attachments: [AttachmentID: [UInt8]] = [:]
        var thumbnails: [AttachmentID: [UInt8]] = [:]
        var drafts: [DraftID: [UInt8]] = [:]
        var books: [NoteID: BookDetails] = [:]
        var bookNotes: [NoteID: [NoteID]] = [:]
        var found = 0
    }

    init(notes: Int = 12) throws {
        vault = try TestVault()
        let store = try vault.open()
        for number in 0..<notes { _ = try store.notes.create(NoteDraft(body: "note \(number) quokka")) }
        let book = try BookTests.add("quokka tales", store, .reading)
        _ = try store.books.log(book, day: 20_000, .page, 50, "quokka")
        _ = try store.books.put([store.notes.resolve("note 0 quokka")], NewPlace(book: book, chapter: "1"))
        let edited = try store.notes.resolve("note 1 quokka")
        _ = try store.notes.edit(edited) { $0.body += " edited" }
        let pictures = [UInt8](repeating: 7, count: 70_000)
        let attachment = try store.addAttachment("a.bin", pictures, to: edited)
        try store.attachments.saveThumbnail([1, 2, 3], of: attachment.id, note: edited)
        _ = try store.addAttachment("empty", [], to: edited)
        let secretNote = try store.notes.resolve("note 2 quokka")
        _ = try store.addAttachment("secret.bin", [UInt8](repeating: 9, count: 40_000), to: secretNote)
        try store.makePrivate(secretNote)
        privateNote = secretNote
        opened = try store.privateNotes.opening(of: secretNote).open(secret(Array("rosebud".utf8)))
        var start = DraftStart()
        start.note = edited
        let journal = try store.drafts.begin(start)
        try journal.save(Array("half a thought".utf8))
        _ = try store.notes.setTrashed(store.notes.resolve("note 3 quokka"), true)
        try store.end()
    }

    func contents(_ store: OpenVault) throws -> Contents {
        var contents = Contents()
        try store.privateNotes.unlock(privateNote, with: opened)
        for book in try store.books.list(BookQuery()).books {
            contents.books[book.note.id] = try store.books.book(book.note.id).details
            contents.bookNotes[book.note.id] = try store.books.notes(of: book.note.id, limit: 100).sections
                .flatMap(\.notes).map(\.id)
        }
        for place in [NoteFilter(), .inTrash] {
            for note in try store.notes.list(place, offset: 0, limit: 10_000) {
                contents.notes[note.id] = try store.history.revisions(of: note.id).map {
                    String(decoding: try store.history.text(of: $0.id, note.id), as: UTF8.self)
                }
                for attachment in try store.attachments.all(of: note.id) {
                    contents.attachments[attachment.id] = try store.content(attachment)
                    contents.thumbnails[attachment.id] = try store.attachments.thumbnail(
                        of: attachment.id, note: note.id)
                }
            }
        }
        for draft in try store.drafts.all() {
            contents.drafts[draft.id] = try store.drafts.withText(draft).text.map { Array($0.body) } ?? []
        }
        // A search ends after 50 ms, whatever the machine is busy with: then it says so, and is asked again.
        for _ in 0..<100 {
            let page = try store.search.find("quokka", limit: 100, page: 1, snippetColumns: 40)
            contents.found = page.hits.count
            if !page.isCutShort { break }
        }
        store.privateNotes.relock(privateNote)
        return contents
    }

    /// The next key, whose only slot opens with `nextKey`.
    static func next(_ store: OpenVault, keepsPassword: Bool = false) throws -> NextEpoch {
        let proof = try KeyslotProof(store.header, .recoveryKey(secret(TestVault.recoveryKey)))
        if keepsPassword {
            return try NextEpoch(
                proof, .password(secret(nextKey)), name: "next", cost: .recommended, targetMilliseconds: 0,
                withRecoveryKey: false)
        }
        return try NextEpoch(
            proof, .recoveryKey(secret(nextKey)), name: "next", cost: .recommended, targetMilliseconds: 0,
            withRecoveryKey: false)
    }

    /// Up to the commit, and through it.
    static func begin(_ store: OpenVault, keepsPassword: Bool = false, atEachStep: () throws -> Void = {}) throws {
        let start = try RotationStart(
            store, next(store, keepsPassword: keepsPassword), RotationPlan(store.rotation.planRequest()))
        while try start.step() { try atEachStep() }
        try atEachStep()
        #expect(try !start.mustWait())
        try start.commit()
        try atEachStep()
    }

    /// From the commit to its end.
    static func finish(_ store: OpenVault, atEachStep: () throws -> Void = {}) throws {
        while true {
            switch try store.rotation.step() {
            case .more: break
            case .file(let file):
                switch file.work({ _ in true }) {
                case .success(let commitment): try store.rotation.replace(file, commitment: commitment)
                case .failure(let error) where error.code == .notAuthentic: try store.rotation.pass(file)
                case .failure(let error): throw error
                }
            case .done: return try atEachStep()
            }
            try atEachStep()
        }
    }
}

extension TestVault {
    func open(key: [UInt8]) throws -> OpenVault { try OpenVault(probe(), .recoveryKey(secret(key))) }
}

extension TestVault {
    func files() throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: folder.path) }

    /// A copy lies elsewhere, so no pin knows its path.
    func openAsCopy(key: [UInt8]) throws -> OpenVault {
        try OpenVault(
            VaultProbe(path: path, pins: PinStore(folder: folder.path + "-own-pins")), .recoveryKey(secret(key)))
    }

    /// How many pages of an index open under a key.
    func authenticPages(_ name: String, _ keys: VaultKeys, _ header: UnverifiedHeader) throws -> Int {
        var named = header
        named.epoch = UInt32(name.dropFirst(6).prefix { $0.isNumber }) ?? 0
        let storage = try IndexFile.storage(
            VaultDirectory(path: path), header: Header.make(named, keys: keys), keys: keys,
            logSalt: [UInt8](repeating: 0, count: 32), creating: false
        )
        return (1...storage.pageCount).count { storage.pageIsAuthentic($0) }
    }
}

extension Header {
    static func isVerified(_ header: UnverifiedHeader, by keys: VaultKeys) throws -> Bool {
        (try? verify(header, keys: keys)) != nil
    }
}
