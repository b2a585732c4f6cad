// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import VaultCore
import VaultFormat

/// This extension gives notes a password of their own. Each derivation costs a tenth of a second, so there are few.
extension Device {
    private static let password = Array("rosebud".utf8)

    /// A note without attachments and without other versions gets a password.
    func protect() throws {
        let notes = try store.notes.list(NoteFilter(), offset: 0, limit: 200).filter {
            // Of two passwords that two devices give one note at once only one counts (docs/decisions/0050).
            $0.protection == .none && !$0.isForked && !$0.hasAttachments && !world.protected.contains($0.id)
        }
        guard let note = world.chance.pick(notes) else { return }
        let protecting = try NoteProtecting(
            note.id, vaultID: store.header.vaultID, password: secret(Self.password), keeping: nil,
            epoch: store.privateNotes.nextKeyEpoch(of: note.id), showsTitle: false, cost: .recommended)
        guard try store.attachments.ofAllRevisions(of: note.id).isEmpty else { return }
        try store.privateNotes.protect(note.id, protecting)
        world.protected.insert(note.id)
        while try WordRemoval(store).step() {}
        while try store.attachments.removePending() {}
    }

    /// All notes with a password are unlocked.
    func unlockAll() throws {
        for (note, isUnlocked) in try store.privateNotes.all().sorted(by: { $0.key.text < $1.key.text })
        where !isUnlocked {
            try store.privateNotes.unlock(note, with: store.privateNotes.opening(of: note).open(secret(Self.password)))
        }
    }
}
