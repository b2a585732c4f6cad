// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentProtocol
internal import VaultFormat

/// This extension says what a revision changed.
extension RevisionChange {
    static func list(from old: NoteRecord?, to new: NoteRecord) -> [RevisionChange] {
        guard let old else { return [RevisionChange(.first, amount: new.body.utf8.count)] }
        var changes: [RevisionChange] = []
        if old.body != new.body {
            changes.append(RevisionChange(.text, amount: new.body.utf8.count - old.body.utf8.count))
        }
        if old.title != new.title {
            changes.append(RevisionChange(.title, name: new.title ?? "", amount: new.title == nil ? 0 : 1))
        }
        if old.notebook != new.notebook {
            changes.append(
                new.notebook.isEmpty
                    ? RevisionChange(.outOfNotebook, name: old.notebook)
                    : RevisionChange(.intoNotebook, name: new.notebook))
        }
        changes += old.tags.filter { !new.tags.contains($0) }.map { RevisionChange(.tagRemoved, name: $0) }
        changes += new.tags.filter { !old.tags.contains($0) }.map { RevisionChange(.tagAdded, name: $0) }
        changes += attachments(old.attachments, new.attachments)
        changes += flags(old.flags, new.flags)
        if old.role != new.role { changes.append(RevisionChange(.book, name: BookChange.words(old, new))) }
        return changes.isEmpty ? [RevisionChange(.none)] : changes
    }

    /// Returns how many attachments were added and removed. Their names are not in a record, and those that are gone
    /// may be unknown: a count says what happened.
    private static func attachments(_ old: [AttachmentID], _ new: [AttachmentID]) -> [RevisionChange] {
        let (before, after) = (Set(old), Set(new))
        let changes = [
            RevisionChange(.attachmentsAdded, amount: after.subtracting(before).count),
            RevisionChange(.attachmentsRemoved, amount: before.subtracting(after).count),
        ].filter { $0.amount > 0 }
        return changes.isEmpty && old != new ? [RevisionChange(.attachmentsReordered)] : changes
    }

    private static func flags(_ old: NoteRecord.Flags, _ new: NoteRecord.Flags) -> [RevisionChange] {
        NoteFlag.byBit.filter { old.contains($0) != new.contains($0) }.map {
            RevisionChange(.flag($0, isSet: new.contains($0)))
        }
    }
}

extension RevisionChange {
    /// Says what a revision did, in one word that stays the same from version to version. The weightiest change counts.
    /// Spec: docs/export-json.md §4.
    static func word(from old: NoteRecord?, to new: NoteRecord) -> String {
        guard let old else { return "create" }
        if old.flags.contains(.trashed) != new.flags.contains(.trashed) {
            return new.flags.contains(.trashed) ? "trash" : "restore"
        }
        if old.body != new.body { return "edit" }
        if old.title != new.title { return "title" }
        if old.notebook != new.notebook { return "move" }
        if old.tags != new.tags { return "tag" }
        if old.attachments != new.attachments { return "attach" }
        if old.role != new.role { return "book" }
        return old.flags == new.flags ? "edit" : "flag"
    }
}
