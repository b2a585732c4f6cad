// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentProtocol
internal import ParserProtocol
internal import SealedObjects
internal import VaultCore
internal import VaultFormat

/// `ImportBatchJob` saves one batch of an import: files that may be what a note has already are compared, files that
/// more than one note has are copied, both on a thread of their own; then all is one durable transaction.
final class ImportBatchJob: Job {
    private enum Made: Sendable {
        case digests(new: [UInt8], present: [UInt8])
        case sealed(SealedObject)
    }
    private enum Task {
        case compare(note: Int, file: Int, with: AttachmentID)
        case copy(note: Int, file: Int, to: NewObject)
    }

    private let store: OpenVault
    private let session: ImportSession
    private var notes: [ImportedNote] = []
    private let losses: [ImportLoss]
    /// Identifiers of the notes that are there already, by their place in `notes`.
    private var homes: [Int: NoteID] = [:]
    private var comparisons: [(note: Int, file: Int, with: Attachment)] = []
    /// The next file that is to get its place; notes and files in order.
    private var place = (note: 0, file: 0)
    private var running: (task: Task, work: Background<Result<Made, ObjectError>>)?
    /// Of private notes that are locked to everybody else. They are lent to the store for one call at a time.
    private var opened: [NoteID: OpenedNoteKey] = [:]

    init(_ store: OpenVault, _ session: ImportSession, _ parsed: [ParsedNote]) throws(VaultError) {
        self.store = store
        self.session = session
        var conversion = try ImportConversion(store, session, parsed)
        for note in parsed {
            guard let imported = try conversion.convert(note) else { continue }
            if let home = conversion.knownNote(note.sourceKey) { homes[notes.count] = home }
            notes.append(imported)
        }
        losses = conversion.losses
        if let keys = session.keys {
            opened = try store.imports.keys(of: homes.values.filter { session.openableNotes.contains($0) }, keys)
        }
        for (index, home) in homes where !notes[index].files.isEmpty { try findComparisons(index, home) }
    }

    deinit { running?.work.cancel() }

    var isWaiting: Bool { running != nil }

    func step(_ connection: Connection) -> Outcome? {
        do throws(VaultError) {
            if let (task, work) = running {
                guard let result = work.takeResult() else { return nil }
                running = nil
                try finish(task, result)
            }
            if try beginComparison() { return nil }
            if try placeFiles() { return nil }
            session.tally.add(
                try store.imports.lending(opened) { () throws(VaultError) in
                    try store.imports.save(notes, dryRun: session.order.dryRun, session.group)
                })
            if session.order.tellsLosses && !losses.isEmpty { connection.reply(ImportLosses(losses)) }
            return Outcome(.ok)
        } catch { return error.outcome }
    }

    /// Finds attachments with the name and size of an imported file; the same name alone is another content.
    private func findComparisons(_ index: Int, _ home: NoteID) throws(VaultError) {
        var present: [String: Attachment] = [:]
        let attachments = try store.imports.lending(opened) { () throws(VaultError) in
            try store.attachments.all(of: home)
        }
        for attachment in attachments { present[attachment.name] = attachment }
        for (number, file) in notes[index].files.enumerated() {
            guard let other = present[file.name], other.details.byteCount == file.staged.details.byteCount else {
                continue
            }
            comparisons.append((index, number, other))
        }
    }

    private func beginComparison() throws(VaultError) -> Bool {
        guard let (note, file, other) = comparisons.popLast() else { return false }
        let staged = notes[note].files[file].staged
        let digest = staged.digest
        let new = digest == nil ? try store.imports.content(of: staged) : nil
        // One that is gone or damaged is not the same; the imported one takes its place.
        let content = try? store.imports.lending(opened) { () throws(VaultError) in
            try store.attachments.content(of: other.id, note: other.note)
        }
        guard let present = content else { return try beginComparison() }
        let work = Background<Result<Made, ObjectError>> { goesOn in
            do throws(ObjectError) {
                let one: [UInt8]
                if let digest {
                    one = digest
                } else if let new {
                    one = try new.digest(goesOn)
                } else {
                    throw ObjectError(.io)
                }
                do throws(ObjectError) {
                    return .success(.digests(new: one, present: try present.digest(goesOn)))
                } catch {
                    guard error.code == .notAuthentic else { throw error }
                    return .success(.digests(new: one, present: []))
                }
            } catch { return .failure(error) }
        }
        running = (.compare(note: note, file: file, with: other.id), work)
        return true
    }

    /// Gives each file that is new a sealed file of its own: the first note takes what was staged, others and private
    /// ones get a copy.
    ///
    /// - Returns: whether a copy has begun.
    private func placeFiles() throws(VaultError) -> Bool {
        guard !session.order.dryRun else { return false }
        while place.note < notes.count {
            let files = notes[place.note].files
            guard place.file < files.count else {
                place = (place.note + 1, 0)
                continue
            }
            let (note, file) = place
            place.file += 1
            guard files[file].same == nil else { continue }
            let staged = files[file].staged
            let (home, key) = try key(ofNote: note)
            guard key != nil || staged.isTaken else {
                staged.isTaken = true
                notes[note].files[file].own = staged
                continue
            }
            let content = try store.imports.content(of: staged)
            let copy = try store.imports.newObject(stagedFor: home, under: key)
            running = (
                .copy(note: note, file: file, to: copy),
                Background { goesOn in ResealWork.copy(content, to: copy, goesOn).map { .sealed($0) } }
            )
            return true
        }
        return false
    }

    private func key(ofNote index: Int) throws(VaultError) -> (NoteID?, OpenedNoteKey?) {
        if let made = notes[index].protecting { return (made.note, made.opened) }
        guard let home = homes[index], try store.privateNotes.isPrivate(home) else { return (nil, nil) }
        if let lent = opened[home] { return (home, lent) }
        return (home, try store.privateNotes.openedKey(of: home))
    }

    private func finish(_ task: Task, _ result: Result<Made, ObjectError>) throws(VaultError) {
        let made: Made
        do throws(ObjectError) { made = try result.get() } catch { throw error.vaultError }
        switch (task, made) {
        case (.compare(let note, let file, let other), .digests(let new, let present)):
            notes[note].files[file].staged.digest = new
            if new == present { notes[note].files[file].same = other }
        case (.copy(let note, let file, let copy), .sealed(let sealed)):
            try copy.sync()
            notes[note].files[file].own = StagedFile(copy, sealed, notes[note].files[file].staged.details)
        default: preconditionFailure("a task makes what it was begun for")
        }
    }
}
