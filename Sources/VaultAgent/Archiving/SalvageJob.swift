// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentProtocol
internal import SealedObjects
internal import VaultCore
internal import VaultFormat

/// `SalvageJob` serves `vault salvage`: makes a vault of what a damaged one still holds, on a thread of its own. It has
/// no open vault.
final class SalvageJob: Job {
    private enum Ending: Sendable {
        case done(SalvageReport)
        case failed(Outcome)
    }

    /// `Order` holds what the job needs on the other thread.
    struct Order: Sendable {
        let salvaging: SalvageVault
        let credential: CredentialBox
        /// Nil takes the one that opens the damaged vault.
        let newPassword: CredentialBox?
        let passed: PassedDescriptor
    }

    private let work: Background<Ending>
    private let total = SharedNumber()

    init(_ order: Order) {
        let total = total
        work = Background { goesOn in
            do {
                return .done(try Self.salvage(order, { total.value = $0 }, goesOn))
            } catch { return .failed(Self.outcome(of: error)) }
        }
    }

    /// Ends the thread, so that half a vault is removed before the agent ends.
    deinit { work.cancelAndWait() }

    private static func salvage(
        _ order: Order, _ total: @escaping (UInt64) -> Void, _ goesOn: @escaping (UInt64) -> Bool
    ) throws -> SalvageReport {
        let salvaging = order.salvaging
        let damaged = try DamagedVault(
            taking: order.passed.duplicate(), order.credential.credential, triesDear: salvaging.triesDearKeys)
        total(damaged.byteCount)
        let owner = try NewOwner(
            keeping: (order.newPassword ?? order.credential).credential, recovery: order.credential.credential,
            cost: KeyWork.cost(salvaging.kdfTargetMilliseconds), targetMilliseconds: salvaging.kdfTargetMilliseconds)
        return try VaultSalvage.run(damaged, to: salvaging.directory, owner, goesOn: goesOn)
    }

    private static func outcome(of error: any Error) -> Outcome {
        switch error {
        case let error as VaultError where error.code == .integrity:
            Outcome(
                .integrity, "nothing could be salvaged: no note, draft or file of the vault opens",
                hint: "try another copy, or a backup: vault backup restore DIR")
        case let error as VaultError where error.code == .busy:
            Outcome(.conflict, "an agent has this vault open", hint: "vault --vault DIR lock, then try again")
        case let error as VaultError where error.code == .noVault:
            Outcome(
                .integrity, "neither copy of the header can be read, so no key can be opened",
                hint: "put a copy of the file 'header' from a backup of this vault there")
        case let error as VaultError where error.code == .costlyKeyslot:
            Outcome(error.outcome.code, error.outcome.message, hint: SalvageVault.dearKeyHint)
        case let error as VaultError: error.outcome
        case let error as ObjectError: error.outcome(.reading)
        default: Outcome(.other, "nothing could be salvaged", hint: "try again")
        }
    }

    var isWaiting: Bool { true }

    func step(_ connection: Connection) -> Outcome? {
        guard let ending = work.takeResult() else {
            connection.send(
                .progress,
                Progress(label: "salvaging", done: work.done, total: total.value, isBytes: true).encoded)
            return nil
        }
        switch ending {
        case .failed(let outcome): return outcome
        case .done(let report):
            let reply = SalvagedVault(report)
            connection.reply(reply)
            return reply.isWhole
                ? Outcome(.ok)
                : Outcome(
                    .doneWithLosses, "the new vault has everything except for what is listed above",
                    hint: "an older backup may have it; keep the damaged vault until you have looked")
        }
    }
}
