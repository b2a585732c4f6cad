// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentProtocol
internal import VaultCore
internal import VaultFormat

extension ArchiveContents {
    init(_ counts: ArchiveCounts) {
        self.init()
        (revisions, attachments) = (counts.revisions, counts.attachments)
        (privateNotes, drafts) = (counts.noteKeyslots, counts.drafts)
    }
}

extension CreatedSnapshot {
    init(_ written: BackupWriter.Written) {
        self.init()
        (name, contents) = (written.name, ArchiveContents(written.counts))
        (addedByteCount, totalByteCount) = (written.addedByteCount, written.totalByteCount)
        (isFull, olderKeyCount) = (written.isFull, written.olderEpochCount)
    }
}

extension FinishedRestore {
    /// - Parameter gaveNewPassword: a password was given for a vault with a new key.
    init(_ vault: RestoredVault, gaveNewPassword: Bool) {
        self.init()
        (noteCount, contents) = (vault.notes, ArchiveContents(vault.counts))
        (replacesOlder, hasNewKey, isCopy) = (vault.takesThePlaceOfOlder, vault.hasNewKey, vault.isCopy)
        leftOutNewPassword = gaveNewPassword && !vault.hasNewKey
    }
}
