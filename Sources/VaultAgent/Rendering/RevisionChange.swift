// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import SearchText
internal import VaultFormat

/// What a revision changed, in words.
enum RevisionChange {
    static func text(from old: NoteRecord?, to new: NoteRecord) -> String { list(from: old, to: new).joined(separator: ", ") }

    static func list(from old: NoteRecord?, to new: NoteRecord) -> [String] {
        guard let old else { return ["first revision, \(Quantity.bytes(new.body.utf8.count))"] }
        var changes: [String] = []
        if old.body != new.body { changes.append(size(new.body.utf8.count - old.body.utf8.count)) }
        if old.title != new.title { changes.append(new.title.map { "title \"\($0)\"" } ?? "title removed") }
        if old.notebook != new.notebook { changes.append(new.notebook.isEmpty ? "out of \(old.notebook)" : "to \(new.notebook)") }
        changes += old.tags.filter { !new.tags.contains($0) }.map { "-#\($0)" } + new.tags.filter { !old.tags.contains($0) }.map { "+#\($0)" }
        changes += attachments(old.attachments, new.attachments)
        changes += flags(old.flags, new.flags)
        return changes.isEmpty ? ["no change"] : changes
    }

    private static func size(_ difference: Int) -> String {
        if difference == 0 { return "text, same size" }
        return "text \(difference > 0 ? "+" : "-")\(Quantity.bytes(abs(difference)))"
    }

    /// Their names are not in a record, and those that are gone may be unknown: a count says what happened.
    private static func attachments(_ old: [AttachmentID], _ new: [AttachmentID]) -> [String] {
        let (before, after) = (Set(old), Set(new))
        func count(_ number: Int, _ word: String) -> String? {
            number == 0 ? nil : "\(number) attachment\(number == 1 ? "" : "s") \(word)"
        }
        let changes = [count(after.subtracting(before).count, "added"), count(before.subtracting(after).count, "removed")].compactMap { $0 }
        return changes.isEmpty && old != new ? ["attachments in another order"] : changes
    }

    private static func flags(_ old: NoteRecord.Flags, _ new: NoteRecord.Flags) -> [String] {
        let names: [(NoteRecord.Flags, String, String)] = [
            (.trashed, "to the trash", "restored"), (.pinned, "pinned", "unpinned"), (.archived, "archived", "unarchived"),
            (.template, "made a template", "made a note"),
        ]
        return names.compactMap { flag, set, unset in
            guard old.contains(flag) != new.contains(flag) else { return nil }
            return new.contains(flag) ? set : unset
        }
    }
}
