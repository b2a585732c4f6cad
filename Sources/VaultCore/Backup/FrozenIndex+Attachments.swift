// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import GRDB
internal import VaultFormat

extension FrozenIndex {
    /// Returns whether a head of an ordinary note names an attachment that has no row, as after a repair that has not
    /// found it: nothing of the index is damaged then, and a restore would not have it.
    ///
    /// - Throws: `VaultError.integrity` for a record that does not open; what `goesOn` throws.
    func lacksAttachment(goesOn: () throws -> Void) throws -> Bool {
        var named: Set<AttachmentID> = []
        var count = 0
        try forEach(
            """
            SELECT id, note, sealed, made FROM revision WHERE id IN (SELECT head FROM note
            WHERE features & \(NoteFeatures.attachment.rawValue) UNION SELECT revision FROM otherHead)
            """
        ) { row in
            count += 1
            if count % 1024 == 0 { try goesOn() }
            let revision = try ArchiveRows.revision(row, layer)
            guard !revision.isPrivate else { return }
            named.formUnion(try NoteRecord(parsing: revision.record).attachments)
        }
        guard !named.isEmpty else { return false }
        try forEach("SELECT id FROM attachment") { named.remove(try AttachmentID($0.bytes("id"))) }
        return !named.isEmpty
    }
}
