// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentProtocol
internal import VaultCore
internal import VaultFormat

extension OperationTable {
    static let vault: [any Handled.Type] = [
        ProbeVault.self, UnlockVault.self, CreateVault.self, CommitCreation.self, MeasureCost.self,
        ShowStatus.self, LockVault.self, CheckVault.self, RestoreVault.self, SalvageVault.self,
        AdoptVault.self,
    ]
}

extension ShowStatus: Handled {
    func run(in work: RequestContext) throws(VaultError) -> Outcome? {
        let left = work.session.timer?.left(now: BootClock.seconds) ?? (idle: 0, max: 0)
        var status = try VaultStatus(work.store, left: left)
        if let (done, total, _) = work.session.rotation?.progress {
            status.rotationPercent = total == 0 ? 0 : Int(Double(done) * 100 / Double(total))
        }
        if let failure = work.session.rotation?.failure { status.rotationFailure = failure.outcome.message }
        work.reply(status)
        return Outcome(.ok)
    }
}

extension CheckVault: Handled {
    func run(in work: RequestContext) throws(VaultError) -> Outcome? {
        work.start(CheckJob(work.store, rebuildIndex: rebuildIndex))
    }
}

// What an agent is asked before it has a vault, and its end, are RequestHandler's.
extension ProbeVault: Handled {}
extension UnlockVault: Handled {}
extension CreateVault: Handled {}
extension CommitCreation: Handled {}
extension MeasureCost: Handled {}
extension LockVault: Handled {}
extension RestoreVault: Handled {}
extension SalvageVault: Handled {}
