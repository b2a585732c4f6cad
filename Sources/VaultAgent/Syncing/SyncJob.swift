// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentProtocol
internal import SyncEngine
internal import SyncProtocol
internal import VaultCore

/// `SyncJob` serves `vault sync now`: waits until nothing is left to be read or sent. The loop does the work, as it
/// does without anybody who waits.
final class SyncJob: Job {
    private let store: OpenVault
    private let hosts: [SyncHost]
    private var shown = (received: -1, sent: -1)
    /// What each had read and sent before.
    private let before: [String: (received: Int, sent: Int)]

    init(_ store: OpenVault, _ hosts: [SyncHost], acceptsRemovals: Bool, speaksFirst: Bool = false) {
        self.store = store
        self.hosts = hosts
        before = Dictionary(uniqueKeysWithValues: hosts.map { ($0.name, ($0.receivedCount, $0.sentCount)) })
        for host in hosts {
            if acceptsRemovals { host.allowRemovals() }
            host.begin()
            if speaksFirst { host.wantsToSpeakFirst = true }
        }
    }

    var isWaiting: Bool { true }

    func step(_ connection: Connection) -> Outcome? {
        guard !hosts.contains(where: \.isRunning) else {
            let now = hosts.reduce((received: 0, sent: 0)) { ($0.received + $1.receivedCount, $0.sent + $1.sentCount) }
            if now != shown {
                shown = now
                let done = UInt64(clamping: now.received + now.sent)
                connection.send(.progress, Progress(label: "syncing", done: done, total: 0).encoded)
            }
            return nil
        }
        // What its owner asked for and did not come about is not done later, unasked.
        for host in hosts { host.wantsToSpeakFirst = false }
        do throws(VaultError) { connection.reply(try report()) } catch { return error.outcome }
        return Self.ending(of: hosts)
    }

    /// Returns the report with what this time was read and sent alone.
    private func report() throws(VaultError) -> SyncReport {
        var report = try SyncReport(hosts, store)
        report.remotes.removeAll { before[$0.remote.name] == nil }
        for index in report.remotes.indices {
            guard let (received, sent) = before[report.remotes[index].remote.name] else { continue }
            report.remotes[index].receivedCount -= received
            report.remotes[index].sentCount -= sent
        }
        return report
    }

    /// Says how a round over each of these has ended.
    static func ending(of hosts: [SyncHost]) -> Outcome {
        for host in hosts {
            if host.pairing.isContradicted { return PairingRefusal.otherSegment.outcome }
            if let failure = host.failure { return failure.outcome }
            if host.store.isReadOnly { return VaultError(.readOnly, systemError: host.store.refusal).outcome }
            if host.store.isRotating {
                return Outcome(
                    .conflict, "the vault is being re-encrypted; the remotes are synced after that",
                    hint: "vault rotate --resume waits until it ends")
            }
            if host.problems.contains(.endedElsewhere) {
                return Outcome(
                    .conflict, "another device has changed the vault's key; nothing is sent under the old key",
                    hint: "vault sync follow adopts it")
            }
            if host.problems.contains(.rotated) {
                return Outcome(
                    .conflict, "the vault's key was changed, and the remote '\(host.name)' still has the old one",
                    hint: "vault remote rm \(host.name), then vault remote add with an empty place; other devices are "
                        + "cloned again")
            }
            if let failure = host.link.failure { return failure.outcome(of: host.name) }
            // What is held for its owner's word holds up what a code has named.
            let isHeld = host.alarms.contains { if case .massChange = $0 { true } else { false } }
            if !isHeld, let refusal = host.pairing.refusal(host.engine.state, host.name) { return refusal }
            if let alarm = host.withheld.first {
                return Outcome(
                    .integrity,
                    "your remotes show different things: '\(host.name)' withholds from this device what another one has "
                        + "stored there, as '\(alarm.other)' says",
                    hint: "nothing is lost, and what '\(alarm.other)' shows is taken over; do not trust '\(host.name)'")
            }
            guard host.engine.state.isWhole else {
                return Outcome(
                    .conflict,
                    "the device that changed the vault's key has not sent everything yet, and nothing is sent until it has",
                    hint: "vault sync now there; if it is lost: vault sync now --speak-first")
            }
            guard host.isSynced else {
                return Outcome(
                    .network,
                    "not everything was sent to the remote '\(host.name)' or read from it; what was changed here is "
                        + "safe on this machine",
                    hint: "vault sync status shows the reason; vault sync now tries again")
            }
        }
        return Outcome(.ok)
    }
}

extension StoreFailure {
    /// Says how a request ends that this has kept from its end.
    func outcome(of name: String) -> Outcome {
        Outcome(
            code == .local ? .other : .network, "the remote '\(name)': \(words); everything is safe on this machine",
            hint: hint(of: name))
    }

    private func hint(of name: String) -> String {
        switch code {
        case .missing: "is it mounted? vault remote test \(name)"
        case .unauthorized: "vault remote set \(name) --user USER asks for the current password"
        case .refused:
            "vault remote set \(name) --user USER asks for the current password; if files cannot be removed: vault remote set \(name) --append-only"
        case .clock: "set this machine's clock"
        case .signedOut: "vault remote login \(name)"
        case .noProgram: "install rclone 1.75.1 or newer (https://rclone.org/install/), then vault remote test \(name)"
        case .local: "vault doctor"
        default: "it is retried automatically while the vault is unlocked; vault remote test \(name)"
        }
    }
}
