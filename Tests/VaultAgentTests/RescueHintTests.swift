// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import AgentProtocol
import Testing

@testable import VaultAgent
@testable import VaultCore

/// What the owner of an exchanged index types to have it back.
struct RescueHintTests {
    /// A program that carries the folder may replace what was put back, before anybody has opened it.
    @Test func whatWasSavedOfASharedFolderIsCopiedAndStays() {
        let shared = VaultError(.filesExchanged, found: 1, expected: 1178).outcome
        #expect(shared.hint.contains("cp -n index-1.rescued.1178 index-1.db; cp -n manifest.rescued.1178 manifest"))
        #expect(!shared.hint.contains("mv -n index-1.rescued"))
        let own = VaultError(.filesExchanged, found: 1, expected: 2).outcome
        #expect(own.hint.contains("mv -n index-1.rescued.2 index-1.db; mv -n manifest.rescued.2 manifest"))
    }
}
