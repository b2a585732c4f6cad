// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentProtocol
internal import SecretMemory
internal import VaultCore
internal import VaultFormat

extension OperationTable {
    static let backups: [any Handled.Type] = [CreateBackup.self, VerifyBackup.self, PruneBackup.self, DrillBackup.self]
}

extension CreateBackup: Handled {
    func run(in work: RequestContext) throws(VaultError) -> Outcome? {
        guard let passed = work.takePassed() else { return RequestContext.noFolder }
        guard parity <= 100 else {
            return Outcome(.usage, "parity is from 1% to 100%", hint: "vault config set durability.parity 10%")
        }
        return work.start(try BackupJob(work.store, to: passed, parity: parity == 0 ? nil : Int(parity)))
    }
}

extension VerifyBackup: Handled {
    func run(in work: RequestContext) throws(VaultError) -> Outcome? {
        guard let passed = work.takePassed() else { return RequestContext.noFolder }
        let name = SnapshotName(snapshot)
        guard snapshot.isEmpty || name != nil else { throw VaultError(.noSnapshot) }
        return work.start(BackupJob(verifying: name, work.store, in: passed))
    }
}

extension PruneBackup: Handled {
    func run(in work: RequestContext) throws(VaultError) -> Outcome? {
        guard let passed = work.takePassed() else { return RequestContext.noFolder }
        var rules = KeepRules()
        (rules.last, rules.daily, rules.weekly) = (Int(last), Int(daily), Int(weekly))
        (rules.monthly, rules.yearly) = (Int(monthly), Int(yearly))
        guard !rules.isEmpty else {
            return Outcome(.usage, "no rule says what to keep", hint: "vault backup prune DIR --keep-last 7")
        }
        return work.start(BackupJob(pruning: rules, isTrial: isTrial, work.store, in: passed))
    }
}

extension DrillBackup: Handled {
    func run(in work: RequestContext) throws(VaultError) -> Outcome? {
        guard let passed = work.takePassed() else { return RequestContext.noFolder }
        return work.start(try BackupJob(drilling: work.store, in: passed))
    }
}

extension RequestContext {
    fileprivate static let noFolder = Outcome(.usage, "no folder came with the request")
}

extension RequestHandler {
    /// Makes a vault of an archive or a snapshot. Only an agent that has no vault does: it was started for this.
    func restore(_ restoring: RestoreVault, _ secret: borrowing SecretBytes, _ connection: Connection) {
        guard session.isEmpty, let passed = connection.handedOver else {
            return connection.end(
                Outcome(.usage, "this agent has a vault", hint: "vault backup restore starts one of its own"))
        }
        connection.handedOver = nil
        do throws(VaultError) {
            guard let first = PasswordPair.part(of: secret, isFirst: true),
                let second = PasswordPair.part(of: secret, isFirst: false)
            else {
                throw VaultError(.wrongPassword)
            }
            if restoring.snapshot == nil {
                do throws(PassedDescriptor.Refusal) { try passed.checkReadable() } catch {
                    return connection.end(error.outcome)
                }
            }
            let credential = try CredentialBox.parse(restoring.credential, first)
            let new = second.byteCount == 0 ? nil : try CredentialBox.parse(.password, second)
            connection.job = RestoreJob(
                RestoreJob.Order(restoring: restoring, credential: credential, newPassword: new, passed: passed))
        } catch { connection.end(error.outcome) }
    }
}
