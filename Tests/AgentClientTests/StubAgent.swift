// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import AgentProtocol
import Glibc
import SecretMemory

@testable import AgentClient

/// Agrees to everything that it is asked, unless it was told otherwise, and remembers it.
struct StubAgent: AgentRequester {
    /// The bytes that name the requests.
    private(set) var requests: [UInt8] = []
    /// What came through descriptors.
    private(set) var files: [[UInt8]] = []
    private(set) var secrets: [[UInt8]] = []
    /// How requests end, by the byte that names them: the first of the list is used up.
    var outcomes: [UInt8: [ExitCode]] = [:]
    /// Whether it reads what comes through a descriptor; else it closes it.
    var takesFiles = true
    var wasInterrupted = false
    private var descriptor: Int32?

    mutating func send<Asked: Operation>(_ operation: Asked, _ enclosure: consuming Enclosure) throws(ClientFailure) {
        requests.append(Asked.id)
        if takesFiles, let given = enclosure.descriptor { descriptor = dup(given) }
        if let secret = enclosure.secret { secrets.append(unsafe secret.withUnsafeBytes { unsafe Array($0) }) }
    }

    mutating func answer<Asked: Operation>(to operation: Asked) throws(ClientFailure) -> (
        outcome: Outcome, replies: [Asked.Reply]
    ) {
        if let descriptor {
            files.append((try? FileBytes.read(descriptor, max: 1 << 20)) ?? [])
            close(descriptor)
            self.descriptor = nil
        }
        var code = ExitCode.ok
        if let next = outcomes[Asked.id]?.first {
            code = next
            outcomes[Asked.id]?.removeFirst()
        }
        return (Outcome(code), code == .ok ? [Asked.Reply()] : [])
    }
}
