// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentProtocol
internal import SecretMemory
internal import SyncEngine
internal import SyncProtocol
internal import VaultCore
internal import VaultFormat

extension OperationTable {
    static let syncUpkeep: [any Handled.Type] = [
        CompareSync.self, PauseRemote.self, SetRemote.self, VerifyRemote.self, ShowSyncLog.self,
    ]
}

extension CompareSync: Handled {
    func run(in work: RequestContext) throws(VaultError) -> Outcome? {
        guard try !work.store.remotes.stored().isEmpty else { return RequestContext.noRemote }
        work.session.syncing.load()
        var given: [(text: String, point: ReadPoint)] = []
        for text in points {
            guard let point = ReadPoint(text) else {
                return Outcome(
                    .usage, "'\(text)' is not DEVICE:NUMBER:HASH", hint: "type what vault sync compare prints there")
            }
            given.append((text, point))
        }
        var reply = ComparedSync()
        let report = try SyncReport(work.session.syncing.hosts, work.store)
        for synced in report.remotes {
            for device in synced.devices where !device.isRetired && device.number > 0 {
                var point = SyncPoint()
                (point.remote, point.device) = (synced.remote.name, device)
                reply.points.append(point)
            }
        }
        // A device that was given up may still be followed on the other screen.
        let known = report.remotes.flatMap(\.devices)
        reply.compared = given.map { text, point in ComparedPoint(point: text, verdict: point.verdict(known)) }
        work.reply(reply)
        guard let wrong = reply.compared.first(where: { $0.verdict == .different }) else { return Outcome(.ok) }
        return Outcome(
            .integrity,
            "your remote shows your devices different data: '\(wrong.point)' was said there, and here that number "
                + "is another",
            hint: "keep both as they are, and add another remote that you trust")
    }
}

/// A `ReadPoint` is what somebody read off another device's screen.
private struct ReadPoint {
    let device: String
    let number: UInt64
    let hash: String

    /// Reads `DEVICE:NUMBER:HASH`; nil for anything else.
    init?(_ text: String) {
        let parts = text.lowercased().split(separator: ":", omittingEmptySubsequences: false).map(String.init)
        let isHex = { (text: String) in
            text.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
        }
        guard parts.count == 3, (6...32).contains(parts[0].utf8.count), isHex(parts[0]), let number = UInt64(parts[1]),
            number > 0, parts[2].utf8.count == 6, isHex(parts[2])
        else { return nil }
        (device, self.number, hash) = (parts[0], number, parts[2])
    }

    /// Compares it with what is known here. Only equal numbers say anything: a lower one is only late.
    func verdict(_ known: [SyncedDevice]) -> ComparedPoint.Verdict {
        let meant = known.filter { $0.device.hasPrefix(device) }
        if meant.contains(where: { $0.number == number && $0.hash == hash }) { return .same }
        // Of two that begin alike nobody knows which one was read off.
        guard let one = meant.first, one.number > 0, meant.allSatisfy({ $0.device == one.device }) else {
            return .unknown
        }
        guard one.number != number else { return .different }
        return one.number > number ? .otherIsBehind : .otherIsAhead
    }
}

extension PauseRemote: Handled {
    func run(in work: RequestContext) throws(VaultError) -> Outcome? {
        let row: StoredRemote
        switch try work.remote(named: name) {
        case .failure(let refusal): return refusal.outcome
        case .success(let found): row = found
        }
        guard var settings = try? RemoteSettings(parsing: row.settings) else { throw VaultError(.newerFormat) }
        if settings.isPaused != isPaused {
            guard !work.store.isReadOnly else { throw VaultError(.readOnly, systemError: work.store.refusal) }
            settings.isPaused = isPaused
            try work.store.remotes.change(row.name, settings: settings.encoded)
            work.session.syncing.reload(row.name)
        }
        var reply = RemoteList()
        reply.remotes = try work.store.remotes.stored().filter { $0.name == row.name }.map(RemoteRow.init)
        work.reply(reply)
        return Outcome(.ok)
    }
}

extension SetRemote: Handled {
    func run(in work: RequestContext) throws(VaultError) -> Outcome? {
        let row: StoredRemote
        switch try checked(work) {
        case .failure(let refusal): return refusal.outcome
        case .success(let found): row = found
        }
        guard !newName.isEmpty || appendOnly != 0 else {
            return Outcome(
                .usage, "nothing to change was given",
                hint: "vault remote set NAME --name NEW, --user USER, or --append-only")
        }
        guard var settings = try? RemoteSettings(parsing: row.settings) else { throw VaultError(.newerFormat) }
        if appendOnly != 0 { settings.isAppendOnly = appendOnly == 2 }
        let name = newName.isEmpty || newName == row.name ? nil : newName
        do throws(VaultError) {
            try work.store.remotes.change(row.name, name: name, settings: settings.encoded)
        } catch {
            return error.code == .exists ? AddRemote.isTaken(newName) : error.outcome
        }
        work.session.syncing.reload(row.name)
        var reply = TriedRemote()
        if let changed = try work.store.remotes.stored().first(where: { $0.name == name ?? row.name }) {
            reply.remote = RemoteRow(changed)
        }
        work.reply(reply)
        return Outcome(.ok)
    }

    func run(in work: RequestContext, secret: consuming SecretBytes) throws(VaultError) -> Outcome? {
        let row: StoredRemote
        switch try checked(work) {
        case .failure(let refusal): return refusal.outcome
        case .success(let found): row = found
        }
        guard let settings = try? RemoteSettings(parsing: row.settings) else { throw VaultError(.newerFormat) }
        if case .folder = settings.place {
            return Outcome(.usage, "a folder needs no password", hint: "vault remote set NAME --name NEW")
        }
        guard let credential = work.connection.credential(secret, for: settings.place, signsIn: signsIn) else {
            return .noSignIn
        }
        return work.start(ProbeJob(setting: self, row, settings, credential, work))
    }

    private func checked(_ work: RequestContext) throws(VaultError) -> Result<StoredRemote, NoRemote> {
        let found = try work.remote(named: name)
        guard case .success = found else { return found }
        guard !work.store.isReadOnly else { throw VaultError(.readOnly, systemError: work.store.refusal) }
        guard newName.isEmpty || AddRemote.isName(newName) else {
            return .failure(NoRemote(outcome: AddRemote.isNoName(hint: "vault remote set NAME --name home")))
        }
        return found
    }
}

extension VerifyRemote: Handled {
    func run(in work: RequestContext) throws(VaultError) -> Outcome? {
        let repairs = repairs
        switch try work.host(named: name) {
        case .failure(let refusal): return refusal.outcome
        case .success(let found):
            return work.start(
                AfterSync([found.host], unless: \.refusalOfVerifying) { () throws(VaultError) in
                    try VerifyJob(found.host, found.row, repairs: repairs, work)
                })
        }
    }
}

extension SyncHost {
    /// Says why it cannot be told what the remote should have: what is still on its way is not there yet, and nothing
    /// is wrong with that.
    fileprivate var refusalOfVerifying: Outcome? {
        if let failure { return failure.outcome }
        if let failure = link.failure { return failure.outcome(of: name) }
        let isUntold = (try? store.remotes.hasUntold(over: name)) ?? true
        guard engine.isIdle, !isBehind, !isUntold, !hasUntoldKeys || keepsUnfitKeys else {
            return Outcome(
                .conflict, "not everything was sent to the remote '\(name)' yet",
                hint: "vault sync status shows the reason")
        }
        return nil
    }
}

extension ShowSyncLog: Handled {
    func run(in work: RequestContext) throws(VaultError) -> Outcome? {
        let names = try work.store.devices.known().reduce(into: [[UInt8]: String]()) { names, device in
            for chain in device.chains { names[chain.bytes] = device.name }
        }
        var reply = SyncLogLines()
        reply.lines = try work.store.syncLog.lines().suffix(Int(limit)).map { SyncLogLine($0, names) }
        work.reply(reply)
        return Outcome(.ok)
    }
}

extension SyncLogLine {
    fileprivate init(_ line: SyncLine, _ names: [[UInt8]: String]) {
        self.init()
        (made, remote, count) = (line.made, line.remote, line.count)
        let hex = line.device.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        device = names[line.device] ?? String(hex.prefix(6))
        switch line.kind {
        case .received: kind = .received
        case .sent: kind = .sent
        case .joined: kind = .joined
        case .conflict: kind = .conflict
        case .failed:
            kind = .failed
            failure = StoreFailure.Code(rawValue: line.detail).map { StoreFailure($0).words } ?? ""
        case .alarm:
            kind = .alarm
            alarm = SyncAlarm.Kind(rawValue: line.detail).map { SyncAlarm($0, device: hex, count: line.count) }
        }
    }
}
