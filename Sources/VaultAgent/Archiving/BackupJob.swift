// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentProtocol
internal import VaultCore
internal import VaultFormat

/// `BackupJob` serves `vault backup create`, `verify`, `prune` and `drill`: sealed files are copied, read back or
/// removed, on a thread of their own.
final class BackupJob: Job {
    enum Done: Sendable {
        case written(BackupWriter.Written)
        case verified(SnapshotReader.Verified)
        case pruned(BackupPrune.Pruned)
        case drilled(BackupDrill.Drilled)
    }

    private let store: OpenVault
    private let freeze: IndexFreeze?
    private let work: Background<Result<Done, VaultError>>
    private let total: SharedNumber
    private let label: String
    private let begin = ContinuousClock.now

    /// Makes a snapshot of the vault as it is now.
    ///
    /// - Parameter parity: percent; nil writes none.
    /// - Throws: `VaultError.rotationRuns`, `.readOnly`, `.integrity`.
    init(_ store: OpenVault, to passed: PassedDescriptor, parity: Int?) throws(VaultError) {
        let (index, freeze) = try store.freeze()
        self.freeze = freeze
        self.store = store
        let total = SharedNumber()
        self.total = total
        label = "copying"
        let made = Machine.now
        work = Background { goesOn in
            Self.mapped {
                total.value = index.byteCount + ((try? index.objectByteCount()) ?? 0)
                return .written(
                    try BackupWriter.write(
                        index, to: passed.backupFolder(), made: made, parity: parity, goesOn: goesOn))
            }
        }
    }

    /// Reads a snapshot back to its end.
    ///
    /// - Parameter name: nil takes the newest one that can be restored.
    init(verifying name: SnapshotName?, _ store: OpenVault, in passed: PassedDescriptor) {
        freeze = nil
        self.store = store
        let total = SharedNumber()
        self.total = total
        label = "verifying"
        let access = store.backups.access
        // The folder may lie on a disk that answers slowly, or never: not on the loop.
        work = Background { goesOn in
            Self.mapped {
                let folder = try passed.backupFolder()
                guard let name else {
                    let verified = try SnapshotReader.verifyNewest(in: folder, access) {
                        total.value = $0
                    } goesOn: {
                        goesOn($0)
                    }
                    return .verified(verified)
                }
                let snapshot = try SnapshotReader(folder, name, access)
                total.value = snapshot.byteCount
                return .verified(try snapshot.verify(goesOn: goesOn))
            }
        }
    }

    /// Removes what no rule keeps.
    init(pruning rules: KeepRules, isTrial: Bool, _ store: OpenVault, in passed: PassedDescriptor) {
        freeze = nil
        self.store = store
        total = SharedNumber()
        label = "removing"
        let access = store.backups.access
        work = Background { goesOn in
            Self.mapped {
                .pruned(
                    try BackupPrune.run(passed.backupFolder(), access, rules, isTrial: isTrial) { _ in goesOn(0) })
            }
        }
    }

    /// Compares the newest snapshot with the vault.
    ///
    /// - Throws: `VaultError.rotationRuns`, `.readOnly`, `.integrity`.
    init(drilling store: OpenVault, in passed: PassedDescriptor) throws(VaultError) {
        let (index, freeze) = try store.freeze()
        self.freeze = freeze
        self.store = store
        let total = SharedNumber()
        self.total = total
        label = "comparing"
        let access = store.backups.access
        work = Background { goesOn in
            Self.mapped {
                total.value = 2 * (index.byteCount + ((try? index.objectByteCount()) ?? 0))
                return .drilled(try BackupDrill.run(passed.backupFolder(), access, with: index, goesOn: goesOn))
            }
        }
    }

    /// Tells the thread to end at its next question, for which no lock waits. What was read since is named by no
    /// snapshot.
    deinit { work.cancel() }

    var isWaiting: Bool { true }

    func step(_ connection: Connection) -> Outcome? {
        guard let result = work.takeResult() else {
            connection.send(
                .progress,
                Progress(label: label, done: min(work.done, total.value), total: total.value, isBytes: true).encoded)
            return nil
        }
        do throws(VaultError) { return ending(try result.get(), connection) } catch { return outcome(of: error) }
    }

    private func ending(_ done: Done, _ connection: Connection) -> Outcome {
        switch done {
        case .written(let written):
            store.backups.rememberCreated()
            connection.reply(CreatedSnapshot(written))
            return BackupOutcome.ofSnapshot(written)
        case .verified(let verified):
            connection.reply(VerifiedSnapshot(verified))
            return BackupOutcome.ofVerified(verified)
        case .pruned(let pruned):
            connection.reply(PrunedBackup(pruned))
            return BackupOutcome.ofPruned(pruned)
        case .drilled(let drilled):
            if drilled.isSound { store.backups.rememberDrill() }
            let duration = begin.duration(to: .now).components
            let milliseconds = duration.seconds * 1000 + duration.attoseconds / 1_000_000_000_000_000
            connection.reply(DrilledBackup(drilled, milliseconds: Int(milliseconds)))
            return BackupOutcome.ofDrill(drilled)
        }
    }

    /// Returns what a failure means to the owner of the backup: what is damaged is the backup, not the vault.
    private func outcome(of error: VaultError) -> Outcome {
        switch (error.code, freeze == nil || label == "comparing") {
        case (.integrity, true):
            Outcome(
                .integrity, "integrity failure: the backup's files were damaged or changed",
                hint:
                    "vault backup create NEWDIR makes one that shares nothing with it; other snapshots here may still be intact"
            )
        case (.otherVault, _):
            Outcome(
                .conflict, "this folder has snapshots of another vault, or of another copy of this one",
                hint: "name another folder for this one")
        case (.exists, _):
            Outcome(
                .conflict, "this folder holds something other than a backup", hint: "name an empty folder, or a new one"
            )
        case (.notOurs, _):
            Outcome(
                .failSafe,
                "the backup's folder, or something in it, is a link, belongs to another user, or is open to others",
                hint: "chmod 700 it if it is yours")
        case (.readOnly, _):
            Outcome(
                .localSaveFailed, "there is not enough room for the backup", hint: "make room, or name another folder")
        case (.saveFailed, _):
            Outcome(
                .localSaveFailed, "the disk reported an error: there is no new snapshot",
                hint: "check the disk; older snapshots are unchanged")
        default: error.outcome
        }
    }

    static func mapped<Value>(_ body: () throws -> Value) -> Result<Value, VaultError> {
        do { return .success(try body()) } catch let error as VaultError { return .failure(error) } catch {
            return .failure(VaultError(.saveFailed))
        }
    }
}
