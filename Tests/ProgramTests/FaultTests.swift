// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Foundation
import Testing

/// Every job with a fault at its steps: `make faults` walks through each one; here as many as fit into some seconds.
@Suite struct FaultTests {
    @Test func D01H10noFaultAtAnyStepOfAnyJobLosesAnything() throws {
        let finished = try Command.run([Programs.path("vault-faults"), "--seconds", "16"], environment: ["TMPDIR": "/tmp"], seconds: 180)
        #expect(finished.code == 0, "\(finished.text)\(finished.err)")
        let jobs = finished.lines.filter { $0.contains(" steps, ") }
        #expect(jobs.count == 12)
        for job in jobs { #expect(!job.contains(" 0 faults injected"), "\(job)") }
    }
}
