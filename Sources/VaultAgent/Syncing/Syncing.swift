// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentProtocol
internal import SyncProtocol
internal import VaultCore

/// `Syncing` syncs an open vault over all of its remotes, for a client that asks, and by itself while the agent stays:
/// soon after a change, and now and then to see what others have written. It never keeps anybody from the notes.
final class Syncing {
    private let surroundings: SyncSurroundings
    private var store: OpenVault?
    private(set) var hosts: [SyncHost] = []
    /// Why nothing is synced over a remote, by its name.
    private(set) var refusals: [String: Outcome] = [:]
    /// Whether it syncs by itself.
    private var isAutomatic = false
    private var timing: [String: SyncTiming] = [:]
    private var transactionsSeen: UInt64?
    /// Whether somebody changes passwords or keys at this moment; the session sets it.
    var areKeysBusy: () -> Bool = { false }
    /// A note's password was changed here, of which no entry tells yet.
    private var hasNewPasswords = false
    /// Told when a round has ended; the session sets it.
    var roundEnded: () -> Void = {}

    init(_ surroundings: SyncSurroundings = .processes) { self.surroundings = surroundings }

    /// Begins with a vault that was opened.
    ///
    /// - Parameter isAutomatic: the agent stays.
    func begin(_ store: OpenVault, isAutomatic: Bool) {
        end()
        (self.store, self.isAutomatic) = (store, isAutomatic)
        // Without a remote nothing of this is ever looked at again.
        guard isAutomatic else { return }
        load()
    }

    /// Reads which remotes there are: they were added or removed, or nobody has looked yet.
    ///
    /// - Parameter newborn: the name of a remote that was added just now, for which this vault has a device of its own.
    func load(newborn: String? = nil) {
        guard let store else { return }
        let rows = (try? store.remotes.stored()) ?? []
        refusals = [:]
        // Nothing is told as a device that this vault may not be any more.
        if hosts.isEmpty {
            do throws(VaultError) { try store.devices.settleIdentity() } catch {
                for row in rows { refusals[row.name] = error.outcome }
                return
            }
        }
        for host in hosts where !rows.contains(where: { $0.name == host.name }) { host.end() }
        hosts.removeAll { host in !rows.contains { $0.name == host.name } }
        for row in rows where !hosts.contains(where: { $0.name == row.name }) {
            do throws(VaultError) {
                guard let host = try SyncHost(store, row, surroundings, isNewborn: row.name == newborn) else {
                    refusals[row.name] = Outcome(
                        .conflict, "the remote '\(row.name)' belongs to the vault that this one is a copy of",
                        hint: "vault remote rm \(row.name), then vault remote add")
                    continue
                }
                begin(host)
            } catch { refusals[row.name] = error.outcome }
        }
    }

    /// Begins a remote that was changed again, with what its row says now.
    func reload(_ name: String) {
        for host in hosts where host.name == name { host.end() }
        hosts.removeAll { $0.name == name }
        timing[name] = nil
        load()
    }

    private func begin(_ host: SyncHost) {
        let name = host.name
        host.areKeysBusy = areKeysBusy
        host.siblings = { [unowned self, unowned host] in hosts.filter { $0 !== host } }
        host.objects.whenArrived = { [unowned self, unowned host] note in
            for other in hosts where other !== host { other.objects.cameElsewhere(note) }
        }
        hosts.append(host)
        timing[name] = SyncTiming(now: BootClock.seconds)
        guard isAutomatic else { return }
        host.link.whenChanged = { [unowned self] in timing[name]?.heard(BootClock.seconds) }
    }

    /// Replaces all hosts when the vault has another key: what has the one of before is of no use any more.
    private func replaceHosts() {
        for host in hosts { host.end() }
        hosts = []
        load()
    }

    /// Ends all hosts, which let go of their keys: the vault is being closed.
    func end() {
        for host in hosts { host.end() }
        (hosts, timing, store, transactionsSeen) = ([], [:], nil, nil)
        refusals = [:]
    }

    // MARK: The loop

    /// Links of remotes that are being tried.
    private var watched: [any StoreLink] = []
    func watch(_ link: any StoreLink) { watched.append(link) }
    func unwatch(_ link: any StoreLink) { watched.removeAll { $0 === link } }

    /// Records that a note's password was set, changed or removed: other devices are to hear of it soon.
    func passwordsChanged() { (hasNewPasswords, transactionsSeen) = (true, nil) }

    /// Readable when there is something to be done.
    var descriptors: [Int32] { (hosts.map(\.link) + watched).compactMap(\.descriptor) }
    var hasWork: Bool { hosts.contains(where: \.hasWork) }

    /// Returns the seconds until something is to be done without being asked; nil when nothing is.
    func secondsLeft(now: Double) -> Double? {
        let held = hosts.compactMap(\.secondsHeldOn)
        guard isAutomatic else { return held.min() }
        let due = hosts.filter { !$0.isRunning && !$0.isBlocked }
            .compactMap { timing[$0.name]?.secondsLeft(now: now) }
        return (held + due).min()
    }

    /// Does a little for each remote.
    ///
    /// - Returns: whether something was perhaps written.
    func step() -> Bool {
        guard !hosts.isEmpty else { return false }
        if let store, hosts.contains(where: { $0.epoch != store.header.epoch }) { replaceHosts() }
        let now = BootClock.seconds
        if isAutomatic { beginWhatIsDue(now) }
        var hasWritten = false
        for host in hosts {
            let wasRunning = host.isRunning
            if host.step() { hasWritten = true }
            guard wasRunning, !host.isRunning else { continue }
            timing[host.name]?.ended(host.link.failure, isTold: host.isTold, BootClock.seconds)
            roundEnded()
            // A client that waits for the end hears of it at once.
            BackgroundWake.ring()
        }
        return hasWritten
    }

    private func beginWhatIsDue(_ now: Double) {
        if let store, transactionsSeen != store.checks.transactionCount {
            transactionsSeen = store.checks.transactionCount
            for host in hosts
            where hasNewPasswords || host.hasUntoldKeys || (try? store.remotes.hasNew(over: host.name)) == true {
                timing[host.name]?.changed(now)
            }
            hasNewPasswords = false
        }
        for host in hosts
        where !host.isRunning && !host.isBlocked && timing[host.name]?.secondsLeft(now: now) == 0 {
            if let round = timing[host.name]?.begin(now) { host.begin(round) }
        }
    }
}
