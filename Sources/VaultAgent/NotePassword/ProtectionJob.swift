// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentProtocol
internal import VaultCore
internal import VaultFormat

/// `ProtectionJob` does everything that a note's password is asked for: derivations and attachments on threads of their
/// own, the change itself in one transaction, then the removal of words.
final class ProtectionJob: Job {
    enum Purpose: Equatable {
        case unlock
        case protect
        case changePassword(newKey: Bool)
        case removePassword
    }

    private enum Phase {
        case deriving(Background<Result<ProtectionWork.Made, VaultError>>)
        case resealing(ResealWork, ProtectionWork.Made)
        case removingWords(WordRemoval)
        case removingFiles
    }

    private let store: OpenVault
    private let session: Session
    private let note: NoteID
    private let purpose: Purpose
    private let wasUnlocked: Bool
    private var phase: Phase
    private var isDone = false
    /// The transaction that changed the note's layers is durable; what is left is removal.
    private var isSealed = false

    /// Starts the derivations.
    ///
    /// - Parameter wait: what the session says about earlier failures.
    init(
        _ operations: RequestContext, _ note: NoteID, _ purpose: Purpose, _ work: ProtectionWork, _ first: PasswordBox,
        _ second: PasswordBox? = nil,
        wait: Double
    ) {
        store = operations.store
        session = operations.session
        self.note = note
        self.purpose = purpose
        wasUnlocked = operations.store.privateNotes.isUnlocked(note)
        phase = .deriving(Background { goesOn in work.run(first, second, wait: wait, goesOn: goesOn) })
    }

    /// Ends the work: the note is as it was before, but for what is done.
    deinit {
        if case .deriving(let work) = phase {
            work.cancel()
            // A try that nobody waited for counts as a wrong one: else hanging up would be a way around the waiting.
            if purpose != .protect { session.noteAttempts.failed(note) }
        }
        session.noteAttempts.end(note)
        guard isDone else { return stopHalfway() }
    }

    private func stopHalfway() {
        if purpose != .unlock && !wasUnlocked { store.privateNotes.relock(note) }
        session.lookForWords()
    }

    var isWaiting: Bool {
        switch phase {
        case .deriving, .resealing: true
        case .removingWords, .removingFiles: false
        }
    }

    func step(_ connection: Connection) -> Outcome? {
        do throws(VaultError) {
            switch phase {
            case .deriving(let work): try derived(work)
            case .resealing(let work, let made): try reseal(work, made, connection)
            case .removingWords(let removal):
                if try !removal.step() { phase = .removingFiles }
                if removal.steps > 0 {
                    connection.send(.progress, Progress(label: "removing words", done: removal.steps, total: 0).encoded)
                }
            case .removingFiles: if try !store.attachments.removePending() { return finish(connection) }
            }
            return nil
        } catch {
            guard isSealed, error.code == .readOnly || error.code == .saveFailed else { return error.outcome }
            return removalFailed()
        }
    }

    /// Returns the answer for a change that left old data on the disk. The change itself is durable, and saying
    /// otherwise would send the owner to do it again.
    private func removalFailed() -> Outcome {
        let what =
            switch purpose {
            case .protect: "the note is private now, but some of its old words are still on the disk"
            case .changePassword:
                "the note has its new password, but some data that the old key opens is still on the disk"
            case .removePassword, .unlock:
                "the note no longer has a password, but some of its old files are still on the disk"
            }
        return Outcome(
            .localSaveFailed, what + ": the disk is full or read-only",
            hint: "make room, then vault lock and vault unlock: the removal continues automatically")
    }

    private func derived(_ work: Background<Result<ProtectionWork.Made, VaultError>>) throws(VaultError) {
        guard let result = work.takeResult() else { return }
        phase = .removingFiles
        if case .failure(let error) = result {
            if error.code == .wrongNotePassword { session.noteAttempts.failed(note) }
            throw error
        }
        if purpose != .protect { session.noteAttempts.succeeded(note) }
        let made = try result.get()
        if let opened = made.opened { try store.privateNotes.unlock(note, with: opened) }
        switch purpose {
        case .unlock: break
        case .changePassword(newKey: false):
            if let protecting = made.protecting { try store.privateNotes.protect(note, protecting) }
            session.syncing.passwordsChanged()
        case .protect, .changePassword(newKey: true):
            phase = .resealing(try ResealWork(store, note, to: made.protecting?.opened), made)
        case .removePassword: phase = .resealing(try ResealWork(store, note, to: nil), made)
        }
    }

    private func reseal(_ work: ResealWork, _ made: ProtectionWork.Made, _ connection: Connection) throws(VaultError) {
        try work.step()
        guard work.isDone else {
            connection.send(
                .progress,
                Progress(label: "sealing", done: work.doneByteCount, total: work.totalByteCount, isBytes: true).encoded)
            return
        }
        // Somebody may have begun to write in it meanwhile: that editor's draft is under the key that is there.
        guard !session.edits.notes.contains(note) else { throw VaultError(.noteIsEdited) }
        do throws(VaultError) {
            if let protecting = made.protecting {
                try store.privateNotes.protect(note, protecting, attachments: work.resealed)
            } else {
                try store.privateNotes.unprotect(note, attachments: work.resealed)
            }
        } catch {
            // One came or went meanwhile: from the beginning, which costs time and loses nothing.
            guard error.code == .attachmentsChanged else { throw error }
            phase = .resealing(try ResealWork(store, note, to: made.protecting?.opened), made)
            return
        }
        work.keep()
        isSealed = true
        session.syncing.passwordsChanged()
        phase = .removingWords(WordRemoval(store))
    }

    private func finish(_ connection: Connection) -> Outcome {
        isDone = true
        // What waited for the password may have been taken over.
        if purpose == .unlock { session.lookForWords() }
        switch purpose {
        case .protect: store.privateNotes.relock(note)
        case .changePassword: if !wasUnlocked { store.privateNotes.relock(note) }
        case .unlock, .removePassword: break
        }
        connection.reply(SecuredNote(note.text))
        return Outcome(.ok)
    }
}
