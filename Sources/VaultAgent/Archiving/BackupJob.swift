// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentProtocol
internal import VaultCore
internal import VaultFormat

/// `vault backup create` and `verify`: sealed files are copied, or read back, on a thread of their own.
final class BackupJob: Job {
    enum Done: Sendable {
        case written(BackupWriter.Written)
        case verified(name: String, ArchiveCounts)
    }

    private let freeze: IndexFreeze?
    private let work: Background<Result<Done, VaultError>>
    private let total: SharedNumber
    private let label: String

    /// Makes a snapshot of the vault as it is now.
    ///
    /// - Throws: `VaultError.rotationRuns`, `.readOnly`, `.integrity`.
    init(_ store: OpenVault, to passed: PassedDescriptor) throws(VaultError) {
        let (index, freeze) = try store.freeze()
        self.freeze = freeze
        let total = SharedNumber()
        self.total = total
        label = "copying"
        let made = Machine.now
        work = Background { goesOn in
            Self.mapped {
                total.value = index.byteCount + ((try? index.objectByteCount()) ?? 0)
                return .written(try BackupWriter.write(index, to: passed.backupFolder(), made: made, goesOn: goesOn))
            }
        }
    }

    /// Reads a snapshot back to its end.
    ///
    /// - Parameter name: nil takes the newest one that opens.
    init(verifying name: SnapshotName?, _ store: OpenVault, in passed: PassedDescriptor) {
        freeze = nil
        let total = SharedNumber()
        self.total = total
        label = "verifying"
        let access = store.backups.access
        // The folder may lie on a disk that answers slowly, or never: not on the loop.
        work = Background { goesOn in
            Self.mapped {
                let folder = try passed.backupFolder()
                let snapshot: SnapshotReader
                if let name {
                    snapshot = try SnapshotReader(folder, name, access)
                } else {
                    snapshot = try SnapshotReader(newestIn: folder, access)
                }
                total.value = snapshot.byteCount
                return .verified(name: snapshot.name.text, try snapshot.verify(goesOn: goesOn))
            }
        }
    }

    /// It ends at its next question, and no lock waits for that. What was read since is named by no snapshot.
    deinit { work.cancel() }

    var isWaiting: Bool { true }

    func step(_ connection: Connection) -> Outcome? {
        guard let result = work.takeResult() else {
            connection.send(
                .progress,
                Progress(label: label, done: min(work.done, total.value), total: total.value, isBytes: true).encoded)
            return nil
        }
        do throws(VaultError) {
            switch try result.get() {
            case .written(let written): connection.reply(CreatedSnapshot(written))
            case .verified(let name, let counts): connection.reply(VerifiedSnapshot(name, ArchiveContents(counts)))
            }
            return Outcome(.ok)
        } catch { return outcome(of: error) }
    }

    /// What is damaged is the backup, not the vault.
    private func outcome(of error: VaultError) -> Outcome {
        switch (error.code, freeze == nil) {
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
