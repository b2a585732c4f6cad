// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentProtocol
internal import VaultCore
internal import VaultFormat

/// `BackupOutcome` says how commands on backups end when they were carried out: nothing that is lost or does not open
/// ends with success.
enum BackupOutcome {
    static func ofSnapshot(_ written: BackupWriter.Written) -> Outcome {
        guard written.damage.isEmpty else {
            return Outcome(
                .integrity,
                written.damage.isOfRecords
                    ? "the vault is damaged: the snapshot holds what opens, and lacks what is listed above"
                    : "the vault's index is damaged: the snapshot holds all notes, and a restore makes the lists again",
                hint: written.damage.isOfRecords
                    ? "vault repair may bring back what is lost, and older snapshots may have it: vault backup ls DIR"
                    : "vault repair rebuilds them in the vault")
        }
        if let outcome = ofParity(written.parity) { return outcome }
        guard written.passedOver.isEmpty else {
            return Outcome(
                .doneWithLosses, "the snapshot is whole, but the newest one before it does not open",
                hint: "vault backup verify DIR --all says which snapshots can be restored")
        }
        return Outcome(.ok)
    }

    /// Returns nil when there is nothing to say.
    private static func ofParity(_ parity: WrittenParity?) -> Outcome? {
        guard let parity else { return nil }
        guard parity.failure == nil else {
            return Outcome(
                .doneWithLosses, "the snapshot is whole, but what is new in it has no parity",
                hint: "make room or check the disk, then vault backup create again")
        }
        guard parity.leftOut == 0 else {
            return Outcome(
                .integrity,
                "the snapshot was made, but \(parity.leftOut) files of the backup are damaged or too large for parity",
                hint: "vault backup verify DIR --all says which snapshots can be restored")
        }
        return nil
    }

    static func ofMend(_ mended: ParityMend.Mended, isTrial: Bool) -> Outcome {
        guard mended.lost.isEmpty else {
            return Outcome(
                .integrity, "what is listed above is damaged beyond repair, and was left as it is",
                hint: "vault backup verify DIR says what can be restored; vault backup create NEWDIR makes a new backup"
            )
        }
        guard !isTrial || mended.mended.isEmpty && mended.mendedParity.isEmpty else {
            return Outcome(
                .integrity, "damage was found that can be mended; nothing was changed",
                hint: "vault backup mend, without --dry-run")
        }
        guard mended.lostParity.isEmpty else {
            return Outcome(
                .doneWithLosses, "some parity can no longer be used, so what it covered was not compared",
                hint: "vault backup verify DIR; the next vault backup create DIR writes new parity")
        }
        return Outcome(.ok)
    }

    static func ofVerified(_ verified: SnapshotReader.Verified) -> Outcome {
        guard verified.passedOver.isEmpty else {
            return Outcome(
                .integrity,
                "the newest snapshot \(verified.passedOver[0].text) cannot be restored; \(verified.name.text) can",
                hint:
                    "vault backup create NEWDIR makes a new one; vault backup restore DIR \(verified.name.text) takes that one"
            )
        }
        guard !verified.damage.isOfRecords else {
            return Outcome(
                .integrity,
                "this snapshot is the copy of a damaged vault; it lacks what is listed above, and nothing else",
                hint: "vault backup restore --salvage DIR \(verified.name.text) restores the rest")
        }
        return Outcome(.ok)
    }

    static func ofPruned(_ pruned: BackupPrune.Pruned) -> Outcome {
        guard !pruned.keepsPieces else {
            return Outcome(
                .doneWithLosses, "some snapshots do not open, so no file that they might need was removed",
                hint: "remove their files in snapshots/ when you no longer want them, then prune again")
        }
        if let broken = pruned.broken.first {
            let kept = pruned.newestWhole.map { "\($0.text), the newest one that can be restored, is kept" }
            return Outcome(
                .integrity,
                "files of the snapshot \(broken.text) are damaged; "
                    + (kept ?? "no snapshot can be restored, and all are kept"),
                hint:
                    "vault backup mend DIR repairs them if there is parity; vault backup create NEWDIR makes a backup "
                    + "that shares nothing with this one")
        }
        guard pruned.newestIsDamaged else { return Outcome(.ok) }
        guard let whole = pruned.newestWhole else {
            return Outcome(
                .doneWithLosses, "every snapshot that opens is the copy of a damaged vault",
                hint: "vault backup verify DIR says what the newest one lacks; vault check says what is damaged")
        }
        return Outcome(
            .doneWithLosses,
            "the newest snapshot is the copy of a damaged vault, so \(whole.text), the newest whole one, is kept",
            hint: "vault backup restore DIR \(whole.text) restores it; vault check says what is damaged")
    }

    static func ofDrill(_ drilled: BackupDrill.Drilled) -> Outcome {
        guard !drilled.isSound else { return Outcome(.ok) }
        guard !drilled.vaultIsDamaged else {
            return Outcome(
                .integrity,
                "the vault itself does not open in full, so nothing was compared; the snapshot \(drilled.name) can be restored",
                hint: "vault check names what is damaged; keep this backup")
        }
        guard drilled.differences.isEmpty, !drilled.historyDiffers else {
            return Outcome(
                .integrity, "the snapshot \(drilled.name) differs from the vault",
                hint: "vault check says whether the vault is damaged; vault backup create NEWDIR makes another backup")
        }
        return Outcome(
            .integrity,
            "the newest snapshot \(drilled.passedOver[0].text) does not open; \(drilled.name) matches the vault",
            hint: "vault backup create NEWDIR makes a new one")
    }

    static func ofRestore(_ restored: RestoredVault) -> Outcome {
        guard !restored.damage.isOfRecords else {
            return Outcome(
                .doneWithLosses, "the vault was restored without what is listed above",
                hint: "older snapshots may have it: vault backup ls DIR")
        }
        guard let newest = restored.passedOver.first else { return Outcome(.ok) }
        let name = restored.snapshot?.name ?? ""
        return Outcome(
            .doneWithLosses, "the newest snapshot \(newest.text) does not open: the vault was restored from \(name)",
            hint: "changes between the two are not in it")
    }
}
