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

extension BackupDamage {
    init(_ damage: SnapshotDamage) {
        self.init()
        (pageCount, entryCount) = (Int(damage.pageCount), Int(clamping: damage.entryCount))
        (changeCount, lossCount) = (Int(clamping: damage.changeCount), Int(clamping: damage.lossCount))
        losses = damage.losses.map { Loss($0) }
    }
}

extension BackupDamage.Loss {
    init(_ loss: SnapshotDamage.Loss) {
        self.init()
        kind =
            switch loss.kind {
            case .note: .note
            case .text: .text
            case .revision: .revision
            case .attachment: .attachment
            case .draft: .draft
            }
        (note, title, name) = (loss.noteID?.text, loss.title, loss.name)
    }
}

extension CreatedSnapshot {
    init(_ written: BackupWriter.Written) {
        self.init()
        (name, contents) = (written.name, ArchiveContents(written.counts))
        (addedByteCount, totalByteCount) = (written.addedByteCount, written.totalByteCount)
        (isFull, olderKeyCount) = (written.isFull, written.olderEpochCount)
        (damage, passedOver) = (BackupDamage(written.damage), written.passedOver.map(\.text))
        parityByteCount = written.parity?.byteCount ?? 0
    }
}

extension VerifiedSnapshot {
    init(_ verified: SnapshotReader.Verified) {
        self.init()
        (name, made) = (verified.name.text, verified.made)
        (contents, damage) = (ArchiveContents(verified.counts), BackupDamage(verified.damage))
        passedOver = verified.passedOver.map(\.text)
    }
}

extension PrunedBackup {
    init(_ pruned: BackupPrune.Pruned) {
        self.init()
        (removed, kept, unreadable) = (
            pruned.removed.map(\.text), pruned.kept.map(\.text), pruned.unreadable.map(\.text)
        )
        (olderKeyCount, fileCount, freedByteCount) = (pruned.oldKeyCount, pruned.fileCount, pruned.freedByteCount)
    }
}

extension DrilledBackup {
    init(_ drilled: BackupDrill.Drilled, milliseconds: Int) {
        self.init()
        (name, made) = (drilled.name, drilled.made)
        (notes, revisions, attachments) = (drilled.notes, drilled.revisions, drilled.attachments)
        (notCompared, self.milliseconds) = (drilled.notCompared, milliseconds)
        (differences, historyDiffers) = (BackupDamage(drilled.differences), drilled.historyDiffers)
        passedOver = drilled.passedOver.map(\.text)
    }
}

extension FinishedRestore {
    /// Makes the reply about a restored vault.
    ///
    /// - Parameter gaveNewPassword: a password was given for a vault with a new key.
    init(_ vault: RestoredVault, gaveNewPassword: Bool) {
        self.init()
        (noteCount, contents) = (vault.notes, ArchiveContents(vault.counts))
        (replacesOlder, hasNewKey, isCopy) = (vault.takesThePlaceOfOlder, vault.hasNewKey, vault.isCopy)
        leftOutNewPassword = gaveNewPassword && !vault.hasNewKey
        (snapshot, made) = vault.snapshot ?? ("", 0)
        (damage, passedOver) = (BackupDamage(vault.damage), vault.passedOver.map(\.text))
    }
}

extension MendedBackup {
    /// Makes the reply about the files that parity repaired, and those that are lost.
    ///
    /// - Parameter archive: its name, where it is one.
    init(_ mended: ParityMend.Mended, archive: String) {
        self.init()
        (parityFiles, checkedFiles, checkedByteCount) = (
            mended.parityFiles, mended.checkedFiles, mended.checkedByteCount
        )
        self.mended = mended.mended.map { File($0, archive: archive) }
        lost = mended.lost.map { File($0, archive: archive) }
        (mendedParity, lostParity, uncovered) = (mended.mendedParity, mended.lostParity, mended.uncovered)
    }
}

extension MendedBackup.File {
    fileprivate init(_ file: ParityMend.Mended.File, archive: String) {
        self.init()
        (path, damagedBlocks, wasMissing) = (file.name.path ?? archive, file.damagedBlocks, file.wasMissing)
    }
}
