// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import AgentProtocol
import Testing
import VaultFormat

@testable import SyncEngine
@testable import VaultAgent
@testable import VaultCore

import struct SyncEngine.Digest

/// What a pairing code has named, against what the remote shows.
@Suite struct PairingWatchTests {
    private let other = Identifier(high: 7, low: 7)

    private func watch(_ number: UInt64, _ digest: UInt64) throws -> PairingWatch {
        PairingWatch(
            try PairedPoint(
                epoch: 1, device: VaultFormat.DeviceID(other.bytes), number: number, digest: self.digest(digest).bytes))
    }

    private func digest(_ word: UInt64) -> Digest { Digest(word, word, word, word) }

    private func state(_ number: UInt64, _ digest: UInt64, epoch: UInt32 = 1) -> SyncState {
        var state = SyncState(device: Identifier(high: 1, low: 1), epoch: epoch, isFirst: true)
        state.chains[other] = SyncState.Chain(seen: Mark(number: number, digest: self.digest(digest)), epoch: epoch)
        return state
    }

    @Test func M06anotherSegmentUnderTheNamedNumberIsRefusedBeforeItIsTakenOver() throws {
        let watch = try watch(5, 1)
        try watch.look(at: other, 4, state(4, 9))
        try watch.look(at: Identifier(high: 8, low: 8), 5, state(5, 9))
        #expect(!watch.isContradicted)
        let failure = #expect(throws: VaultError.self) { try watch.look(at: other, 5, state(5, 9)) }
        #expect(failure?.code == .integrity && watch.isContradicted)
        #expect(!watch.isMet(state(6, 3)), "nor does more of that chain make it right")
        #expect(watch.refusal(state(6, 3), "home")?.code == .integrity)
    }

    @Test func M06aCodeIsMetByItsSegmentAndByWhatComesAfterIt() throws {
        let watch = try watch(5, 1)
        #expect(!watch.isMet(state(4, 1)))
        #expect(watch.refusal(state(4, 1), "home")?.code == .failSafe)
        try watch.look(at: other, 5, state(5, 1))
        #expect(watch.isMet(state(5, 1)) && watch.isMet(state(6, 9)))
        #expect(watch.refusal(state(5, 1), "home") == nil)
    }

    /// A segment that says all that was true passes numbers without reading them.
    @Test func M06aMarkOfAnotherSegmentUnderTheNamedNumberMeetsNothing() throws {
        #expect(try !watch(5, 1).isMet(state(5, 9)))
    }

    @Test func aLaterEpochHasSaidAllThatWasTrueBefore() throws {
        #expect(try watch(5, 1).isMet(state(0, 0, epoch: 2)))
    }
}
