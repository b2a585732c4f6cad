// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentProtocol
internal import VaultFormat

extension RevisionChange {
    /// What a revision did, in one word that stays the same from version to version. The weightiest change counts.
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
        return old.flags == new.flags ? "edit" : "flag"
    }
}
