// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

public import VaultFormat

/// `BackupDrill` tries a backup: its newest snapshot is restored into memory and compared with the open vault, as far
/// as both are of one moment, and forgotten.
public enum BackupDrill {
    /// `Drilled` says how a drill has ended.
    public struct Drilled: Sendable {
        public var name = ""
        /// When the snapshot was made, in milliseconds since 1970, UTC.
        public var made: Int64 = 0
        public var notes = 0
        public var revisions = 0
        public var attachments = 0
        /// Changed since under the same name, such as by a note's new password: nothing to compare them with.
        public var notCompared = 0
        /// What differs or is missing, by note.
        public var differences = SnapshotDamage()
        /// The snapshot's history is not the begin of the vault's.
        public var historyDiffers = false
        public var passedOver: [SnapshotName] = []
        /// The open vault could not be read whole: there was nothing to compare the snapshot with.
        public var vaultIsDamaged = false

        public var isSound: Bool { differences.isEmpty && !historyDiffers && passedOver.isEmpty && !vaultIsDamaged }
    }

    /// Restores the newest snapshot that opens into memory, and compares it with the vault.
    ///
    /// - Parameter live: the vault of this moment.
    /// - Throws: `VaultError.integrity` when the snapshot cannot be restored; `.noSnapshot`, `.cancelled`.
    public static func run(
        _ folder: BackupFolder, _ access: SnapshotReader.Access, with live: FrozenIndex,
        goesOn: @escaping (UInt64) -> Bool
    ) throws -> Drilled {
        try FrozenIndex.mapped {
            let snapshot = try SnapshotReader(newestIn: folder, access)
            let kept = ContentDigests()
            let damage = try snapshot.opened(snapshot.index(goesOn: goesOn), to: kept, goesOn: goesOn)
            let now = ContentDigests()
            let sink = Asking(now) { goesOn(snapshot.byteCount + $0) }
            do { try ArchiveSource(live, to: sink).run(made: snapshot.made) } catch {
                guard VaultError.translated(error).code == .integrity else { throw error }
                // The snapshot was read to its end: what does not open is the vault's.
                var drilled = Drilled()
                (drilled.name, drilled.made, drilled.vaultIsDamaged) = (snapshot.name.text, snapshot.made, true)
                return drilled
            }
            var comparison = Comparison(kept, now, live)
            comparison.drilled.differences = damage
            comparison.drilled.differences.pageCount = 0
            comparison.compare()
            var drilled = comparison.drilled
            (drilled.name, drilled.made, drilled.passedOver) = (
                snapshot.name.text, snapshot.made, snapshot.passedOver
            )
            return drilled
        }
    }

    /// `Asking` passes everything on and asks on the way whether to go on.
    private final class Asking: ArchiveSink {
        private let next: any ArchiveSink
        private let goesOn: (UInt64) -> Bool
        private var done: UInt64 = 0
        private var steps = 0

        init(_ next: any ArchiveSink, _ goesOn: @escaping (UInt64) -> Bool) {
            self.next = next
            self.goesOn = goesOn
        }

        func take(_ item: ArchiveItem) throws {
            try next.take(item)
            steps += 1
            guard steps % 1000 != 0 || goesOn(done) else { throw VaultError(.cancelled) }
        }

        func take(_ content: UnsafeRawBufferPointer) throws {
            try unsafe next.take(content)
            done += UInt64(content.count)
            guard goesOn(done) else { throw VaultError(.cancelled) }
        }
    }

    private struct Comparison {
        let kept: ContentDigests
        let now: ContentDigests
        let rows: TolerantRows
        var drilled = Drilled()

        init(_ kept: ContentDigests, _ now: ContentDigests, _ live: FrozenIndex) {
            (self.kept, self.now, rows) = (kept, now, TolerantRows(live))
        }

        mutating func compare() {
            drilled.historyDiffers = !kept.entries.isSubset(of: now.entries)
            drilled.notes = kept.heads.notes.count
            for (id, revision) in kept.revisions { compare(id, revision) }
            // What the vault had then must be in the snapshot.
            for (id, revision) in now.revisions where kept.revisions[id] == nil && kept.named.contains(id) {
                differ(id, of: revision.note)
            }
            for (id, attachment) in kept.attachments { compare(id, attachment) }
        }

        private mutating func compare(_ id: RevisionID, _ revision: ContentDigests.Revision) {
            guard let own = now.revisions[id] else {
                // Let go of since.
                if !now.dropped.contains(id), !now.purged.contains(revision.note) { differ(id, of: revision.note) }
                return
            }
            guard own.keyEpoch == revision.keyEpoch else { return drilled.notCompared += 1 }
            drilled.revisions += 1
            if own.digest != revision.digest || own.note != revision.note { differ(id, of: revision.note) }
        }

        private mutating func compare(_ id: AttachmentID, _ attachment: ContentDigests.Attachment) {
            // One that is not there any more was removed since: what notes name was looked at in both.
            guard let own = now.attachments[id] else { return drilled.notCompared += 1 }
            guard own.keyEpoch == attachment.keyEpoch else { return drilled.notCompared += 1 }
            drilled.attachments += 1
            guard own.digest != attachment.digest || own.note != attachment.note else { return }
            drilled.differences.add(
                SnapshotDamage.Loss(
                    .attachment, attachment.note, title: title(of: attachment.note), name: attachment.name))
        }

        private mutating func differ(_ id: RevisionID, of note: NoteID) {
            let isHead = kept.heads[note]?.contains(id) ?? false
            drilled.differences.add(SnapshotDamage.Loss(isHead ? .text : .revision, note, title: title(of: note)))
        }

        private func title(of note: NoteID) -> String {
            rows.row("SELECT title FROM note WHERE id = ?", [note.bytes.blob])?.optionalText("title") ?? ""
        }
    }
}
