// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import GRDB
public import VaultFormat

/// A `ConflictVersion` is one of the versions of a note that were made without knowing of each other.
public struct ConflictVersion: Sendable, Equatable {
    public let revision: RevisionID
    /// When it was recorded, in milliseconds since 1970, UTC; 0 where that is not known.
    public let made: Int64
    /// Which device made it.
    public let device: DeviceID
    /// It was made by this device.
    public let isOwn: Bool
    /// Lists and `show` have this one.
    public let isShown: Bool
}

/// A `Conflict` is a note with more than one head.
public struct Conflict: Sendable, Equatable {
    public let note: NoteSummary
    /// The one that is shown first, then those that would be shown if it were not there, in that order.
    public let versions: [ConflictVersion]
}

/// `Conflicts` gives the notes that have more than one head, and resolves this as their owner says.
///
/// Listing opens nothing, so neither a locked note nor a damaged version prevents it. Whatever is done, all
/// versions stay in the note's history. Spec: docs/format.md §10.
public struct Conflicts {
    let vault: OpenVault

    /// Returns the notes that have several versions, the one that changed last first.
    ///
    /// - Throws: `VaultError.integrity`.
    public func notes() throws(VaultError) -> [NoteID] {
        try vault.read { index in
            try Row.fetchAll(
                index.database,
                sql: """
                    SELECT id FROM note WHERE id IN (SELECT note FROM otherHead) ORDER BY modified DESC, row DESC
                    """
            ).map { try NoteID($0.bytes("id")) }
        }
    }

    /// Returns the versions of a note; just one if it has no conflict.
    ///
    /// - Throws: `VaultError.notFound`, `.integrity`.
    public func conflict(of id: NoteID) throws(VaultError) -> Conflict { try vault.read { try $0.conflict(of: id) } }

    /// Makes one version the note again: as a new revision that comes after all of them.
    ///
    /// - Throws: `VaultError.notFound`, `.noRevision` for a non-head revision, `.noteLocked`, `.integrity` for
    ///   one that does not open, `.readOnly`, `.saveFailed`.
    public func keep(_ revision: RevisionID, of id: NoteID) throws(VaultError) -> NoteSummary {
        try vault.change(.merge) { transaction in
            let (head, others) = try transaction.heads(toJoin: id)
            guard head.id == revision || others.contains(revision) else { throw VaultError(.noRevision) }
            let record = head.id == revision ? head.record : try transaction.revision(revision, of: id)
            try transaction.saveEdited(record, over: head, parents: [head.id] + others, keepsEmpty: true)
            return try transaction.summary(of: id)
        }
    }

    /// Keeps all versions: the one that is shown stays the note, and each other one becomes a note of its own, without
    /// a history. Attachments have one note: what only another version has is added to the first.
    ///
    /// - Returns: the note, then the new ones.
    /// - Throws: `VaultError.notFound`, `.isPrivate` for a note with a password, `.integrity` for a version that does
    ///   not open, `.readOnly`, `.saveFailed`.
    public func keepAll(of id: NoteID) throws(VaultError) -> [NoteSummary] {
        try vault.change(.merge) { transaction in
            guard try !transaction.isPrivate(id) else { throw VaultError(.isPrivate) }
            let (head, others) = try transaction.heads(toJoin: id)
            var joined = head.record
            var made: [NoteID] = []
            for other in others {
                var record = try transaction.revision(other, of: id)
                joined.attachments += record.attachments.filter { !joined.attachments.contains($0) }
                record.mapAttachments { _ in nil }
                (record.noteID, record.source) = (try .random(), nil)
                // A version that was all picture has nothing left to make a note of.
                guard !record.isEmpty else { continue }
                try transaction.apply(record, .create, replacing: nil)
                made.append(record.noteID)
            }
            try transaction.saveEdited(joined, over: head, parents: [head.id] + others, keepsEmpty: true)
            return try ([id] + made).map { try transaction.summary(of: $0) }
        }
    }

    /// Finds a version by the beginning of its identifier, or by `@N` as the note's history numbers it.
    ///
    /// - Throws: `VaultError.notFound`, `.noRevision` for what is not a version, `.ambiguousRevision`.
    public func version(_ reference: String, of id: NoteID) throws(VaultError) -> RevisionID {
        let versions = try conflict(of: id).versions.map(\.revision)
        let wanted = reference.lowercased()
        var found = wanted.utf8.count >= 2 ? versions.filter { $0.text.hasPrefix(wanted) } : []
        if reference.hasPrefix("@"), let number = Int(reference.dropFirst()), number >= 0 {
            let all = try vault.history.revisions(of: id).map(\.id)
            found = number < all.count ? versions.filter { $0 == all[number] } : []
        }
        guard let first = found.first else { throw VaultError(.noRevision) }
        guard found.count == 1 else { throw VaultError(.ambiguousRevision) }
        return first
    }
}

extension OpenVault {
    /// Notes with versions that were made without knowing of each other.
    public var conflicts: Conflicts { Conflicts(vault: self) }
}

extension Transaction {
    /// Returns the head that is shown, opened, and the names of the others.
    fileprivate func heads(toJoin id: NoteID) throws -> (head: Head, others: [RevisionID]) {
        let (revision, record) = try head(of: id)
        let others = try otherHeadIDs(of: id)
        guard !others.isEmpty else { throw VaultError(.noRevision) }
        return ((revision, record), others)
    }
}

extension IndexAccess {
    fileprivate func conflict(of id: NoteID) throws -> Conflict {
        let summary = try summary(of: id)
        let entries = try entries(of: id).filter { $0.operation.makesRevision }
        let versions = try ([summary.revision] + otherHeadIDs(of: id).reversed()).map { revision in
            // A join may have been made by several devices, the same on each.
            let makers = entries.filter { $0.revisionID == revision }.map(\.device).sorted {
                $0.lexicographicallyPrecedes($1)
            }
            let isOwn = makers.contains(device)
            guard let maker = isOwn ? device : makers.first else { throw VaultError(.integrity) }
            let statement = try database.cachedStatement("SELECT made FROM revision WHERE id = ? AND note = ?")
            let row = try statement.row([revision.bytes.blob, id.bytes.blob])
            return ConflictVersion(
                revision: revision, made: try row?.integer("made") ?? 0, device: try DeviceID(maker), isOwn: isOwn,
                isShown: revision == summary.revision)
        }
        return Conflict(note: summary, versions: versions)
    }
}
