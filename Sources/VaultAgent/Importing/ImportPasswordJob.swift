// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentProtocol
internal import VaultCore
internal import VaultFormat

/// `ImportPasswordJob` derives what the private notes of an import are sealed under, then begins the import.
final class ImportPasswordJob: Job {
    private let store: OpenVault
    private let order: BeginImport
    private let work: Background<Result<ImportKeys, VaultError>>
    private let attempts: NoteAttempts
    /// Notes whose password is tried: each wrong try makes the next one wait, as `note unlock` does.
    private let tried: [NoteID]
    private var usesArgon2 = false

    /// Starts to derive the keys, after the wait that earlier failures ask for.
    ///
    /// - Throws: `VaultError.keysBusy` while another try of theirs runs.
    init(_ store: OpenVault, _ session: Session, _ order: BeginImport, _ password: PasswordBox) throws(VaultError) {
        self.store = store
        self.order = order
        attempts = session.noteAttempts
        let opening = try store.imports.opening(of: ImportSession.origin(of: order))
        tried = opening.tried
        var wait = 0.0
        for (index, note) in tried.enumerated() {
            guard let own = attempts.begin(note) else {
                for begun in tried.prefix(index) { attempts.end(begun) }
                throw VaultError(.keysBusy)
            }
            wait = max(wait, own)
        }
        let skipsOthers = order.format == "json"
        let target = store.privateNotes.passwordTargetMilliseconds
        work = Background { [wait] goesOn in
            // In small parts: a lock must not find a password that waits.
            for _ in 0..<Int((wait * 10).rounded(.up)) where goesOn(0) { pause(0.1) }
            return ProtectionWork.alone { () throws(VaultError) in
                let cost = try ProtectionWork.cost(target)
                return try opening.keys(password.secret, cost: cost, skipsOthers: skipsOthers) { goesOn(0) }
            }
        }
    }

    /// Ends the work, and counts a try that nobody waited for as a wrong one: else hanging up would be a way around the
    /// waiting.
    deinit {
        work.cancel()
        for note in tried {
            if !usesArgon2 { attempts.failed(note) }
            attempts.end(note)
        }
    }

    var isWaiting: Bool { true }

    func step(_ connection: Connection) -> Outcome? {
        guard let result = work.takeResult() else { return nil }
        usesArgon2 = true
        do throws(VaultError) {
            let keys = try result.get()
            // A password that opens another import's notes not is a wrong one for them: the next try waits.
            for note in tried {
                if keys.unopened.contains(note) { attempts.failed(note) } else { attempts.succeeded(note) }
            }
            if !order.dryRun { try store.imports.remember(keys) }
            connection.importSession = ImportSession(
                order, keys: keys, privateNotes: try store.imports.sources(with: keys),
                lockedCount: try store.imports.lockedNoteCount())
            return Outcome(.ok)
        } catch {
            guard error.code == .wrongNotePassword else { return error.outcome }
            tried.forEach { attempts.failed($0) }
            return Outcome(
                .wrongPassword, "an earlier import from this source gave its private notes another password",
                hint: "use that password; vault note passwd ID changes it later")
        }
    }
}
