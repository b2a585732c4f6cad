// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentProtocol
internal import VaultCore
internal import VaultFormat

/// What is said of archives and backups.
extension Answer {
    func archived(_ counts: ArchiveCounts, byteCount: UInt64) {
        if presentation.json { return json(.answer(fields(counts) + [("byteCount", .int(Int64(clamping: byteCount)))])) }
        output("archived \(words(counts)), \(Quantity.bytes(byteCount))\n")
    }

    func backedUp(_ written: BackupWriter.Written) {
        if presentation.json {
            return json(
                .answer(
                    [("snapshot", .string(written.name))] + fields(written.counts) + [
                        ("addedByteCount", .int(Int64(clamping: written.addedByteCount))),
                        ("totalByteCount", .int(Int64(clamping: written.totalByteCount))), ("full", .bool(written.isFull)),
                        ("olderKeySnapshots", .int(Int64(written.olderEpochCount))),
                    ]))
        }
        let added = written.isFull ? "all of it new" : "\(Quantity.bytes(written.addedByteCount)) of it new"
        output("snapshot \(written.name): \(words(written.counts)), \(Quantity.bytes(written.totalByteCount)), \(added)\n")
        guard written.olderEpochCount > 0 else { return }
        let count = written.olderEpochCount
        connection.talk(
            "vault: note: \(count) older \(count == 1 ? "snapshot" : "snapshots") here still \(count == 1 ? "opens" : "open") with the old key and the old passwords, which rotate has replaced"
        )
        connection.talk("vault: hint: vault backup ls DIR lists them; remove their files in snapshots/ when you no longer need them")
    }

    func verified(_ name: String, _ counts: ArchiveCounts) {
        if presentation.json { return json(.answer([("snapshot", .string(name)), ("verified", .bool(true))] + fields(counts))) }
        output("snapshot \(name) is intact: \(words(counts))\n")
    }

    /// - Parameters:
    ///   - gaveNewPassword: a password was given for a vault with a new key.
    ///   - isArchive: an archive always gets a new key, and nobody expects another.
    func restored(_ vault: RestoredVault, gaveNewPassword: Bool, isArchive: Bool) {
        if presentation.json {
            return json(
                .answer(
                    [("notes", .int(Int64(vault.notes)))] + fields(vault.counts) + [
                        ("replacesOlder", .bool(vault.takesThePlaceOfOlder)), ("newKey", .bool(vault.hasNewKey)),
                        ("copy", .bool(vault.isCopy)),
                    ]))
        }
        output("restored \(Quantity.notes(shown: vault.notes, total: vault.notes)): \(words(vault.counts))\n")
        if vault.hasNewKey, !isArchive {
            connection.talk("vault: note: the snapshot is from before the vault's key was changed, so the vault has a new key")
            connection.talk(
                "vault: note: it opens with the password given, and the recovery key if one was given; not with a key file or another password")
        } else if gaveNewPassword, !vault.hasNewKey {
            connection.talk("vault: note: a snapshot keeps the passwords it was made with, so the new one was not used; vault passwd changes it")
        }
        if vault.takesThePlaceOfOlder {
            connection.talk(
                "vault: note: You have another copy of this vault here. After you unlock the restored one, the other will be refused as older.")
        } else if vault.isCopy {
            connection.talk("vault: note: this is a copy with its own identity: it and the vault can be used side by side")
            connection.talk("vault: hint: to replace the vault instead, restore it with --replace to another folder")
        }
    }

    private func words(_ counts: ArchiveCounts) -> String {
        var parts = [Self.count(counts.revisions, "revision")]
        if counts.attachments > 0 { parts.append(Self.count(counts.attachments, "attachment")) }
        if counts.noteKeyslots > 0 { parts.append(Self.count(counts.noteKeyslots, "private note")) }
        if counts.drafts > 0 { parts.append(Self.count(counts.drafts, "draft")) }
        return parts.joined(separator: ", ")
    }

    private static func count(_ number: UInt64, _ word: String) -> String { "\(number) \(word)\(number == 1 ? "" : "s")" }

    private func fields(_ counts: ArchiveCounts) -> [(key: String, value: JSONText)] {
        [
            ("revisions", counts.revisions), ("attachments", counts.attachments), ("privateNotes", counts.noteKeyslots), ("drafts", counts.drafts),
        ].map { ($0.0, .int(Int64(clamping: $0.1))) }
    }
}
