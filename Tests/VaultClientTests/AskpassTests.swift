// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import AgentClient
import AgentProtocol
import Glibc
import Testing
import VaultTesting

@testable import VaultClient

struct AskpassTests {
    /// One that never answers, one that answers and never ends, one that wants to stay.
    @Test(arguments: [
        "exec sleep 60", "echo secret; exec >&-; exec sleep 60", "trap '' TERM; while :; do sleep 1; done",
    ])
    func aProgramThatTakesTooLongIsEnded(body: String) throws {
        let folder = TemporaryFolder()
        let path = folder.path + "/askpass"
        folder.write(Array("#!/bin/sh\n\(body)\n".utf8), to: "askpass")
        unsafe chmod(path, 0o700)
        let clock = ContinuousClock()
        let begin = clock.now
        let failure = #expect(throws: ClientFailure.self) {
            _ = try AskpassProgram.run(path, prompt: "Password: ", within: 1000)
        }
        #expect(failure?.outcome.code == .aborted)
        #expect(failure?.outcome.message.contains("in 1 s") == true)
        #expect(clock.now - begin < .seconds(20))
    }
}
