// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentProtocol
internal import SecretMemory
internal import VaultCore
internal import VaultCrypto
internal import VaultFormat

extension OperationTable {
    static let rotation: [any Handled.Type] = [
        PlanRotation.self, PrepareRotation.self, BeginRotation.self, AwaitRotation.self,
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
        let hasRecoveryKey = try work.store.keyslots.all().contains { $0.kind == .recoveryKey }
        let (present, second) = try work.credentials(kind, new, secret)
        let making = KeyWork.Making.nextEpoch(
            second, targetMilliseconds: new.kdfTargetMilliseconds, withRecoveryKey: hasRecoveryKey,
            names: try work.names())
        return work.start(
            try KeyJob(work, .rotation(dropped: dropped), KeyWork(header: work.store.header, making: making), present))
    }
}

extension BeginRotation: Handled {
    func run(in work: RequestContext, secret: consuming SecretBytes) throws(VaultError) -> Outcome? {
        guard case .rotation(let next) = work.connection.pendingKeys else { throw VaultError(.noRotation) }
        guard next.isConfirmed(by: secret) else { throw VaultError(.recoveryMismatch) }
        work.connection.pendingKeys = nil
        return work.start(try RotateJob(work.store, work.session, next))
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
