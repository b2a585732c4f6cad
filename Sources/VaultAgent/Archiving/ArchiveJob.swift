// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentProtocol
internal import ForeignCrypto
internal import SealedObjects
internal import VaultCore
internal import VaultFormat

/// `ArchiveJob` is the second half of `vault export vault`: reads the index as it is now on a thread of its own, and
/// writes the archive, while notes go on being written.
final class ArchiveJob: Job {
    private struct Written: Sendable {
        let counts: ArchiveCounts
        let byteCount: UInt64
    }

    private enum Ending: Sendable {
        case done(Written)
        case failed(Outcome)
    }

    /// Holds the index's file as it is, on this thread, for as long as the other one may read it.
    private let freeze: IndexFreeze
    private let store: OpenVault
    /// The log grows while the index is held still; a reader that takes nothing must not fill the disk with it.
    private static let logByteCountMax: UInt64 = 2 << 30
    private let work: Background<Ending>
    /// Known when the other thread has looked.
    private let total: SharedNumber

    /// Freezes the index, and starts to write the archive.
    ///
    /// - Throws: `VaultError.rotationRuns`, `.readOnly`, `.integrity`.
    init(_ store: OpenVault, _ prepared: PreparedArchive, _ passed: PassedDescriptor) throws(VaultError) {
        let (index, freeze) = try store.freeze()
        self.freeze = freeze
        self.store = store
        let total = SharedNumber()
        self.total = total
        work = Background { goesOn in
            do {
                total.value = index.byteCount + ((try? index.objectByteCount()) ?? 0)
                return .done(try Self.write(index, prepared, passed, goesOn))
            } catch { return .failed(ExportFailure.outcome(error)) }
        }
    }

    /// Tells the thread to end at its next question, for which no lock waits. What it has written is thrown away.
    deinit { work.cancel() }

    private static func write(
        _ index: FrozenIndex, _ prepared: PreparedArchive, _ passed: PassedDescriptor,
        _ goesOn: @escaping (UInt64) -> Bool
    ) throws -> Written {
        let cancelled = SharedNumber()
        let stream = ExportStream(passed) { cancelled.value > 0 }
        let age = try prepared.sealing.writer(armored: prepared.isArmored, to: stream)
        do {
            let (counts, byteCount) = try unsafe ArchiveWriter.write(index, prepared.key, made: Machine.now) {
                bytes throws(ObjectError) in
                guard let age else { return try unsafe stream.write(bytes) }
                do { try unsafe age.write(bytes) } catch { throw stream.failure ?? ObjectError(.io) }
            } progress: { done in
                if goesOn(done) { return true }
                cancelled.value = 1
                return false
            }
            try age?.finish()
            return Written(counts: counts, byteCount: byteCount)
        } catch { throw stream.failure ?? error }
    }

    var isWaiting: Bool { true }

    func step(_ connection: Connection) -> Outcome? {
        guard let ending = work.takeResult() else {
            guard store.logByteCount < Self.logByteCountMax else {
                return Outcome(
                    .other, "too much was written meanwhile: the archive was abandoned",
                    hint: "write it to a file, not to a slow pipe")
            }
            connection.send(
                .progress,
                Progress(label: "archiving", done: min(work.done, total.value), total: total.value, isBytes: true)
                    .encoded)
            return nil
        }
        switch ending {
        case .failed(let outcome): return outcome
        case .done(let written):
            connection.reply(WrittenArchive(ArchiveContents(written.counts), byteCount: written.byteCount))
            return Outcome(.ok)
        }
    }
}
