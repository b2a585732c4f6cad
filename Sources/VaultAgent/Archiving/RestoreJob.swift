// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentProtocol
internal import SealedObjects
internal import VaultCore
internal import VaultFormat

/// `RestoreJob` serves `vault backup restore`: makes a vault of an archive or a snapshot, on a thread of its own. It
/// has no open vault.
final class RestoreJob: Job {
    private enum Ending: Sendable {
        case done(RestoredVault)
        case failed(Outcome)
    }

    /// `Order` holds what the job needs on the other thread.
    struct Order: Sendable {
        let restoring: RestoreVault
        let credential: CredentialBox
        /// Nil takes the one that opens the archive.
        let newPassword: CredentialBox?
        let passed: PassedDescriptor
    }

    private let work: Background<Ending>
    private let total: UInt64
    private let gaveNewPassword: Bool

    init(_ order: Order) {
        gaveNewPassword = order.newPassword != nil
        total = order.restoring.snapshot == nil ? order.passed.byteCount ?? 0 : 0
        work = Background { goesOn in
            do {
                return .done(try Self.restore(order, goesOn))
            } catch { return .failed(Self.outcome(of: error, order.restoring)) }
        }
    }

    /// Ends the thread, so that half a vault is removed before the agent ends.
    deinit { work.cancelAndWait() }

    private static func restore(_ order: Order, _ goesOn: @escaping (UInt64) -> Bool) throws -> RestoredVault {
        let restoring = order.restoring
        let owner: () throws(VaultError) -> NewOwner = { () throws(VaultError) in
            let password = order.newPassword ?? order.credential
            return try NewOwner(
                password.credential, recovery: order.credential.credential,
                cost: KeyWork.cost(restoring.kdfTargetMilliseconds),
                targetMilliseconds: restoring.kdfTargetMilliseconds)
        }
        guard let snapshot = restoring.snapshot else {
            let reader = try ArchiveReader(order.passed.descriptor) { goesOn($0) }
            try reader.unlock(order.credential.credential)
            return try ArchiveRestore.run(
                reader, to: restoring.directory, owner(), as: identity(restoring), goesOn: goesOn)
        }
        let name = SnapshotName(snapshot)
        guard snapshot.isEmpty || name != nil else { throw VaultError(.noSnapshot) }
        return try BackupRestore.run(
            order.passed.backupFolder(), name, order.credential.credential, to: restoring.directory, owner: owner,
            as: identity(restoring), salvaging: restoring.salvage, goesOn: goesOn)
    }

    private static func identity(_ restoring: RestoreVault) -> RestoredIdentity {
        switch restoring.identity {
        case .automatic: .automatic
        case .copy: .copy
        case .original: .original
        }
    }

    private static func outcome(of error: any Error, _ restoring: RestoreVault) -> Outcome {
        switch error {
        case let error as VaultError where error.code == .integrity && restoring.snapshot != nil && !restoring.salvage:
            Outcome(
                .integrity, "integrity failure: the snapshot is damaged; nothing was restored",
                hint:
                    "vault backup ls DIR lists older ones to name; vault backup restore --salvage DIR takes what opens of this one"
            )
        case let error as VaultError where error.code == .integrity:
            Outcome(
                .integrity,
                "integrity failure: the archive or backup was damaged, truncated or changed; nothing was restored",
                hint: "try another copy or an older snapshot: vault backup ls DIR")
        case let error as VaultError where error.code == .oldKey:
            Outcome(
                .conflict,
                "the newest snapshot is from before the vault's key was changed, as far as this account knows",
                hint: "vault backup ls DIR, then name the snapshot: the restored vault has a new key")
        case let error as VaultError where error.code == .wrongPassword:
            Outcome(
                .wrongPassword, "wrong password, or the archive or backup is damaged",
                hint: "try again, or --recovery with its recovery key")
        case let error as VaultError: error.outcome
        case let error as ObjectError: error.outcome(.reading)
        default: Outcome(.other, "nothing could be restored", hint: "try again")
        }
    }

    var isWaiting: Bool { true }

    func step(_ connection: Connection) -> Outcome? {
        guard let ending = work.takeResult() else {
            connection.send(
                .progress, Progress(label: "restoring", done: work.done, total: total, isBytes: true).encoded)
            return nil
        }
        switch ending {
        case .failed(let outcome): return outcome
        case .done(let restored):
            connection.reply(FinishedRestore(restored, gaveNewPassword: gaveNewPassword))
            return BackupOutcome.ofRestore(restored)
        }
    }
}
