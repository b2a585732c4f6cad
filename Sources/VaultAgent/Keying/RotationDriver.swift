// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import SealedObjects
internal import VaultCore

/// Drives a rotation after its commit, whoever waits for it or not: rows in the loop, attachments on a thread.
final class RotationDriver {
    private let store: VaultStore
    private var running: (file: RotatingFile, isBack: Bool, work: Background<Result<[UInt8], ObjectError>>)?
    /// Why it stands still, until the next unlock or `rotate --resume`.
    private(set) var failure: VaultError?
    private(set) var isDone = false

    init(_ store: VaultStore) { self.store = store }

    deinit { running?.work.cancel() }

    /// Whether the loop should come back at once.
    var hasWork: Bool { running == nil && failure == nil && !isDone }

    /// A little of it.
    func step() {
        guard failure == nil, !isDone else { return }
        do throws(VaultError) {
            if running != nil { try takeResult() }
            guard running == nil else { return }
            switch try store.rotationStep() {
            case .more: break
            case .file(let file): begin(file, isBack: false)
            case .fileBack(let file): begin(file, isBack: true)
            case .done: isDone = true
            }
        } catch { failure = error }
    }

    /// Bytes done of all, those of the file under way among them.
    var progress: (done: UInt64, total: UInt64, label: String)? {
        guard var progress = store.rotationProgress() else { return nil }
        progress.done = min(progress.total, progress.done + (running?.work.done ?? 0))
        return progress
    }

    private func begin(_ file: RotatingFile, isBack: Bool) { running = (file, isBack, Background { goesOn in file.work(goesOn) }) }

    private func takeResult() throws(VaultError) {
        guard let (file, isBack, work) = running, let result = work.takeResult() else { return }
        running = nil
        let commitment: [UInt8]
        do throws(ObjectError) { commitment = try result.get() } catch { throw error.vaultError }
        if isBack { try store.isReadBack(file) } else { try store.replace(file, commitment: commitment) }
    }
}
