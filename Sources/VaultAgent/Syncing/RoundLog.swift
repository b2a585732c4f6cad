// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentProtocol
internal import SyncEngine
internal import SyncProtocol
internal import VaultCore

/// `RoundLog` gathers what one round of syncing did, and writes it down at its end. A round that did nothing writes
/// nothing, and a remote that stays out of reach is named once.
struct RoundLog {
    private let remote: String
    private var received: [Identifier: Int] = [:]
    private var joined = 0
    private var sent = 0
    /// What was sealed in rounds in which the remote failed: it is told once it is there.
    private var owed = 0
    private var forked: Int?
    private var alarms: [SyncAlarm] = []
    private var failure: StoreFailure.Code?

    init(_ remote: String) { self.remote = remote }

    mutating func took(_ count: Int, of device: Identifier) { if count > 0 { received[device, default: 0] += count } }

    mutating func raised(_ alarm: SyncAlarm) { alarms.append(alarm) }

    /// Begins a round.
    ///
    /// - Parameter forked: how many notes have several versions.
    mutating func begin(forked: Int?, joined: Int, sent: Int) {
        (self.forked, self.joined, self.sent) = (forked, joined, sent - owed)
    }

    /// Returns the lines of a round that has ended, and begins to gather anew.
    ///
    /// - Parameters:
    ///   - joined: notes that were joined since the vault was opened; `sent` changes likewise.
    mutating func end(forked: Int?, joined: Int, sent: Int, _ failure: StoreFailure?) -> [SyncLine] {
        var lines = received.sorted { $0.key < $1.key }.map { device, count in
            SyncLine(.received, over: remote, device: device.bytes, count: count)
        }
        owed = failure == nil ? 0 : sent - self.sent
        if owed == 0, sent > self.sent { lines.append(SyncLine(.sent, over: remote, count: sent - self.sent)) }
        if joined > self.joined { lines.append(SyncLine(.joined, over: remote, count: joined - self.joined)) }
        if let before = self.forked, let forked, forked > before {
            lines.append(SyncLine(.conflict, over: remote, count: forked - before))
        }
        lines += alarms.map { alarm in
            SyncLine(
                .alarm, over: remote, detail: alarm.kind.rawValue, device: Identifier(hex: alarm.device)?.bytes ?? [],
                count: alarm.count)
        }
        if let code = failure?.code, code != self.failure {
            lines.append(SyncLine(.failed, over: remote, detail: code.rawValue))
        }
        self.failure = failure?.code
        (received, alarms) = ([:], [])
        return lines
    }
}
