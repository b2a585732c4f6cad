// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentProtocol
internal import SecretMemory
internal import VaultCore
internal import VaultCrypto
internal import VaultFormat

extension OperationTable {
    static let keys: [any Handled.Type] = [
        ListKeys.self, VerifyKey.self, MakeKeyFile.self, AddKey.self, RemoveKey.self, ChangeKey.self,
        PrepareRecoveryKey.self, CommitRecoveryKey.self,
    ]
}

extension ListKeys: Handled {
    func run(in work: RequestContext) throws(VaultError) -> Outcome? {
        work.reply(KeyList(try work.store.keyslots.all()))
        return Outcome(.ok)
    }
}

extension VerifyKey: Handled {
    func run(in work: RequestContext, secret: consuming SecretBytes) throws(VaultError) -> Outcome? {
        try work.begin(.verify, .nothing, kind, secret)
    }
}

extension MakeKeyFile: Handled {
    func run(in work: RequestContext) throws(VaultError) -> Outcome? {
        guard let text = try? KeyFile.make() else { throw VaultError(.libraryFailed) }
        work.connection.send(secret: text)
        return Outcome(.ok)
    }
}

extension AddKey: Handled {
    func run(in work: RequestContext, secret: consuming SecretBytes) throws(VaultError) -> Outcome? {
        guard !name.isEmpty, name.utf8.count <= Keyslot.nameByteCountMax, new.kind != .recoveryKey else {
            throw VaultError(.tooLarge)
        }
        guard try !work.store.keyslots.all().contains(where: { $0.name == name }) else {
            return Outcome(
                .conflict, "another key has this name", hint: "vault key ls shows them; --name gives another one")
        }
        return try work.begin(.add(name: name), named: name, new, kind, secret)
    }
}

extension RemoveKey: Handled {
    func run(in work: RequestContext, secret: consuming SecretBytes) throws(VaultError) -> Outcome? {
        try work.begin(.remove(work.keyslot(ref).slotID), .nothing, kind, secret)
    }
}

extension ChangeKey: Handled {
    func run(in work: RequestContext, secret: consuming SecretBytes) throws(VaultError) -> Outcome? {
        guard new.kind != .recoveryKey else {
            return Outcome(.usage, "a recovery key is made with 'vault recovery new'")
        }
        var replaced: [[UInt8]] = []
        var name: String?
        if !ref.isEmpty {
            let slot = try work.keyslot(ref)
            (replaced, name) = ([slot.slotID], slot.name)
        } else if kind == .recoveryKey {
            // A user who has forgotten the password names no key: the only one with a password is meant.
            let candidates = try work.store.keyslots.all().filter { $0.kind != .recoveryKey }
            guard candidates.count == 1 else {
                return Outcome(
                    .ambiguous, "there is more than one password",
                    hint: "vault key ls, then vault recovery use --key NAME")
            }
            (replaced, name) = ([candidates[0].slotID], candidates[0].name)
        }
        if name?.isEmpty == true { name = KeyslotName.password }
        return try work.begin(.change(replaced), named: name, new, kind, secret)
    }
}

extension PrepareRecoveryKey: Handled {
    func run(in work: RequestContext, secret: consuming SecretBytes) throws(VaultError) -> Outcome? {
        try work.begin(.recovery, .recovery, kind, secret)
    }
}

extension CommitRecoveryKey: Handled {
    func run(in work: RequestContext, secret: consuming SecretBytes) throws(VaultError) -> Outcome? {
        guard case .recovery(let key, let proof) = work.connection.pendingKeys else {
            throw VaultError(.newKeysForgotten)
        }
        guard key.isConfirmed(by: secret) else { throw VaultError(.recoveryMismatch) }
        work.connection.pendingKeys = nil
        let old = try work.store.keyslots.all().filter { $0.kind == .recoveryKey }.map(\.slotID)
        try work.store.keyslots.replace(old, by: key.slot, proof)
        work.reply(CommittedRecoveryKey(replacesOlder: !old.isEmpty))
        return Outcome(.ok)
    }
}

extension RequestContext {
    /// Begins a job that makes a slot.
    fileprivate func begin(
        _ purpose: KeyJob.Purpose, named name: String?, _ new: NewCredential, _ kind: CredentialKind,
        _ secret: borrowing SecretBytes
    ) throws(VaultError) -> Outcome? {
        let (present, second) = try credentials(kind, new, secret)
        let making = KeyWork.Making.slot(
            second, name: name, targetMilliseconds: new.kdfTargetMilliseconds, names: try names())
        return start(try KeyJob(self, purpose, KeyWork(header: store.header, making: making), present))
    }

    fileprivate func begin(
        _ purpose: KeyJob.Purpose, _ making: KeyWork.Making, _ kind: CredentialKind, _ secret: borrowing SecretBytes
    ) throws(VaultError) -> Outcome? {
        start(
            try KeyJob(
                self, purpose, KeyWork(header: store.header, making: making), try CredentialBox.parse(kind, secret)))
    }

    /// Returns the present credential and the new one; nil when the secret stays as it is.
    func credentials(
        _ kind: CredentialKind, _ new: NewCredential, _ secret: borrowing SecretBytes
    ) throws(VaultError) -> (CredentialBox, CredentialBox?) {
        if new.keepsSecret {
            // Else a slot of another kind would be made of what was given.
            guard kind == new.kind, kind != .recoveryKey else { throw VaultError(.wrongPassword) }
            return (try CredentialBox.parse(kind, secret), nil)
        }
        guard let first = PasswordPair.part(of: secret, isFirst: true),
            let second = PasswordPair.part(of: secret, isFirst: false)
        else {
            throw VaultError(.wrongPassword)
        }
        return (try CredentialBox.parse(kind, first), try CredentialBox.parse(new.kind, second))
    }

    /// Returns what slots are called, by their identifiers; a recovery key's name is not taken over by a password.
    func names() throws(VaultError) -> [[UInt8]: String] {
        let slots = try store.keyslots.all().filter { $0.kind != .recoveryKey && !$0.name.isEmpty }
        return Dictionary(slots.map { ($0.slotID, $0.name) }) { first, _ in first }
    }

    /// Returns a key by its name, or the beginning of its identifier.
    fileprivate func keyslot(_ ref: String) throws(VaultError) -> KeyslotInfo {
        let slots = try store.keyslots.all()
        let named = slots.filter { $0.name == ref }
        if named.count == 1 { return named[0] }
        let found = ref.utf8.count >= 4 ? slots.filter { $0.shortID.hasPrefix(ref.lowercased()) } : []
        guard found.count == 1 else { throw VaultError(.noKeyslot) }
        return found[0]
    }
}

extension KeyRow {
    init(_ slot: KeyslotInfo) {
        self.init()
        (slotID, shortID, name, made) = (slot.slotID, slot.shortID, slot.name, slot.made)
        kind = slot.kind
        cost = KDFCost(memoryKiB: slot.memoryKiB, iterations: slot.iterations, parallelism: slot.parallelism)
    }
}

extension KeyList {
    init(_ slots: [KeyslotInfo]) { self.init(slots.map { KeyRow($0) }) }
}

extension PlannedRotation {
    init(_ plan: RotationPlan) {
        self.init()
        (epoch, indexByteCount) = (plan.epoch, plan.indexByteCount)
        (attachmentCount, attachmentByteCount) = (plan.objectCount, plan.objectByteCount)
        (neededByteCount, freeByteCount, hasRoom) = (plan.neededByteCount, plan.freeByteCount, plan.hasRoom)
        keys = plan.slots.map { KeyRow($0) }
    }
}
