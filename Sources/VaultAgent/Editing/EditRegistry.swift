// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentProtocol
internal import VaultCore
internal import VaultFormat

/// `EditRegistry` holds all edits that this agent knows of: those of its own clients, and those whose folder somebody
/// else's editor still holds.
final class EditRegistry {
    private var running: [DraftID: RunningEdit] = [:]
    /// Drafts whose folder has to be looked at before the next request.
    private var watched: Set<DraftID> = []
    private var recoveredCount = 0

    /// Whether nobody writes.
    var isEmpty: Bool { running.isEmpty }

    /// Whether somebody writes, which holds off the idle lock.
    func holdsOpen(now: Double) -> Bool { running.values.contains { $0.holdsOpen(now: now) } }

    /// Notes that somebody writes in now.
    var notes: Set<NoteID> { Set(running.values.compactMap(\.note)) }

    /// Notes that somebody has written in of late.
    func notesInUse(now: Double) -> Set<NoteID> {
        Set(running.values.filter { $0.holdsOpen(now: now) }.compactMap(\.note))
    }

    func began(_ edit: RunningEdit) {
        running[edit.journal.id] = edit
        watched.remove(edit.journal.id)
    }

    func ended(_ edit: RunningEdit) { running[edit.journal.id] = nil }

    /// Watches an edit whose client went away: its editor may still be there.
    func interrupted(_ edit: RunningEdit) {
        edit.interrupt()
        running[edit.journal.id] = nil
        watched.insert(edit.journal.id)
    }

    /// Returns whether an editor has a draft open, here or under another agent.
    ///
    /// - Parameter folder: one that does not count, because it is the asking editor's own.
    func isOpen(_ draft: Draft, besides folder: String? = nil) -> Bool {
        if running[draft.id] != nil { return true }
        guard draft.start.folder != folder, let lock = try? EditFolderLock(path: draft.start.folder) else {
            return false
        }
        return !lock.isFree
    }

    /// Looks at every draft, and removes folders of this vault that belong to none: after an unlock.
    func lookAtAll(_ store: OpenVault) {
        guard let drafts = try? store.drafts.all(), !store.isReadOnly else { return }
        watched = Set(drafts.filter { $0.discarded == nil && running[$0.id] == nil }.map(\.id))
        look(store)
        let known = Set(((try? store.drafts.all()) ?? drafts).filter { $0.discarded == nil }.map(\.start.folder))
        let vault = store.header.identity.name
        for path in EditFolderLock.all() where !known.contains(path) && EditFolderLayout.isFolder(path, of: vault) {
            if let lock = try? EditFolderLock(path: path), lock.isFree { lock.removeAll() }
        }
    }

    /// Takes over what editors left that nobody waits for any more. Costs nothing while there is none; what fails now
    /// is tried again before the next request, and keeps nobody from the notes.
    func look(_ store: OpenVault) {
        guard !watched.isEmpty, !store.isReadOnly, let drafts = try? store.drafts.all() else { return }
        for draft in drafts where watched.contains(draft.id) && draft.discarded == nil {
            if (try? take(draft, store)) == true { watched.remove(draft.id) }
        }
    }

    /// Returns news for the next command; nil when there is none.
    func takeNews() -> Notice? {
        defer { recoveredCount = 0 }
        guard recoveredCount > 0 else { return nil }
        return Notice(.draftsRecovered, count: recoveredCount)
    }

    /// Settles a draft with the texts in its folder and removes the folder, unless an editor holds it. The folder's
    /// lock is held from the look to the removal.
    ///
    /// - Returns: whether it need not be looked at again.
    private func take(_ draft: Draft, _ store: OpenVault) throws(VaultError) -> Bool {
        let lock: EditFolderLock
        do throws(EditFolderLock.Failure) { lock = try EditFolderLock(path: draft.start.folder) } catch {
            guard error == .gone else { return false }
            try settle(draft, nil, isTyped: false, store)
            return true
        }
        guard lock.isFree else { return false }
        switch lock.content(byteCountMax: Frame.noteByteCountMax) {
        case .unreadable: return false
        case .absent: try settle(draft, nil, isTyped: false, store)
        case .text(let text, let isTyped):
            let journal = try store.drafts.withText(draft).text?.body
            try settle(draft, text, isTyped: isTyped, store)
            if let before = lock.previous(byteCountMax: Frame.noteByteCountMax),
                ![text, journal, base(of: draft, store), []].contains(before)
            {
                try keep(before, beside: draft, store)
            }
        }
        return lock.removeAll()
    }

    /// Keeps whatever the editor saved that is not in the journal yet. What nobody has written in is no draft.
    private func settle(_ found: Draft, _ left: [UInt8]?, isTyped: Bool, _ store: OpenVault) throws(VaultError) {
        let draft = try store.drafts.withText(found)
        // What the editor left can only be sealed when the note is unlocked; until then it stays in memory.
        if draft.isLocked && left != nil { throw VaultError(.noteLocked) }
        if !draft.isDamaged && !draft.isLocked {
            let given = draft.text?.body ?? base(of: draft, store)
            // The text that the edit began with is in its revision, whatever was typed after it.
            let isNew = left.map { !$0.isEmpty && $0 != given && $0 != base(of: draft, store) } ?? false
            if draft.state == .new {
                guard isNew, let left else { return try store.drafts.discard(draft.id) }
                try store.drafts.journal(of: draft.id).save(left)
            } else if isNew, let left, isTyped, left.count % 4096 != 0, !given.starts(with: left) {
                // The journal has what was typed a moment before. A text that was cut short would end with a page, or
                // be the beginning of that.
                try store.drafts.journal(of: draft.id).save(left)
            } else if isNew, let left {
                // The journal has an earlier save, or the file was cut short while it was written: both are kept.
                try keep(left, beside: draft, store)
            }
        }
        recoveredCount += 1
    }

    /// Keeps the text as a draft of its own.
    private func keep(_ text: [UInt8], beside draft: Draft, _ store: OpenVault) throws(VaultError) {
        var start = draft.start
        start.folder = ""
        try store.drafts.begin(start).save(text)
        recoveredCount += 1
    }

    private func base(of draft: Draft, _ store: OpenVault) -> [UInt8] {
        guard let note = draft.start.note, let base = draft.start.base,
            let text = try? store.history.text(of: base, note)
        else { return [] }
        return text
    }
}
