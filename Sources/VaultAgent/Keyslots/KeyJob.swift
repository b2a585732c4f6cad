// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentProtocol
internal import VaultCore
internal import VaultFormat

/// `KeyJob` is a change of keyslots: derivations on a thread of their own, then the header in one step.
final class KeyJob: Job {
    enum Purpose {
        case verify
        case add(name: String)
        case remove([UInt8])
        /// In the place of these slots; none means the one that the credential opened.
        case change([[UInt8]])
        case recovery
        /// With the slots that the owner has agreed to lose.
        case rotation(dropped: [[UInt8]])
    }

    private let store: OpenVault
    private let session: Session
    private let purpose: Purpose
    private let attempts: AttemptLog
    private let work: Background<Result<(KeyslotProof, KeyWork.Made), VaultError>>
    private var usesArgon2 = false

    /// Starts the derivations for a change of keyslots.
    ///
    /// - Throws: `VaultError.keysBusy` while another one runs.
    init(_ operations: RequestContext, _ purpose: Purpose, _ work: KeyWork, _ present: CredentialBox) throws(VaultError)
    {
        guard !operations.session.keyJobRuns else { throw VaultError(.keysBusy) }
        store = operations.store
        session = operations.session
        session.keyJobRuns = true
        self.purpose = purpose
        attempts = AttemptLog(vaultID: store.header.identity.name)
        let wait = attempts.secondsToWait()
        self.work = Background { goesOn in work.run(present, wait: wait, goesOn: goesOn) }
    }

    deinit {
        session.keyJobRuns = false
        guard !usesArgon2 else { return }
        work.cancel()
        // A try that nobody waited for counts as a wrong one: else hanging up would be a way around the waiting.
        attempts.failed()
    }

    var isWaiting: Bool { true }

    func step(_ connection: Connection) -> Outcome? {
        guard let result = work.takeResult() else { return nil }
        usesArgon2 = true
        do throws(VaultError) {
            if case .failure(let error) = result, error.code == .wrongPassword { attempts.failed() }
            let (proof, made) = try result.get()
            attempts.succeeded()
            try finish(proof, made, connection)
            return Outcome(.ok)
        } catch { return error.code == .exists ? Self.nameIsTaken : error.outcome }
    }

    private static let nameIsTaken = Outcome(
        .conflict, "another key has this name", hint: "vault key ls shows them; --name gives another one")

    private func finish(_ proof: KeyslotProof, _ made: KeyWork.Made, _ connection: Connection) throws(VaultError) {
        switch (purpose, made) {
        case (.verify, _):
            guard let slot = try store.keyslots.all().first(where: { $0.slotID == proof.slotID }) else {
                throw VaultError(.keysChanged)
            }
            connection.reply(KeyRow(slot))
        case (.add, .slot(let new)):
            try store.keyslots.add(new, proof)
            connection.reply(KeyRow(try slot(new.slotID)))
        case (.remove(let slotID), _):
            let removed = try slot(slotID)
            try store.keyslots.remove(slotID, proof)
            connection.reply(KeyRow(removed))
        case (.change(let old), .slot(let new)):
            try store.keyslots.replace(old.isEmpty ? [proof.slotID] : old, by: new, proof)
            connection.reply(KeyRow(try slot(new.slotID)))
        case (.recovery, .recovery(let key)):
            guard let text = key.text() else { throw VaultError(.libraryFailed) }
            connection.pendingKeys = .recovery(key, proof)
            connection.send(secret: text)
        case (.rotation(let dropped), .nextEpoch(let next)):
            try requireConsent(dropped, proof)
            connection.pendingKeys = .rotation(next)
            switch next.recoveryText() {
            case .none: break
            case .some(let text): connection.send(secret: text)
            }
        default: preconditionFailure("the work of a purpose makes what it asks for")
        }
    }

    private func slot(_ slotID: [UInt8]) throws(VaultError) -> KeyslotInfo {
        guard let slot = try store.keyslots.all().first(where: { $0.slotID == slotID }) else {
            throw VaultError(.noKeyslot)
        }
        return slot
    }

    /// Refuses to drop a key whose owner has not agreed: one whose secret was not given cannot be carried over.
    private func requireConsent(_ dropped: [[UInt8]], _ proof: KeyslotProof) throws(VaultError) {
        let others = try store.keyslots.all().filter { $0.slotID != proof.slotID && $0.kind != .recoveryKey }
        guard others.allSatisfy({ dropped.contains($0.slotID) }) else { throw VaultError(.keysDropped) }
    }
}
