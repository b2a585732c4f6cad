// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentProtocol
internal import SecretMemory
internal import VaultCore
internal import VaultFormat

extension OperationTable {
    static let archives: [any Handled.Type] = [PrepareArchive.self, WriteArchive.self]
}

extension PrepareArchive: Handled {
    func run(in work: RequestContext, secret: consuming SecretBytes) throws(VaultError) -> Outcome? {
        guard let password = PasswordPair.part(of: secret, isFirst: true),
            let passphrase = PasswordPair.part(of: secret, isFirst: false)
        else {
            throw VaultError(.wrongPassword)
        }
        let wrapping: ExportSealing
        do throws(ExportSealing.Refusal) { wrapping = try .make(sealing, passphrase: passphrase) } catch {
            return error.outcome
        }
        let box = withRecoveryKey ? nil : try CredentialBox.parse(.password, password)
        return work.start(ArchiveKeyJob(box, self, wrapping))
    }
}

extension WriteArchive: Handled {
    func run(in work: RequestContext, secret: consuming SecretBytes) throws(VaultError) -> Outcome? {
        guard let passed = work.takePassed() else { return RequestContext.noFile }
        guard case .archive(let prepared) = work.connection.pendingKeys else { throw VaultError(.newKeysForgotten) }
        guard prepared.key.isConfirmed(by: secret) else { throw VaultError(.recoveryMismatch) }
        work.connection.pendingKeys = nil
        do throws(PassedDescriptor.Refusal) { try passed.checkWritable() } catch { return error.outcome }
        return work.start(try ArchiveJob(work.store, prepared, passed))
    }
}
