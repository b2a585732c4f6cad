// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import TextMerge
internal import VaultCrypto
internal import VaultFormat

/// `CleanJoin` is what two heads of a note come to when they fit together: the same on every device, whichever is
/// called ours.
///
/// Field by field, by what both came from. Spec: docs/format.md §10.
struct CleanJoin {
    /// What both came from.
    let base: NoteRecord
    /// The one that stands before the other in the order of heads.
    let first: NoteRecord
    let second: NoteRecord

    /// Joins the two heads, field by field.
    ///
    /// - Parameter texts: merges the texts; nil where they do not fit together.
    /// - Returns: nil for a conflict: both heads stay.
    func joined(_ texts: (TextsToMerge) throws -> [UInt8]?) rethrows -> NoteRecord? {
        guard let title = value(\.title), let notebook = value(\.notebook), let source = value(\.source),
            let role = RoleJoin(base: base.role, first: first.role, second: second.role).joined
        else { return nil }
        let bodies = TextsToMerge(
            base: Array(base.body.utf8), ours: Array(first.body.utf8), theirs: Array(second.body.utf8))
        guard let merged = try texts(bodies), let body = String(validating: merged, as: UTF8.self) else { return nil }
        var record = NoteRecord(
            noteID: base.noteID, created: min(first.created, second.created),
            modified: max(first.modified, second.modified), body: body)
        (record.title, record.notebook, record.source) = (title, notebook, source)
        record.tags = FieldMerge.set(base.tags, first.tags, second.tags)
        record.attachments = FieldMerge.set(base.attachments, first.attachments, second.attachments)
        record.flags = flags
        record.role = role
        guard record.isWithinLimits else { return nil }
        return record
    }

    /// Returns the value of the side that changed it; nil when both did and differ.
    private func value<Value: Equatable>(_ field: KeyPath<NoteRecord, Value>) -> Value? {
        let (value, isConflict) = FieldMerge.value(
            base: base[keyPath: field], ours: first[keyPath: field], theirs: second[keyPath: field])
        return isConflict ? nil : value
    }

    /// Bit by bit; but who throws a note away loses against who changed what it says.
    private var flags: NoteRecord.Flags {
        let changed = base.flags.symmetricDifference(first.flags).union(base.flags.symmetricDifference(second.flags))
        var flags = base.flags.symmetricDifference(changed)
        let isWritten = { (trashed: NoteRecord, other: NoteRecord) in
            trashed.flags.contains(.trashed) && !other.flags.contains(.trashed) && other.says(otherThan: base)
        }
        if !base.flags.contains(.trashed), isWritten(first, second) || isWritten(second, first) {
            flags.remove(.trashed)
        }
        return flags
    }
}

extension NoteRecord {
    /// Returns whether anything but flags and times is not the same.
    fileprivate func says(otherThan other: NoteRecord) -> Bool {
        var same = self
        (same.flags, same.created, same.modified) = (other.flags, other.created, other.modified)
        return same != other
    }

    /// Returns the revision ID of a join of heads that gives this record.
    ///
    /// - Parameter parents: the heads that it joins.
    func joinID(of parents: [RevisionID]) throws -> RevisionID {
        let bytes = Array("vault/v1 join".utf8) + parents.sorted().flatMap(\.bytes) + encoded
        return try RevisionID(Array(Digest.sha256(bytes).prefix(RevisionID.byteCount)))
    }
}
