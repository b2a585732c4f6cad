// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentProtocol
internal import SecretMemory
internal import VaultCore
internal import VaultFormat

extension OperationTable {
    static let privateNotes: [any Handled.Type] = [
        NoteState.self, ProtectNote.self, LockNotes.self, UnlockNote.self, UnlockNotes.self,
        ChangeNotePassword.self, RemoveNotePassword.self,
    ]
}

extension NoteState: Handled {
    func run(in work: RequestContext) throws(VaultError) -> Outcome? {
        let note = try work.store.notes.resolve(ref)
        work.reply(
            NoteSecrecy(
                try !work.store.privateNotes.isPrivate(note)
                    ? .ordinary : work.store.privateNotes.isUnlocked(note) ? .unlocked : .locked))
        return Outcome(.ok)
    }
}

extension LockNotes: Handled {
    func run(in work: RequestContext) throws(VaultError) -> Outcome? {
        let notes = try work.ids(refs)
        for note in notes where try !work.store.privateNotes.isPrivate(note) { throw VaultError(.notPrivate) }
        for note in notes {
            work.reply(SecuredNote(note.text))
            work.store.privateNotes.relock(note)
            work.session.relocks.locked(note)
        }
        return Outcome(.ok)
    }
}

extension ProtectNote: Handled {
    func run(in work: RequestContext, secret: consuming SecretBytes) throws(VaultError) -> Outcome? {
        let password = try work.notePassword(secret)
        let note = try work.store.notes.resolve(ref)
        guard try !work.store.privateNotes.isPrivate(note) else {
            return Outcome(.conflict, "this note has a password already", hint: "vault note passwd ID changes it")
        }
        try work.refuseEdited(note)
        let slot = try work.slot(
            note, epoch: try work.store.privateNotes.nextKeyEpoch(of: note), showsTitle: showsTitle)
        let protection = ProtectionWork(opening: nil, newSlot: slot)
        return try work.begin(note, .protect, protection, password)
    }
}

extension UnlockNote: Handled {
    func run(in work: RequestContext, secret: consuming SecretBytes) throws(VaultError) -> Outcome? {
        let password = try work.notePassword(secret)
        let note = try work.store.notes.resolve(ref)
        return try work.begin(
            note, .unlock, ProtectionWork(opening: try work.store.privateNotes.opening(of: note)), password)
    }
}

extension UnlockNotes: Handled {
    func run(in work: RequestContext, secret: consuming SecretBytes) throws(VaultError) -> Outcome? {
        let password = try work.notePassword(secret)
        let named = Set(try work.ids(refs))
        for note in named where try !work.store.privateNotes.isPrivate(note) { throw VaultError(.notPrivate) }
        let openings = try work.store.privateNotes.lockedOpenings().filter { named.isEmpty || named.contains($0.note) }
        guard !openings.isEmpty else {
            work.reply(UnlockedNotes())
            return Outcome(.ok)
        }
        let job = UnlockNotesJob(work, openings, notebook: notebook, password)
        guard !job.isBusy else {
            return Outcome(.conflict, "another command is trying a password of these notes", hint: "wait until it ends")
        }
        return work.start(job)
    }
}

extension ChangeNotePassword: Handled {
    func run(in work: RequestContext, secret: consuming SecretBytes) throws(VaultError) -> Outcome? {
        let pair = PasswordBox(secret)
        let note = try work.store.notes.resolve(ref)
        guard let old = PasswordPair.part(of: pair.secret, isFirst: true),
            let new = PasswordPair.part(of: pair.secret, isFirst: false),
            Session.passwordByteCounts.contains(new.byteCount)
        else { throw VaultError(.wrongNotePassword) }
        if newKey { try work.refuseEdited(note) }
        let opening = try work.store.privateNotes.opening(of: note)
        let slot = try work.slot(
            note, epoch: newKey ? try work.store.privateNotes.nextKeyEpoch(of: note) : nil,
            showsTitle: opening.showsTitle)
        return try work.begin(
            note, .changePassword(newKey: newKey), ProtectionWork(opening: opening, newSlot: slot), PasswordBox(old),
            PasswordBox(new))
    }
}

extension RemoveNotePassword: Handled {
    func run(in work: RequestContext, secret: consuming SecretBytes) throws(VaultError) -> Outcome? {
        let password = try work.notePassword(secret)
        let note = try work.store.notes.resolve(ref)
        try work.refuseEdited(note)
        return try work.begin(
            note, .removePassword, ProtectionWork(opening: try work.store.privateNotes.opening(of: note)), password)
    }
}

extension RequestContext {
    /// Returns a note's password when its length is one that a password may have.
    func notePassword(_ secret: consuming SecretBytes) throws(VaultError) -> PasswordBox {
        guard Session.passwordByteCounts.contains(secret.byteCount) else { throw VaultError(.wrongNotePassword) }
        return PasswordBox(secret)
    }

    fileprivate func begin(
        _ note: NoteID, _ purpose: ProtectionJob.Purpose, _ protection: ProtectionWork, _ first: PasswordBox,
        _ second: PasswordBox? = nil
    ) throws(VaultError) -> Outcome? {
        guard let wait = session.noteAttempts.begin(note) else {
            return Outcome(.conflict, "another command is changing this note's password", hint: "wait until it ends")
        }
        return start(ProtectionJob(self, note, purpose, protection, first, second, wait: wait))
    }

    fileprivate func slot(_ note: NoteID, epoch: UInt32?, showsTitle: Bool) throws(VaultError) -> ProtectionWork.NewSlot
    {
        ProtectionWork.NewSlot(
            note: note, vaultID: store.header.vaultID, epoch: epoch, showsTitle: showsTitle,
            targetMilliseconds: store.privateNotes.passwordTargetMilliseconds)
    }

    /// Refuses a note that an editor has open: what it holds is under the key that its edit began with.
    fileprivate func refuseEdited(_ note: NoteID) throws(VaultError) {
        for draft in try store.drafts.all() where draft.start.note == note && session.isOpen(draft) {
            throw VaultError(.noteIsEdited)
        }
    }
}
