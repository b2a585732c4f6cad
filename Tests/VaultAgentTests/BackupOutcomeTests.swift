// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import AgentProtocol
import Testing
import VaultFormat

@testable import VaultAgent
@testable import VaultCore

/// How commands on backups end.
struct BackupOutcomeTests {
    @Test func aPruneBehindADamagedNewestSnapshotDoesNotEndWithSuccess() {
        var pruned = BackupPrune.Pruned()
        #expect(BackupOutcome.ofPruned(pruned).code == .ok)
        pruned.newestIsDamaged = true
        #expect(BackupOutcome.ofPruned(pruned).code == .doneWithLosses)
        pruned.newestWhole = SnapshotName("20261121T120000Z-0123abcd")
        let outcome = BackupOutcome.ofPruned(pruned)
        #expect(outcome.code == .doneWithLosses && outcome.message.contains("20261121T120000Z-0123abcd"))
    }
}
