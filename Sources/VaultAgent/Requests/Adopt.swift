// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentProtocol
internal import SecretMemory
internal import VaultCore

extension AdoptVault: Handled {
    func run(in work: RequestContext, secret: consuming SecretBytes) throws(VaultError) -> Outcome? {
        guard let passed = work.takePassed() else { return Outcome(.usage, "no folder came with the request") }
        // Nobody waits for the copy to be read on a disk that takes nothing.
        guard dryRun || !work.store.isReadOnly else { throw VaultError(.readOnly, systemError: work.store.refusal) }
        var box: CredentialBox?
        if let credential { box = try CredentialBox.parse(credential, secret) }
        return work.start(AdoptJob(work.store, self, box, passed))
    }
}
