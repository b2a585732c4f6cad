// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentProtocol
internal import SecretMemory
internal import VaultCore
internal import VaultCrypto
internal import VaultFormat

extension OperationTable {
    static let rotation: [any Handled.Type] = [
        PlanRotation.self, PrepareRotation.self, BeginRotation.self, AwaitRotation.self, FollowKey.self,
    ]
}

extension PlanRotation: Handled {
    func run(in work: RequestContext) throws(VaultError) -> Outcome? {
        work.start(PlanJob(try work.store.rotation.planRequest()))
    }
}

extension PrepareRotation: Handled {
    func run(in work: RequestContext, secret: consuming SecretBytes) throws(VaultError) -> Outcome? {
        guard !work.store.isRotating else { throw VaultError(.rotationRuns) }
        guard !work.store.isReadOnly else { throw VaultError(.readOnly) }
        guard new.kind != .recoveryKey else {
            return Outcome(.usage, "a rotation keeps a password", hint: "vault rotate --new-password")
        }
        work.session.syncing.load()
        let revoking: Revocation
        switch try work.revocation(of: revoked) {
        case .failure(let refusal): return refusal.outcome
        case .success(let found): revoking = found
        }
        if let refusal = try work.refusalOfRotation(revoking) { return refusal }
        let hasRecoveryKey = try work.store.keyslots.all().contains { $0.kind == .recoveryKey }
        let (present, second) = try work.credentials(kind, new, secret)
        let making = KeyWork.Making.nextEpoch(
            second, targetMilliseconds: new.kdfTargetMilliseconds, withRecoveryKey: hasRecoveryKey,
            names: try work.names())
        let (agreed, hosts) = (dropped, work.session.syncing.hosts)
        let job = { () throws(VaultError) -> any Job in
            try KeyJob(work, .rotation(dropped: agreed), KeyWork(header: work.store.header, making: making), present)
        }
        return work.start(isUnsynced || hosts.isEmpty ? try job() : AfterSync(hosts, revoking, job))
    }
}

extension BeginRotation: Handled {
    func run(in work: RequestContext, secret: consuming SecretBytes) throws(VaultError) -> Outcome? {
        guard case .rotation(let next) = work.connection.pendingKeys else { throw VaultError(.newKeysForgotten) }
        guard next.isConfirmed(by: secret) else { throw VaultError(.recoveryMismatch) }
        let revoking: Revocation
        switch try work.revocation(of: revoked) {
        case .failure(let refusal): return refusal.outcome
        case .success(let found): revoking = found
        }
        if let refusal = try work.refusalOfRotation(revoking) { return refusal }
        work.connection.pendingKeys = nil
        return work.start(try RotateJob(work.store, work.session, next, revoking))
    }
}

extension RequestContext {
    /// Says why the vault's key cannot be changed now, because of a remote; nil when it can.
    fileprivate func refusalOfRotation(_ revoking: Revocation) throws(VaultError) -> Outcome? {
        guard try !store.remotes.stored().isEmpty else { return nil }
        return syncRefusal(named: "")
            ?? session.syncing.hosts.lazy.compactMap { $0.refusalOfRotation(besides: revoking) }.first
    }

    /// Returns the device that is revoked with a rotation; that of nobody for an empty name.
    fileprivate func revocation(of ref: String) throws(VaultError) -> Result<Revocation, NoDevice> {
        guard !ref.isEmpty else { return .success(Revocation()) }
        return try otherDevice(ref).map { device in Revocation(device, session.syncing.hosts) }
    }
}

extension FollowKey: Handled {
    func run(in work: RequestContext, secret: consuming SecretBytes) throws(VaultError) -> Outcome? {
        guard !work.store.isRotating else { throw VaultError(.rotationRuns) }
        guard !work.store.isReadOnly else { throw VaultError(.readOnly, systemError: work.store.refusal) }
        let host: SyncHost
        switch try work.host(named: name) {
        case .failure(let refusal): return refusal.outcome
        case .success(let found): host = found.host
        }
        guard !host.endings.isEmpty else {
            return Outcome(
                .conflict, "no other device has changed the vault's key, as far as was read",
                hint: "vault sync now reads what the remote has")
        }
        return work.start(
            try FollowJob(work, host, try CredentialBox.parse(credential, secret), triesDear: triesDearKeys))
    }
}

extension AwaitRotation: Handled {
    func run(in work: RequestContext) throws(VaultError) -> Outcome? {
        guard work.store.isRotating else { throw VaultError(.noRotation) }
        guard !work.store.isReadOnly else { throw VaultError(.readOnly) }
        return work.start(RotateJob(watching: work.store, work.session))
    }
}

/// `PlanJob` serves `vault rotate --dry-run`: looks at the files on a thread of its own.
final class PlanJob: Job {
    private let work: Background<RotationPlan>

    init(_ request: RotationPlan.Request) { work = Background { _ in RotationPlan(request) } }

    var isWaiting: Bool { true }

    func step(_ connection: Connection) -> Outcome? {
        guard let plan = work.takeResult() else { return nil }
        if let failure = plan.failure { return failure.outcome }
        connection.reply(PlannedRotation(plan))
        return plan.hasRoom
            ? Outcome(.ok) : VaultError(.noRoom, found: plan.freeByteCount, expected: plan.neededByteCount).outcome
    }
}
