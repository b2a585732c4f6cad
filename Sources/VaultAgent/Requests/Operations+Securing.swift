// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentProtocol
internal import SecretMemory
internal import VaultCore
internal import VaultFormat

extension Operations {
    /// Requests about a note's password that need none.
    func securing(_ securing: Securing) throws(VaultError) -> Outcome? {
        switch securing {
        case .state(let ref):
            let note = try store.resolve(ref)
            answer.output(try !store.isPrivate(note) ? "ordinary\n" : store.isUnlocked(note) ? "unlocked\n" : "locked\n")
        case .lock(let refs):
            let notes = try ids(refs)
            for note in notes where try !store.isPrivate(note) { throw VaultError(.notPrivate) }
            for note in notes {
                answer.secured(note, "locked")
                store.relock(note)
            }
        case .protect, .unlock, .changePassword, .removePassword: return Outcome(.usage, "this request needs a password")
        }
        return Outcome(.ok)
    }

    /// Requests that a password came with.
    func perform(_ request: Request, secret: consuming SecretBytes) throws(VaultError) -> Outcome? {
        if case .keying(let keying) = request { return try self.keying(keying, secret) }
        if case .archiving(let archiving) = request { return try self.archiving(archiving, secret) }
        if case .exporting(let order) = request { return try exporting(order, passphrase: secret) }
        guard Session.passwordByteCounts.contains(secret.byteCount) || request.hasTwoSecrets else { throw VaultError(.wrongNotePassword) }
        switch request {
        case .new(let note):
            return start(try NewPrivateJob(self, .save(note), PasswordBox(secret), showsTitle: note.showsTitle))
        case .editing(.begin(let target, let folder)):
            guard connection.edit == nil, case .new(let note) = target else {
                return Outcome(.usage, "an edit is already running on this connection")
            }
            let plan = try EditPlan(target, store, answer.clock)
            return start(try NewPrivateJob(self, .edit(plan, folder: folder), PasswordBox(secret), showsTitle: note.showsTitle))
        case .securing(let securing): return try self.securing(securing, PasswordBox(secret))
        case .importing(.begin(let order)): return try importing(order, PasswordBox(secret))
        default: return Outcome(.usage, "this request takes no password")
        }
    }

    private func securing(_ securing: Securing, _ secret: PasswordBox) throws(VaultError) -> Outcome? {
        switch securing {
        case .protect(let ref, let showsTitle):
            let note = try store.resolve(ref)
            guard try !store.isPrivate(note) else {
                return Outcome(.conflict, "this note has a password already", hint: "vault note passwd ID changes it")
            }
            try refuseEdited(note)
            let work = ProtectionWork(opening: nil, newSlot: try slot(note, epoch: 1, showsTitle: showsTitle))
            return try begin(note, .protect, work, secret)
        case .unlock(let ref):
            let note = try store.resolve(ref)
            return try begin(note, .unlock, ProtectionWork(opening: try store.opening(of: note)), secret)
        case .changePassword(let ref, let newKey): return try changePassword(store.resolve(ref), newKey: newKey, secret)
        case .removePassword(let ref):
            let note = try store.resolve(ref)
            try refuseEdited(note)
            return try begin(note, .removePassword, ProtectionWork(opening: try store.opening(of: note)), secret)
        case .state, .lock: return Outcome(.usage, "this request takes no password")
        }
    }

    private func changePassword(_ note: NoteID, newKey: Bool, _ pair: PasswordBox) throws(VaultError) -> Outcome? {
        guard let old = PasswordPair.part(of: pair.secret, isFirst: true), let new = PasswordPair.part(of: pair.secret, isFirst: false),
            Session.passwordByteCounts.contains(new.byteCount)
        else { throw VaultError(.wrongNotePassword) }
        if newKey { try refuseEdited(note) }
        let opening = try store.opening(of: note)
        let slot = try slot(note, epoch: newKey ? try store.nextKeyEpoch(of: note) : nil, showsTitle: opening.showsTitle)
        return try begin(
            note, .changePassword(newKey: newKey), ProtectionWork(opening: opening, newSlot: slot), PasswordBox(old), PasswordBox(new))
    }

    private func begin(
        _ note: NoteID, _ purpose: ProtectionJob.Purpose, _ work: ProtectionWork, _ first: PasswordBox, _ second: PasswordBox? = nil
    ) throws(VaultError) -> Outcome? {
        guard let wait = session.noteAttempts.begin(note) else {
            return Outcome(.conflict, "another command is changing this note's password", hint: "wait until it ends")
        }
        return start(ProtectionJob(self, note, purpose, work, first, second, wait: wait))
    }

    private func slot(_ note: NoteID, epoch: UInt32?, showsTitle: Bool) throws(VaultError) -> ProtectionWork.NewSlot {
        ProtectionWork.NewSlot(note: note, vaultID: store.header.vaultID, epoch: epoch, showsTitle: showsTitle, cost: store.notePasswordCost)
    }

    /// What an editor holds is under the key that its edit began with.
    private func refuseEdited(_ note: NoteID) throws(VaultError) {
        for draft in try store.drafts() where draft.start.note == note && session.isOpen(draft) { throw VaultError(.noteIsEdited) }
    }
}

extension Request {
    fileprivate var hasTwoSecrets: Bool {
        if case .securing(.changePassword) = self { return true }
        return false
    }
}
