// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import GRDB
public import SealedObjects
internal import SecretMemory
internal import VaultCrypto
public import VaultFormat

/// These functions work on attachments that are sealed before the note is there which has them.
extension Imports {
    /// Makes a file for an attachment whose note is not known yet, or for one of a note that has a key of its own.
    ///
    /// The vault's layer does not bind the note, so an ordinary note takes it as it is; a private note's layer does.
    /// - Throws: `VaultError.readOnly`, `.saveFailed`.
    public func newObject(stagedFor note: NoteID? = nil, under key: OpenedNoteKey? = nil) throws(VaultError)
        -> NewObject
    {
        guard !vault.isReadOnly else { throw VaultError(.readOnly) }
        precondition(key == nil || note != nil, "a note's key belongs to a note")
        let home: NoteID
        if let note { home = note } else { home = try .random() }
        return try VaultError.translating {
            let id = try AttachmentID(SecureRandom.bytes(AttachmentID.byteCount))
            return try NewObject(id, note: home, in: vault.objects, vault.unfinished, vault.sealer, key?.keys)
        }
    }

    /// Returns the content of a staged file, to compare or to copy it.
    ///
    /// - Throws: `VaultError.integrity` when it is gone.
    public func content(of staged: StagedFile) throws(VaultError) -> AttachmentContent {
        guard let file = staged.file, let sealed = staged.sealed, let descriptor = try vault.objects.open(file.object)
        else {
            throw VaultError(.integrity)
        }
        let record = AttachmentRecord(
            id: file.id, noteID: file.note, object: file.object, fileByteCount: sealed.fileByteCount,
            commitment: sealed.commitment,
            isPrivate: file.noteKeys != nil, details: [])
        return AttachmentContent(file: descriptor, record: record, details: staged.details, layers: file.layers)
    }

    /// Returns the notes that came from these sources. A private one is found while it is unlocked.
    public func notes(from sources: [String]) throws(VaultError) -> [String: NoteID] {
        try vault.read { index in
            let hidden = try index.unlockedSources()
            var found: [String: NoteID] = [:]
            for source in sources { found[source] = try index.note(from: source) ?? hidden[source] }
            return found
        }
    }
}

extension IndexAccess {
    /// Returns the sources of the private notes that are unlocked: the lists do not have them.
    func unlockedSources() throws -> [String: NoteID] {
        var found: [String: NoteID] = [:]
        for note in try unlockedNotes() { if let source = note.record.source { found[source] = note.id } }
        return found
    }

    func note(from source: String) throws -> NoteID? {
        guard
            let row = try database.cachedStatement("SELECT id FROM note WHERE source = ? ORDER BY id LIMIT 1").row([
                source
            ])
        else {
            return nil
        }
        return try NoteID(try row.bytes("id"))
    }
}

extension AttachmentContent {
    private static let pieceByteCount: UInt64 = 1 << 20

    /// Returns the SHA-256 of the whole content. It is opened a piece at a time, in locked memory.
    ///
    /// - Parameter goesOn: told how many bytes are done; false ends the work.
    /// - Throws: `ObjectError.notAuthentic`, `.cancelled`, `.io`.
    public func digest(_ goesOn: (UInt64) -> Bool) throws(ObjectError) -> [UInt8] {
        let reader = try reader()
        do {
            let digest = try RunningDigest()
            var done: UInt64 = 0
            while done < details.byteCount {
                guard goesOn(done) else { throw ObjectError(.cancelled) }
                let end = min(done + Self.pieceByteCount, details.byteCount)
                let piece = try reader.read(done..<end)
                try unsafe piece.withUnsafeBytes { try unsafe digest.add($0) }
                done = end
            }
            return try digest.finish()
        } catch let error as ObjectError {
            throw error
        } catch { throw ObjectError(.libraryFailure) }
    }
}
