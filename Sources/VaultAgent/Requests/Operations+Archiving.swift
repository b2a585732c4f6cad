// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentProtocol
internal import SecretMemory
internal import VaultCore
internal import VaultFormat

extension Operations {
    /// Requests about archives and backups that no secret comes with.
    func archiving(_ archiving: Archiving) throws(VaultError) -> Outcome? {
        guard let passed = connection.handedOver else { return Outcome(.usage, "no folder came with the request") }
        connection.handedOver = nil
        switch archiving {
        case .backup: return start(try BackupJob(store, to: passed))
        case .verify(let wanted):
            let name = SnapshotName(wanted)
            guard wanted.isEmpty || name != nil else { throw VaultError(.noSnapshot) }
            return start(BackupJob(verifying: name, store, in: passed))
        default: return Outcome(.usage, "this request needs a secret")
        }
    }

    /// Requests about archives with a password, or with a recovery key as typed back.
    func archiving(_ archiving: Archiving, _ secret: consuming SecretBytes) throws(VaultError) -> Outcome? {
        switch archiving {
        case .prepare(let wanted): return try prepare(wanted, secret)
        case .write: return try write(secret)
        default: return Outcome(.usage, "not a request of an open vault")
        }
    }

    private func prepare(_ wanted: NewArchive, _ secret: borrowing SecretBytes) throws(VaultError) -> Outcome? {
        guard let password = PasswordPair.part(of: secret, isFirst: true), let passphrase = PasswordPair.part(of: secret, isFirst: false) else {
            throw VaultError(.wrongPassword)
        }
        let sealing: ExportSealing
        do throws(ExportSealing.Refusal) { sealing = try .make(wanted.sealing, passphrase: passphrase) } catch { return error.outcome }
        let box = wanted.withRecoveryKey ? nil : try CredentialBox.parse(.password, password)
        return start(ArchiveKeyJob(box, wanted, sealing))
    }

    private func write(_ typed: borrowing SecretBytes) throws(VaultError) -> Outcome? {
        guard let passed = connection.handedOver else { return Outcome(.usage, "no file came with the request") }
        connection.handedOver = nil
        guard case .archive(let prepared) = connection.pendingKeys else { throw VaultError(.noKeyslot) }
        guard prepared.key.isConfirmed(by: typed) else { throw VaultError(.recoveryMismatch) }
        connection.pendingKeys = nil
        do throws(PassedDescriptor.Refusal) { try passed.checkWritable() } catch { return error.outcome }
        return start(try ArchiveJob(store, prepared, passed))
    }
}

extension RequestHandler {
    /// Makes a vault of an archive or a snapshot. Only an agent that has no vault does: it was started for this.
    func restore(_ restoring: Restoring, _ secret: borrowing SecretBytes, _ connection: Connection) {
        guard session.isEmpty, let passed = connection.handedOver else {
            return connection.end(Outcome(.usage, "this agent has a vault", hint: "vault backup restore starts one of its own"))
        }
        connection.handedOver = nil
        do throws(VaultError) {
            guard let first = PasswordPair.part(of: secret, isFirst: true), let second = PasswordPair.part(of: secret, isFirst: false) else {
                throw VaultError(.wrongPassword)
            }
            if restoring.snapshot == nil {
                do throws(PassedDescriptor.Refusal) { try passed.checkReadable() } catch { return connection.end(error.outcome) }
            }
            let credential = try CredentialBox.parse(restoring.credential, first)
            let new = second.byteCount == 0 ? nil : try CredentialBox.parse(.password, second)
            connection.job = RestoreJob(RestoreJob.Order(restoring: restoring, credential: credential, newPassword: new, passed: passed))
        } catch { connection.end(error.outcome) }
    }
}
