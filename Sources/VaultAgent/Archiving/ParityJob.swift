// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentProtocol
internal import VaultCore
internal import VaultFormat

/// `ParityJob` serves `vault backup mend`, and the parity of `vault export vault`: sealed files only, on a thread of
/// its own.
final class ParityJob: Job {
    private enum Done: Sendable {
        case mended(ParityMend.Mended, isTrial: Bool)
        case covered(UInt64)
    }

    private let work: Background<Result<Done, VaultError>>
    private let label: String
    private let archive: String

    init(mending: MendBackup, in passed: PassedDescriptor) {
        label = "mending"
        archive = mending.archive ?? ""
        work = Background { goesOn in
            BackupJob.mapped {
                let isTrial = mending.isTrial
                guard let archive = mending.archive else {
                    let folder = try passed.backupFolder()
                    return .mended(try ParityMend.run(folder, isTrial: isTrial, goesOn: goesOn), isTrial: isTrial)
                }
                let mended = try ParityMend.run(
                    archive: archive, in: passed.descriptor, isTrial: isTrial, goesOn: goesOn)
                return .mended(mended, isTrial: isTrial)
            }
        }
    }

    init(covering: CoverArchive, in passed: PassedDescriptor) {
        label = "writing parity"
        archive = covering.archive
        work = Background { goesOn in
            BackupJob.mapped {
                .covered(
                    try ArchiveParity.write(
                        of: covering.archive, in: passed.descriptor, percent: Int(covering.percent), goesOn: goesOn))
            }
        }
    }

    /// Ends the thread, so that new files without a name are removed before the agent ends.
    deinit { work.cancelAndWait() }

    var isWaiting: Bool { true }

    func step(_ connection: Connection) -> Outcome? {
        guard let result = work.takeResult() else {
            connection.send(.progress, Progress(label: label, done: work.done, total: 0, isBytes: true).encoded)
            return nil
        }
        do throws(VaultError) {
            switch try result.get() {
            case .mended(let mended, let isTrial):
                connection.reply(MendedBackup(mended, archive: archive))
                return BackupOutcome.ofMend(mended, isTrial: isTrial)
            case .covered(let byteCount):
                connection.reply(CoveredArchive(byteCount: byteCount))
                return Outcome(.ok)
            }
        } catch { return Self.outcome(of: error) }
    }

    private static func outcome(of error: VaultError) -> Outcome {
        switch error.code {
        case .integrity:
            Outcome(
                .integrity, "the files changed or could not be read meanwhile, and were left as they are",
                hint: "check the disk, then try again")
        case .notOurs:
            Outcome(
                .failSafe, "the folder, or something in it, is a link, belongs to another user, or is open to others",
                hint: "chmod 700 it if it is yours")
        case .readOnly:
            Outcome(
                .localSaveFailed, "there is not enough room, or the disk is read-only: nothing was replaced",
                hint: "make room, or copy it all to another disk and mend it there")
        case .saveFailed:
            Outcome(
                .localSaveFailed, "the disk reported an error: nothing was replaced",
                hint: "copy it all to another disk and mend it there")
        default: error.outcome
        }
    }
}
