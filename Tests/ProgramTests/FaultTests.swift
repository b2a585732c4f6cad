// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Foundation
import Testing

/// Every job with a fault at its steps: `make faults` walks through each one; here as many as fit into some seconds.
@Suite struct FaultTests {
    @Test func D01H10noFaultAtAnyStepOfAnyJobLosesAnything() throws {
        let finished = try Command.run(
            [Programs.path("vault-faults"), "--seconds", "16"], environment: ["TMPDIR": "/tmp"], seconds: 180)
        #expect(finished.code == 0, "\(finished.text)\(finished.err)")
        let jobs = finished.lines.filter { $0.contains(" steps, ") }
        #expect(jobs.count == 13)
        for job in jobs { #expect(!job.contains(" 0 faults injected"), "\(job)") }
    }

    /// NFS and most of FUSE have no flag for it.
    @Test func H12whereRenamingKnowsNoFlagsVaultsAreMadeAndRestoredAndNothingIsReplaced() throws {
        let finished = try Command.run(
            [Programs.path("vault-faults"), "--rename"], environment: ["TMPDIR": "/tmp"], seconds: 60)
        #expect(finished.code == 0, "\(finished.text)\(finished.err)")
        #expect(finished.lines.contains { $0.hasPrefix("rename: 2 ways, ") })
    }

    /// The small form of `make crash`.
    @Test func D01H10noStateThatAPowerCutMayLeaveLosesAnything() throws {
        let finished = try Command.run(
            [Programs.path("vault-faults"), "--power", "--seconds", "12"], environment: ["TMPDIR": "/tmp"], seconds: 180
        )
        #expect(finished.code == 0, "\(finished.text)\(finished.err)")
        let loads = finished.lines.filter { $0.contains(" calls, ") }
        #expect(loads.count == 4)
        for load in loads { #expect(!load.contains(" 0 states"), "\(load)") }
    }
}
