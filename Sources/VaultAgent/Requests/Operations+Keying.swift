// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentProtocol
internal import SecretMemory
internal import VaultCore
internal import VaultCrypto
internal import VaultFormat

extension Operations {
    /// Requests about keys that no secret comes with.
    func keying(_ keying: Keying) throws(VaultError) -> Outcome? {
        switch keying {
        case .list:
            answer.keys(try store.keyslots())
            return Outcome(.ok)
        case .newKeyFile:
            guard let text = try? KeyFile.make() else { throw VaultError(.libraryFailed) }
            connection.send(secret: text)
            return Outcome(.ok)
        case .plan: return start(PlanJob(try store.rotationPlanRequest()))
        case .resume:
            guard store.isRotating else { throw VaultError(.noRotation) }
            guard !store.isReadOnly else { throw VaultError(.readOnly) }
            return start(RotateJob(watching: store, session))
        default: return Outcome(.usage, "this request needs a secret")
        }
    }

    /// Requests about keys with the owner's credential, or a recovery key as typed back.
    func keying(_ keying: Keying, _ secret: consuming SecretBytes) throws(VaultError) -> Outcome? {
        switch keying {
        case .verify(let kind): return try begin(.verify, .nothing, kind, secret)
        case .add(let kind, let name, let new):
            guard !name.isEmpty, name.utf8.count <= Keyslot.nameByteCountMax, new.kind != .recoveryKey else { throw VaultError(.tooLarge) }
            guard try !store.keyslots().contains(where: { $0.name == name }) else {
                return Outcome(.conflict, "another key has this name", hint: "vault key ls shows them; --name gives another one")
            }
            return try begin(.add(name: name), named: name, new, kind, secret)
        case .remove(let kind, let ref): return try begin(.remove(keyslot(ref).slotID), .nothing, kind, secret)
        case .change(let kind, let ref, let new): return try change(kind, ref, new, secret)
        case .prepareRecovery(let kind): return try begin(.recovery, .recovery, kind, secret)
        case .prepareRotation(let kind, let new, let dropped): return try prepareRotation(kind, new, dropped, secret)
        case .commitRecovery: return try commitRecovery(secret)
        case .rotate: return try rotate(secret)
        case .list, .newKeyFile, .plan, .resume: return Outcome(.usage, "this request takes no secret")
        }
    }

    private func change(
        _ kind: UnlockOptions.Credential, _ ref: String, _ new: Keying.NewCredential, _ secret: borrowing SecretBytes
    ) throws(VaultError) -> Outcome? {
        guard new.kind != .recoveryKey else { return Outcome(.usage, "a recovery key is made with 'vault recovery new'") }
        var replaced: [[UInt8]] = []
        var name: String?
        if !ref.isEmpty {
            let slot = try keyslot(ref)
            (replaced, name) = ([slot.slotID], slot.name)
        } else if kind == .recoveryKey {
            // A user who has forgotten the password names no key: the only one with a password is meant.
            let candidates = try store.keyslots().filter { $0.kind != .recoveryKey }
            guard candidates.count == 1 else {
                return Outcome(.ambiguous, "there is more than one password", hint: "vault key ls, then vault recovery use --key NAME")
            }
            (replaced, name) = ([candidates[0].slotID], candidates[0].name)
        }
        if name?.isEmpty == true { name = KeyslotName.password }
        return try begin(.change(replaced, isUpgrade: new.keepsSecret), named: name, new, kind, secret)
    }

    private func prepareRotation(
        _ kind: UnlockOptions.Credential, _ new: Keying.NewCredential, _ dropped: [[UInt8]], _ secret: borrowing SecretBytes
    ) throws(VaultError) -> Outcome? {
        guard !store.isRotating else { throw VaultError(.rotationRuns) }
        guard !store.isReadOnly else { throw VaultError(.readOnly) }
        guard new.kind != .recoveryKey else { return Outcome(.usage, "a rotation keeps a password", hint: "vault rotate --new-password") }
        let slots = try store.keyslots()
        let hasRecoveryKey = slots.contains { $0.kind == .recoveryKey }
        let (present, second) = try credentials(kind, new, secret)
        let making = KeyWork.Making.nextEpoch(
            second, targetMilliseconds: new.kdfTargetMilliseconds, withRecoveryKey: hasRecoveryKey, names: try names())
        return start(try KeyJob(self, .rotation(dropped: dropped), KeyWork(header: store.header, making: making), present))
    }

    private func commitRecovery(_ typed: borrowing SecretBytes) throws(VaultError) -> Outcome {
        guard case .recovery(let key, let proof) = connection.pendingKeys else { throw VaultError(.noKeyslot) }
        guard key.isConfirmed(by: typed) else { throw VaultError(.recoveryMismatch) }
        connection.pendingKeys = nil
        let old = try store.keyslots().filter { $0.kind == .recoveryKey }.map(\.slotID)
        try store.replace(old, by: key.slot, proof)
        if !old.isEmpty { answer.oldCopiesOpen("recovery key") }
        return Outcome(.ok)
    }

    private func rotate(_ typed: borrowing SecretBytes) throws(VaultError) -> Outcome? {
        guard case .rotation(let next) = connection.pendingKeys else { throw VaultError(.noRotation) }
        guard next.isConfirmed(by: typed) else { throw VaultError(.recoveryMismatch) }
        connection.pendingKeys = nil
        return start(try RotateJob(store, session, next))
    }

    // MARK: Credentials

    /// Begins a job that makes a slot.
    private func begin(
        _ purpose: KeyJob.Purpose, named name: String?, _ new: Keying.NewCredential, _ kind: UnlockOptions.Credential,
        _ secret: borrowing SecretBytes
    ) throws(VaultError) -> Outcome? {
        let (present, second) = try credentials(kind, new, secret)
        let making = KeyWork.Making.slot(second, name: name, targetMilliseconds: new.kdfTargetMilliseconds, names: try names())
        return start(try KeyJob(self, purpose, KeyWork(header: store.header, making: making), present))
    }

    private func begin(
        _ purpose: KeyJob.Purpose, _ making: KeyWork.Making, _ kind: UnlockOptions.Credential, _ secret: borrowing SecretBytes
    ) throws(VaultError) -> Outcome? {
        start(try KeyJob(self, purpose, KeyWork(header: store.header, making: making), try CredentialBox.parse(kind, secret)))
    }

    /// The present credential and the new one; nil when the secret stays as it is.
    private func credentials(
        _ kind: UnlockOptions.Credential, _ new: Keying.NewCredential, _ secret: borrowing SecretBytes
    ) throws(VaultError) -> (CredentialBox, CredentialBox?) {
        if new.keepsSecret {
            // Else a slot of another kind would be made of what was given.
            guard kind == new.kind, kind != .recoveryKey else { throw VaultError(.wrongPassword) }
            return (try CredentialBox.parse(kind, secret), nil)
        }
        guard let first = PasswordPair.part(of: secret, isFirst: true), let second = PasswordPair.part(of: secret, isFirst: false) else {
            throw VaultError(.wrongPassword)
        }
        return (try CredentialBox.parse(kind, first), try CredentialBox.parse(new.kind, second))
    }

    /// What slots are called; a recovery key's name is not taken over by a password.
    private func names() throws(VaultError) -> [[UInt8]: String] {
        let slots = try store.keyslots().filter { $0.kind != .recoveryKey && !$0.name.isEmpty }
        return Dictionary(slots.map { ($0.slotID, $0.name) }) { first, _ in first }
    }

    /// A key by its name, or the beginning of its identifier.
    private func keyslot(_ ref: String) throws(VaultError) -> KeyslotInfo {
        let slots = try store.keyslots()
        let named = slots.filter { $0.name == ref }
        if named.count == 1 { return named[0] }
        let found = ref.utf8.count >= 4 ? slots.filter { $0.shortID.hasPrefix(ref.lowercased()) } : []
        guard found.count == 1 else { throw VaultError(.noKeyslot) }
        return found[0]
    }
}

/// `vault rotate --dry-run`: looks at the files on a thread of its own.
final class PlanJob: Job {
    private let work: Background<RotationPlan>

    init(_ request: RotationPlan.Request) { work = Background { _ in RotationPlan(request) } }

    var isWaiting: Bool { true }

    func step(_ connection: Connection) -> Outcome? {
        guard let plan = work.takeResult() else { return nil }
        Answer(connection).plan(plan)
        return plan.hasRoom
            ? Outcome(.ok) : VaultError(.noRoom, found: plan.freeByteCount, expected: plan.neededByteCount).outcome
    }
}
