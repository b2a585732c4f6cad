// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentProtocol
internal import ParserProtocol
internal import VaultCore
internal import VaultFormat

/// `ImportConversion` makes notes of the vault of what a parser sent.
struct ImportConversion {
    let store: OpenVault
    let session: ImportSession
    /// Notes of the batch, and those that they link to, that are in the vault already.
    private let known: [String: NoteID]
    /// The vault's own notes in an export of itself.
    private let own: [String: NoteID]
    /// What had to be left out here.
    private(set) var losses: [ImportLoss] = []

    init(_ store: OpenVault, _ session: ImportSession, _ notes: [ParsedNote]) throws(VaultError) {
        self.store = store
        self.session = session
        var keys = Set(notes.map(\.sourceKey))
        for note in notes { keys.formUnion(note.links.filter(\.isPlaceholder).map(\.sourceKey)) }
        keys.formUnion(notes.compactMap(\.place?.bookKey))
        let sources = keys.map { session.source(of: $0) }
        known = try store.imports.notes(from: sources).merging(session.privateNotes) { first, _ in first }
        try Self.findElders(store, session)
        own = try session.order.format == "json" ? Self.ownNotes(keys, store) : [:]
        // Before any note is made: a note may link to one that stands before it.
        for note in notes {
            for link in note.links where link.isPlaceholder { try promise(link.sourceKey, to: note.sourceKey) }
            if let place = note.place { try promise(place.bookKey, to: note.sourceKey) }
        }
    }

    func knownNote(_ key: String) -> NoteID? { known[session.source(of: key)] ?? session.elders?[key] ?? own[key] }

    /// Finds the notes whose keys hold their place, as earlier versions of the import made them.
    private static func findElders(_ store: OpenVault, _ session: ImportSession) throws(VaultError) {
        guard session.elders == nil else { return }
        let order = session.order
        guard ImportSession.hasIdentifiers(order.format) else { return session.elders = [:] }
        session.elders = try store.imports.notes(withPlacesIn: order.format, preferring: order.source)
    }

    private static func ownNotes(_ keys: Set<String>, _ store: OpenVault) throws(VaultError) -> [String: NoteID] {
        var notes: [String: NoteID] = [:]
        for key in keys where key.utf8.count == NoteID.textCharacterCount {
            if let bytes = Base32.bounds(prefix: key, byteCount: NoteID.byteCount)?.low, let note = try? NoteID(bytes) {
                notes[key] = note
            }
        }
        let present = try store.imports.present(notes.values)
        return notes.filter { present.contains($0.value) }
    }

    /// Makes a note of the vault from one that was parsed, and counts what it loses; nil for a note that cannot be
    /// stored the way it has to be.
    mutating func convert(_ note: ParsedNote) throws(VaultError) -> ImportedNote? {
        for loss in note.losses {
            if loss.code.isKept { session.addKept(loss) } else { session.add(ImportLoss(note.sourceKey, loss)) }
        }
        guard try isOpen(note) else { return nil }
        var text = ImportedText()
        for link in note.links where link.isPlaceholder {
            let id = knownNote(link.sourceKey) ?? session.promised[link.sourceKey]?.id
            if let id { text.targets[link.target] = id.text } else { lose(note, Loss(.linkTargetMissing)) }
        }
        let files = files(of: note, &text)
        var draft = NoteDraft(body: text.replacing(in: note.body), title: note.title)
        draft.tags = note.tags
        draft.notebook = note.notebook
        draft.created = note.created
        draft.modified = note.updated
        draft.source = session.source(of: note.sourceKey)
        var imported = ImportedNote(draft)
        imported.home = knownNote(note.sourceKey)
        imported.files = files
        imported.knownFlags = session.knownFlags
        imported.flags = NoteRecord.Flags(note.flags)
        imported.id = session.promised[note.sourceKey]?.id
        imported.book = note.book.map { ImportedBook($0, now: Machine.now) }
        if let book = imported.book, let home = imported.home {
            // A damaged one is told where it is to be changed.
            for name in (try? store.imports.leftOut(of: book, over: home)) ?? [] {
                lose(note, Loss(.valueCut, detail: name))
            }
        }
        if let place = note.place {
            let book = knownNote(place.bookKey) ?? session.promised[place.bookKey]?.id
            if let book {
                imported.place = ImportedPlace(book: book, chapter: place.chapter, position: place.position)
            } else {
                lose(note, Loss(.linkTargetMissing))
            }
        }
        // A book has no password of its own, and its shelf says where it is.
        if note.book != nil { imported.flags.subtract([.archived, .template]) }
        imported.mustBePrivate = note.flags.contains(.isPrivate) && note.book == nil
        if imported.mustBePrivate { guard try protect(&imported, note) else { return nil } }
        session.promised[note.sourceKey]?.isKept = true
        return imported
    }

    /// Returns whether a note can be compared with the vault's. One that is locked in the vault, and not under the
    /// import's password, cannot be.
    private mutating func isOpen(_ note: ParsedNote) throws(VaultError) -> Bool {
        guard let there = knownNote(note.sourceKey), try store.privateNotes.isPrivate(there) else { return true }
        if store.privateNotes.isUnlocked(there) || session.openableNotes.contains(there) { return true }
        session.recognizedLocked.insert(there)
        lose(
            note, code: "noteLocked",
            "the note is locked in this vault: vault note unlock \(there.text), then import it again")
        return false
    }

    /// Sees to it that a secret is stored under a password, or not at all.
    private mutating func protect(_ imported: inout ImportedNote, _ note: ParsedNote) throws(VaultError) -> Bool {
        if let there = knownNote(note.sourceKey) {
            if try store.privateNotes.isPrivate(there) { return true }
            lose(note, code: "notPrivate", "the note no longer has a password in the vault: it was left unchanged")
            return false
        }
        guard let keys = session.keys else {
            lose(
                note, code: "noPassword",
                "the note is private in the source, and no password was given for it here: --note-password-file FILE imports it"
            )
            return false
        }
        let id: NoteID
        if let promised = imported.id { id = promised } else { id = try store.notes.newID() }
        imported.protecting = try keys.protecting(id, showsTitle: session.order.showsTitles)
        return true
    }

    private mutating func files(of note: ParsedNote, _ text: inout ImportedText) -> [ImportedFile] {
        var names = ImportedNames()
        var files: [ImportedFile] = []
        for reference in note.attachments {
            guard let staged = session.staged[reference.key] else {
                lose(note, Loss(.attachmentMissing))
                continue
            }
            let name = names.add(reference.name)
            if name != reference.name {
                text.files[reference.name] = name
                lose(note, Loss(.attachmentRenamed))
            }
            files.append(ImportedFile(name: name, staged))
        }
        return files
    }

    /// Gives a note that is still to come its identifier, so that links to it never need a second revision.
    private func promise(_ key: String, to source: String) throws(VaultError) {
        guard knownNote(key) == nil, session.promised[key] == nil,
            session.promised.count < ImportSession.promiseCountMax
        else { return }
        session.promised[key] = ImportSession.Promise(id: try store.notes.newID(), source: source)
    }

    private mutating func lose(_ note: ParsedNote, _ loss: Loss) { add(ImportLoss(note.sourceKey, loss)) }

    private mutating func lose(_ note: ParsedNote, code: String, _ sentence: String) {
        add(ImportLoss(note.sourceKey, code: code, sentence))
    }

    private mutating func add(_ loss: ImportLoss) {
        session.add(loss)
        losses.append(loss)
    }
}

extension NoteRecord.Flags {
    /// Takes those that a parser found, by their names.
    init(_ parsed: ParsedNote.Flags) {
        self = []
        for flag in NoteFlag.allCases {
            if let named = ParsedNote.Flags.named[flag.name], parsed.contains(named) { set(flag, true) }
        }
    }
}
