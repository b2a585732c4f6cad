// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import AgentProtocol
import Glibc
import Testing
import VaultTesting

@testable import AgentClient

/// A vault is called locked only when nobody has it open. What agents do when they are told is in ProgramTests.
struct VaultLockingTests {
    private let folder = TemporaryFolder()

    private func location() throws -> VaultLocation {
        let identifier = (0..<16).map { _ in UInt8.random(in: 0...255) }
        folder.write(Array("VLT1".utf8) + [0, 1] + identifier + [9, 9], to: "header")
        folder.write([], to: "lock")
        return try VaultLocation(folder.path)
    }

    @Test func aVaultThatNobodyHasOpenIsLockedAlready() throws {
        #expect(try VaultLocking().lock(location()) == .nobody)
    }

    @Test func aProcessThatIsNoAgentIsNamedAndLeftAlone() throws {
        let location = try location()
        let descriptor = unsafe open(folder.path + "/lock", O_RDONLY | O_CLOEXEC)
        defer { close(descriptor) }
        #expect(flock(descriptor, LOCK_EX | LOCK_NB) == 0)
        do {
            _ = try VaultLocking().lock(location)
            Issue.record("somebody has it open")
        } catch {
            #expect(error.outcome.code == .conflict)
            #expect(error.outcome.message.contains("pid \(getpid())"), "\(error.outcome.message)")
        }
    }

    @Test func whereThereIsNoVaultNothingIsSaidToBeLocked() throws {
        #expect(throws: ClientFailure.self) { try VaultLocking().lock(VaultLocation(folder.path)) }
    }
}
