// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentProtocol
internal import SyncEngine

/// This extension keeps what the owner must hear.
extension SyncHost {
    func raise(_ alarm: Alarm) {
        // A new device has heard of nothing: what was removed before it came is no loss to it.
        if case .massChange(let device, _) = alarm, wasEmpty { return handle(.allow(device)) }
        guard !alarms.contains(alarm) else { return }
        alarms.append(alarm)
        log.raised(SyncAlarm(alarm))
    }

    /// Allows what a pull would remove, as the owner says.
    func allowRemovals() {
        for case .massChange(let device, _) in alarms { handle(.allow(device)) }
        alarms.removeAll { if case .massChange = $0 { true } else { false } }
    }

    func note(_ problem: SyncProblem) {
        if problems.insert(problem).inserted { log.raised(SyncAlarm(problem)) }
    }
    /// What the remote withholds, as other remotes show.
    var withheld: [SyncAlarm] {
        claims.withheld.sorted { ($0.key.remote, $0.value) < ($1.key.remote, $1.value) }.map { speaker, _ in
            // The device by its name in the remote that shows it: here it may have none.
            var alarm = SyncAlarm(.withheld, device: speaker.device.hex)
            alarm.other = speaker.remote
            return alarm
        }
    }

    func countSent(_ count: Int) { sentCount += count }
}
