// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import SealedObjects
internal import VaultCore

/// `RotationDriver` drives a rotation after its commit, whether a client waits for it or not: rows in the loop,
/// attachments on a thread.
final class RotationDriver {
    private let store: OpenVault
    private var running: (file: RotatingFile, work: Background<Result<[UInt8], ObjectError>>)?
    /// Why it stands still, until the next unlock or `rotate --resume`.
    private(set) var failure: VaultError?
    private(set) var isDone = false

    init(_ store: OpenVault) { self.store = store }

    deinit { running?.work.cancel() }

    /// Whether the loop should come back at once.
    var hasWork: Bool { running == nil && failure == nil && !isDone }

    /// Does a little of it.
    ///
    /// - Returns: whether something was perhaps written.
    @discardableResult
    func step() -> Bool {
        guard failure == nil, !isDone else { return false }
        do throws(VaultError) {
            if running != nil { try takeResult() }
            guard running == nil else { return false }
            switch try store.rotation.step() {
            case .more: break
            case .file(let file): running = (file, Background { goesOn in file.work(goesOn) })
            case .done: isDone = true
            }
        } catch { failure = error }
        // A client that waits for the end is told at once, not when the loop happens to come by.
        if isDone || failure != nil { BackgroundWake.ring() }
        return true
    }

    /// Bytes done of all, those of the file under way among them.
    var progress: (done: UInt64, total: UInt64, label: String)? {
        guard var progress = store.rotation.progress() else { return nil }
        progress.done = min(progress.total, progress.done + (running?.work.done ?? 0))
        return progress
    }

    private func takeResult() throws(VaultError) {
        guard let (file, work) = running, let result = work.takeResult() else { return }
        running = nil
        let commitment: [UInt8]
        do throws(ObjectError) { commitment = try result.get() } catch {
            guard error.code == .notAuthentic else { throw error.vaultError }
            return try store.rotation.pass(file)
        }
        try store.rotation.replace(file, commitment: commitment)
    }
}
