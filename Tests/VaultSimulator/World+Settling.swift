// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import CSeededMachine
import SyncEngine
import SyncProtocol
import VaultFormat

@testable import VaultAgent
@testable import VaultCore

/// This extension ends all faults: everybody reads and speaks some more, and then all must have the same.
extension World {
    /// Rounds within which all must have met, and whatever is wrong must be told.
    private static let roundCount = 9

    func settle() throws {
        store.becomeFaultless()
        trace("the store is faultless")
        for round in 0..<Self.roundCount where failures.isEmpty {
            for device in devices where !device.isGone && failures.isEmpty {
                sm_wait(700_000)
                trace("round \(round) of device \(device.index)")
                if round % 2 == 0 { try device.reopen() } else if weather.privateNotes > 0 { try device.unlockAll() }
                device.host?.allowRemovals()
                sync(device)
                if try takeOver(device) { sync(device) }
                // Nobody but the owner can know of all that a store has lost.
                if round == 4, store.hasLied {
                    let outcome = try device.repair()
                    trace("device \(device.index) repairs: \(outcome.map { "\($0)" } ?? "no end")")
                }
            }
        }
        guard failures.isEmpty else { return }
        for device in devices where !device.isGone { isSettled(device) }
        let here = devices.filter { !$0.isGone }
        if weather.privateNotes > 0 { for device in here { try device.unlockAll() } }
        trace("all are compared")
        try compare(here.map { try Contents(of: $0.store) }, here.map(\.index))
        if failures.isEmpty, !store.hasLied {
            lookAtHeaders()
            try compareNewDevice()
        }
        count(here)
    }

    private func isSettled(_ device: Device) {
        guard let host = device.host else {
            return fail("device \(device.index) has no host: \(device.syncing.refusals)")
        }
        if !host.engine.isIdle { fail("device \(device.index) has not sent all") }
        if !host.engine.state.isWhole { fail("device \(device.index) has not read the whole state") }
        if let reason = host.link.failure { fail("device \(device.index) gets \(reason.code) of a faultless store") }
    }

    /// What a new device reads from the store alone is what all have.
    private func compareNewDevice() throws {
        guard let first = devices.first(where: { !$0.isGone }), try clone(), let new = devices.last else { return }
        for _ in 0..<5 {
            sm_wait(700_000)
            new.host?.allowRemovals()
            if weather.privateNotes > 0 { try new.unlockAll() }
            sync(new)
        }
        guard failures.isEmpty else { return }
        // It has said who it is, and the first one has not read that.
        sync(first)
        if weather.privateNotes > 0 { for device in [first, new] { try device.unlockAll() } }
        try compare([Contents(of: first.store), Contents(of: new.store)], [first.index, new.index])
    }

    /// What a removed key opens is of no use to anybody but a thief.
    private func lookAtHeaders() {
        let headers = (try? headers()) ?? []
        if headers.isEmpty { fail("the store has no header that a new device could begin with") }
        for header in headers where header.keyslots.contains(where: { removedSlots[$0.slotID] != nil }) {
            fail("the store has header \(header.counter), which a removed key opens")
        }
    }

    private func count(_ here: [Device]) {
        counts.runs = 1
        counts.requests = store.requestCount
        guard let store = here.first?.store else { return }
        counts.conflicts = (try? store.syncLog.forkedCount()) ?? 0
        counts.entries = Int((try? store.history.entryCount()) ?? 0)
    }

    // MARK: After each step

    /// Checks what must hold at every moment.
    func inspect(_ device: Device) {
        guard failures.isEmpty else { return }
        if let offence = store.offences.first { fail(offence) }
        let vault = device.store
        let (written, vouched) = (vault.recordedGeneration, vault.manifest.generation)
        let pinned = device.pins.pin(of: vault.header.identity)?.generation ?? 0
        if written < vouched || vouched < pinned {
            fail("device \(device.index): generation \(written), manifest \(vouched), pin \(pinned)")
        }
        guard let host = device.host else { return }
        if let failure = host.failure { fail("device \(device.index): its vault was not written: \(failure)") }
        for problem in host.problems { look(at: problem, device) }
        for alarm in host.alarms.dropFirst(device.seen.alarms) { look(at: alarm, device) }
        device.seen.alarms = host.alarms.count
        compareVector(of: host.engine.state, device)
    }

    private func look(at problem: SyncProblem, _ device: Device) {
        switch problem {
        case .endedElsewhere, .endedTwice:
            if weather.rotations == 0 { fail("device \(device.index) is told \(problem)") }
        case .rotated, .newerFormat, .malformed: fail("device \(device.index) is told \(problem)")
        }
    }

    private func look(at alarm: Alarm, _ device: Device) {
        trace("device \(device.index) raises \(alarm)")
        counts.alarms += 1
        switch alarm {
        case .massChange: if chance.isNow(500) { device.host?.allowRemovals() }
        // Whoever has put it so comes back and puts it whole, but not at once.
        case .unreadable: break
        case .forked, .setBack, .hidden, .lost:
            if !store.hasLied { fail("a false alarm on device \(device.index): \(alarm)") }
        }
    }

    private func compareVector(of state: SyncState, _ device: Device) {
        defer {
            device.seen.epoch = state.epoch
            device.seen.own = state.device
            device.seen.chains = state.chains.mapValues(\.seen.number)
            device.seen.ownNumber = state.own.number
        }
        guard device.seen.epoch == state.epoch, device.seen.own == state.device, state.forked.isEmpty else { return }
        if state.own.number < device.seen.ownNumber { fail("device \(device.index) has said less than before") }
        for (other, number) in device.seen.chains where state.chains[other]?.seen.number ?? 0 < number {
            fail("device \(device.index) has read less of \(other.hex) than before")
        }
    }
}
