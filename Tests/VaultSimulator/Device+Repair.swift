// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import AgentProtocol
import CSeededMachine
import Glibc

@testable import VaultAgent
@testable import VaultCore

/// This extension reads back what a device has sent, and sends it again, as `vault sync repair` does.
extension Device {
    /// - Returns: how it ended.
    func repair() throws -> Outcome? {
        guard let host, let row = try store.remotes.stored().first else { return nil }
        let connection = unsafe Connection(taking: open("/dev/null", O_WRONLY | O_CLOEXEC))
        let session = Session()
        let work = RequestContext(store: store, session: session, connection: connection)
        let job = try VerifyJob(host, row, repairs: true, work)
        for _ in 0..<20_000 {
            world.counts.steps += 1
            if let outcome = job.step(connection) { return outcome }
        }
        return nil
    }
}
