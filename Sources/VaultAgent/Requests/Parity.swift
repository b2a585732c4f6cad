// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentProtocol
internal import VaultCore

// Without a vault: RequestHandler's.
extension OperationTable {
    static let parity: [any Handled.Type] = [MendBackup.self, CoverArchive.self]
}

extension MendBackup: Handled {}

extension CoverArchive: Handled {
    func run(in work: RequestContext) throws(VaultError) -> Outcome? {
        guard let passed = work.takePassed() else { return Outcome(.usage, "no folder came with the request") }
        guard (1...100).contains(percent) else {
            return Outcome(
                .usage, "parity is from 1% to 100%", hint: "vault config set durability.parity 10%")
        }
        return work.start(ParityJob(covering: self, in: passed))
    }
}

extension RequestHandler {
    /// Mends a backup or an archive. Only an agent that has no vault does: untrusted files need no keys beside them.
    func mend(_ mending: MendBackup, _ connection: Connection) {
        guard let passed = connection.handedOver else {
            return connection.end(Outcome(.usage, "no folder came with the request"))
        }
        connection.handedOver = nil
        connection.job = ParityJob(mending: mending, in: passed)
    }
}
