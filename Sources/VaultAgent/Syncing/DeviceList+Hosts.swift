// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentProtocol
internal import SyncEngine
internal import VaultCore
internal import VaultFormat

extension DeviceList {
    /// Milliseconds of silence after which a device is asked about: 180 days.
    static let dormantAfter: Int64 = 180 * 86_400_000

    /// Returns whether a device was silent for too long; nobody says so of one that was never heard of.
    ///
    /// - Parameters:
    ///   - heard: in milliseconds since 1970, UTC, by its own clock, which may be ahead; 0 for never.
    ///   - now: by this machine's.
    static func isDormant(heard: Int64, now: Int64) -> Bool {
        let (silent, isOver) = now.subtractingReportingOverflow(heard)
        return heard > 0 && !isOver && silent > dormantAfter
    }

    /// Puts together what devices have said of themselves and what the remotes have shown of them.
    ///
    /// - Throws: `VaultError.integrity`.
    init(_ hosts: [SyncHost], _ store: OpenVault) throws(VaultError) {
        self.init()
        let (known, heard, own) = (try store.devices.known(), try store.devices.heard(), try store.devices.own)
        let left = Set(known.compactMap(\.origin))
        var named: Set<Identifier> = []
        for device in known {
            let isThis = device.device == own
            let speaking = Set(device.chains.compactMap { Identifier(hex: $0.hex) })
            named.formUnion(speaking)
            var row = DeviceRow(hosts, speaking, isThis: isThis, heard)
            (row.device, row.name, row.system) = (device.device.hex, device.name, device.system)
            // Another one has taken its place, and nothing of it is waited for.
            if left.contains(device.device), !isThis, row.chains.allSatisfy(\.isRetired) { continue }
            // It does not have the key that the others have had since, for long.
            if !isThis, row.chains.isEmpty, hosts.contains(where: \.hasLeftOthersBehind) { continue }
            devices.append(row)
        }
        let others = Set(hosts.flatMap { $0.engine.state.heard }).subtracting(named)
        for chain in others.sorted() {
            var row = DeviceRow(hosts, [chain], isThis: false, heard)
            row.device = chain.hex
            // Names of this device from before it was set back, and others that nobody follows any more.
            if !row.isRetired { devices.append(row) }
        }
    }
}

extension SyncHost {
    /// Whether who is not heard of in the remote has not come over since the key was changed.
    fileprivate var hasLeftOthersBehind: Bool { engine.state.epoch > 1 && engine.state.isWhole && !isBehind }
}

extension SyncState {
    /// Names under which somebody speaks in this epoch, or is waited for: of an ended one nobody else is of interest.
    fileprivate var heard: [Identifier] {
        let awaited = awaited
        return chains.filter { $0.value.epoch == epoch || awaited.contains($0.key) }.map(\.key)
    }
}

extension DeviceRow {
    /// Makes the row of a device from what is known of it over each remote.
    ///
    /// - Parameter speaking: the names under which the device speaks.
    fileprivate init(
        _ hosts: [SyncHost], _ speaking: Set<Identifier>, isThis: Bool, _ heard: [VaultFormat.DeviceID: Int64]
    ) {
        self.init()
        self.isThis = isThis
        for host in hosts {
            let state = host.engine.state
            if isThis { chains.append(DeviceChain(own: state, in: host.name)) }
            let others = state.chains.keys.filter { speaking.contains($0) }.sorted()
            chains += others.map { DeviceChain($0, state, in: host.name) }
        }
        isRetired = !isThis && !chains.isEmpty && chains.allSatisfy(\.isRetired)
        // What it was called before says nothing of it now.
        if !isRetired { chains.removeAll(where: \.isRetired) }
        guard !isThis else { return }
        let times = speaking.compactMap { chain in (try? VaultFormat.DeviceID(chain.bytes)).flatMap { heard[$0] } }
        self.heard = min(times.max() ?? 0, Machine.now)
        isDormant = !isRetired && DeviceList.isDormant(heard: self.heard, now: Machine.now)
    }
}

extension DeviceChain {
    fileprivate init(own state: SyncState, in remote: String) {
        self.init()
        (self.remote, chain) = (remote, state.device.hex)
        (number, hasRead, sent) = (state.own.number, state.own.number, state.own.number)
    }

    fileprivate init(_ device: Identifier, _ state: SyncState, in remote: String) {
        self.init()
        (self.remote, chain, sent) = (remote, device.hex, state.own.number)
        number = state.chains[device]?.seen.number ?? 0
        hasRead = state.chains[device]?.passed[state.device] ?? 0
        isRetired = state.retired.contains(device)
    }
}

extension Identifier {
    /// Reads 32 hexadecimal digits; nil for anything else.
    init?(hex: String) {
        guard hex.utf8.count == 32, let high = UInt64(hex.prefix(16), radix: 16),
            let low = UInt64(hex.suffix(16), radix: 16)
        else { return nil }
        self.init(high: high, low: low)
    }
}
