// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentProtocol
internal import SyncEngine
internal import SyncProtocol
internal import VaultCore
internal import VaultFormat

extension RemoteRow {
    init(_ stored: StoredRemote) {
        self.init()
        (name, made, synced) = (stored.name, stored.made, stored.synced)
        guard let settings = try? RemoteSettings(parsing: stored.settings) else { return }
        (place, isPaused) = (settings.words.place, settings.isPaused)
        kind =
            switch settings.place {
            case .folder: .folder
            case .webDAV: .webDAV
            case .s3: .s3
            case .dropbox: .dropbox
            case .rclone: .rclone
            }
        isAppendOnly = settings.isAppendOnly
        signInEnds = settings.signInEnds
    }
}

extension SyncReport {
    /// Makes the report about all remotes of the vault.
    ///
    /// - Throws: `VaultError.integrity`.
    init(_ hosts: [SyncHost], _ store: OpenVault) throws(VaultError) {
        self.init()
        joinedCount = hosts.reduce(0) { $0 + $1.joining.joinedCount }
        for row in try store.remotes.stored() {
            var synced = SyncedRemote()
            synced.remote = RemoteRow(row)
            if let host = hosts.first(where: { $0.name == row.name }) {
                synced.take(host, row)
                // What was written a moment ago is told a moment later.
                synced.pendingCount += try store.remotes.newCount(over: row.name)
            }
            remotes.append(synced)
        }
    }
}

extension SyncedRemote {
    fileprivate mutating func take(_ host: SyncHost, _ row: StoredRemote) {
        let state = host.engine.state
        remote.synced = max(remote.synced, host.synced)
        (receivedCount, sentCount) = (host.receivedCount, host.sentCount)
        pendingCount = Int(clamping: row.position - min(row.position, state.sentThrough))
        let own = SyncedDevice(state.device.hex, number: state.own.number, hash: state.own.shortHash, isThis: true)
        let awaited = state.awaited
        // Of the epoch before only who has not come over is of interest.
        let chains = state.chains.filter { $0.value.epoch == state.epoch || awaited.contains($0.key) }
        let others = chains.map { device, chain in
            var synced = SyncedDevice(
                device.hex, number: chain.seen.number, hash: chain.seen.shortHash,
                isRetired: state.retired.contains(device))
            synced.isAwaited = awaited.contains(device)
            return synced
        }
        devices = ([own] + others).sorted { $0.device < $1.device }
        isRunning = host.isRunning
        failure = host.link.failure?.words ?? ""
        let problems = host.problems.sorted { $0.rawValue < $1.rawValue }
        alarms = host.alarms.map(SyncAlarm.init) + problems.map(SyncAlarm.init)
        alarms += host.withheld
        if host.hasTakenKeys { alarms.append(SyncAlarm(.newKeys)) }
        if host.keepsUnfitKeys { alarms.append(SyncAlarm(.keyNeedsMemory)) }
        // Only a remote that has answered shows that something is missing.
        let hasAnswered = !host.isRunning && host.link.failure == nil && host.link.answeredCount > 0
        if hasAnswered, !state.isWhole, problems.isEmpty { alarms.append(SyncAlarm(.notWhole)) }
        if hasAnswered, !host.pairing.isMet(state) { alarms.append(SyncAlarm(.olderThanCode)) }
    }
}

extension SyncAlarm {
    init(_ alarm: Alarm) {
        switch alarm {
        case .forked(let device): self.init(Kind.forked, device: device.hex)
        case .setBack: self.init(Kind.setBack)
        case .hidden(let device): self.init(Kind.hidden, device: device.hex)
        case .lost: self.init(Kind.lost)
        case .unreadable(let place): self.init(Kind.unreadable, device: place.device.hex)
        case .massChange(let device, let count): self.init(Kind.massChange, device: device.hex, count: count)
        }
    }

    init(_ problem: SyncProblem) {
        switch problem {
        case .rotated: self.init(Kind.rotated)
        case .endedElsewhere: self.init(Kind.endedElsewhere)
        case .newerFormat: self.init(Kind.newerFormat)
        case .malformed: self.init(Kind.malformed)
        case .endedTwice: self.init(Kind.endedTwice)
        }
    }
}

extension Mark {
    fileprivate var shortHash: String {
        number == 0 ? "" : digest.bytes.prefix(3).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}

extension Identifier {
    /// 32 hexadecimal digits.
    var hex: String { bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() }
}

extension StoreFailure {
    /// What went wrong, for people; nothing of it is the store's own words.
    var words: String {
        switch code {
        case .absent: "it is not there"
        case .missing: "the folder or bucket is not there"
        case .unauthorized: "the remote does not accept the password"
        case .refused: "the remote refused the request"
        case .unreachable: "the remote cannot be reached"
        case .timedOut: "the remote did not answer in time"
        case .quota: "the remote has no room left"
        case .tooLarge: "the remote's answer is too large"
        case .redirected: "the remote redirects elsewhere, which is not followed"
        case .throttled: "the remote asks to wait before the next request"
        case .failing: "the remote reported an internal error"
        case .untrusted: "the remote's certificate is not trusted"
        case .malformed: "the remote's answer is not valid"
        case .clock: "the remote says that this machine's clock is wrong"
        case .unsupported: "the remote does not support that"
        case .local: "vault-sync cannot be started, or a file cannot be read"
        case .signedOut: "the remote no longer accepts this device"
        case .noProgram where detail == 1: "rclone is older than 1.75.1"
        case .noProgram: "rclone cannot be started, or has ended"
        }
    }
}
