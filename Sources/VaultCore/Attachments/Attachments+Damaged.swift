// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

public import VaultFormat

/// This extension reads the attachments of a note of which one does not open.
extension Attachments {
    /// Returns those that open, where `all` throws because one does not.
    public func readable(of note: NoteID) throws(VaultError) -> [Attachment] {
        let named = try vault.read { try $0.head(of: note).record.attachments }
        return named.compactMap { id in try? vault.read { try $0.attachment(id, of: note) } }
    }

    /// Finds an attachment that is to be removed, also where it does not open: by its name, its number, or the
    /// beginning of its identifier.
    ///
    /// - Throws: `VaultError.noAttachment`.
    public func identifier(_ reference: String, of note: NoteID) throws(VaultError) -> AttachmentID {
        do throws(VaultError) { return try find(reference, of: note).id } catch {
            guard error.code == .integrity else { throw error }
        }
        if let named = try readable(of: note).first(where: { $0.name == reference }) { return named.id }
        let all = try vault.read { try $0.head(of: note).record.attachments }
        if let number = Int(reference), all.indices.contains(number - 1) { return all[number - 1] }
        let found = reference.utf8.count >= 4 ? all.filter { $0.text.hasPrefix(reference.lowercased()) } : []
        guard let first = found.first, found.count == 1 else { throw VaultError(.noAttachment) }
        return first
    }
}
