// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentProtocol
internal import SyncEngine
internal import VaultCore
internal import VaultFormat

internal import struct VaultFormat.DeviceID

extension OperationTable {
    static let devices: [any Handled.Type] = [
        ListDevices.self, RenameDevice.self, RetireDevice.self, PlanRevocation.self, PairDevice.self,
    ]
}

extension ListDevices: Handled {
    func run(in work: RequestContext) throws(VaultError) -> Outcome? {
        work.reply(try work.devices())
        return Outcome(.ok)
    }
}

extension RenameDevice: Handled {
    func run(in work: RequestContext) throws(VaultError) -> Outcome? {
        guard Self.isName(name) else {
            return Outcome(
                .usage,
                "a device's name has 1 to \(Self.nameByteCountMax) bytes, and is one line without spaces around",
                hint: "vault device rename laptop")
        }
        let list = try work.devices()
        let found: DeviceRow
        switch list.device(ref) {
        case .failure(let refusal): return refusal.outcome
        case .success(let row): found = row
        }
        guard !list.devices.contains(where: { $0.name == name && $0.device != found.device && !$0.isRetired }) else {
            return Outcome(
                .conflict, "another device is called '\(name)'", hint: "vault device ls; names must not look alike")
        }
        guard !found.name.isEmpty, let id = found.id else {
            return Outcome(
                .conflict, "this device has no name of its own yet", hint: "vault sync now there, and then here")
        }
        guard !work.store.isReadOnly else { throw VaultError(.readOnly, systemError: work.store.refusal) }
        if found.name != name { try work.store.devices.rename(id, to: name) }
        var reply = DeviceList()
        reply.devices = try work.devices().devices.filter { $0.device == found.device }
        work.reply(reply)
        return Outcome(.ok)
    }

    /// What can be typed again, and read on one line.
    private static let nameByteCountMax = 64

    private static func isName(_ name: String) -> Bool {
        guard (1...nameByteCountMax).contains(name.utf8.count), name.first != " ", name.last != " " else {
            return false
        }
        return name.unicodeScalars.allSatisfy { scalar in
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .unassigned, .privateUse: false
            default: true
            }
        }
    }
}

extension RetireDevice: Handled {
    func run(in work: RequestContext) throws(VaultError) -> Outcome? {
        let found: DeviceRow
        switch try work.otherDevice(ref) {
        case .failure(let refusal): return refusal.outcome
        case .success(let row): found = row
        }
        guard !work.store.isReadOnly else { throw VaultError(.readOnly, systemError: work.store.refusal) }
        for host in work.session.syncing.hosts {
            let chains = found.identifiers(in: host.name)
            if !chains.isEmpty { try host.retire(chains) }
        }
        // One that never said its name is in no list any more.
        var given = found
        (given.isRetired, given.isDormant) = (true, false)
        var reply = DeviceList()
        reply.devices = [try work.devices().devices.first { $0.device == found.device } ?? given]
        work.reply(reply)
        return Outcome(.ok)
    }
}

extension PlanRevocation: Handled {
    func run(in work: RequestContext) throws(VaultError) -> Outcome? {
        let found: DeviceRow
        switch try work.otherDevice(ref) {
        case .failure(let refusal): return refusal.outcome
        case .success(let row): found = row
        }
        if found.isRetired, !work.mayHavePresentKey(found) {
            return Outcome(
                .conflict, "this device was revoked: it does not have the vault's present key",
                hint: "if somebody there may know the password: vault rotate --new-password")
        }
        var reply = DeviceList()
        reply.devices = [found]
        work.reply(reply)
        return Outcome(.ok)
    }
}

extension PairDevice: Handled {
    func run(in work: RequestContext) throws(VaultError) -> Outcome? {
        switch try work.host(named: name) {
        case .failure(let refusal): return refusal.outcome
        case .success(let found): return work.start(PairJob(found.host))
        }
    }
}

/// `NoDevice` says why no device is meant.
struct NoDevice: Error { let outcome: Outcome }

extension DeviceRow {
    /// Returns the names under which the device speaks in a remote.
    func identifiers(in remote: String) -> [Identifier] {
        chains.filter { $0.remote == remote }.compactMap { Identifier(hex: $0.chain) }
    }

    fileprivate var id: DeviceID? { Identifier(hex: device).flatMap { try? DeviceID($0.bytes) } }

    /// Returns whether characters are the end of its identifier, or the beginning of a name that it has in a remote, as
    /// `sync status` shows it.
    fileprivate func isNamed(by digits: String) -> Bool {
        (digits.utf8.count >= 4 && device.hasSuffix(digits))
            || (digits.utf8.count >= 6 && chains.contains { $0.chain.hasPrefix(digits) })
    }
}

extension DeviceList {
    /// Returns the device that is meant: by its name, or by characters of its identifier.
    ///
    /// - Parameter ref: empty for this device.
    fileprivate func device(_ ref: String) -> Result<DeviceRow, NoDevice> {
        // A whole identifier means its device, whatever another one is called.
        if let exact = devices.first(where: { $0.device == ref.lowercased() }) { return .success(exact) }
        // A device that was given another one's characters as its name does not take that one's place.
        var found = devices.filter { ref.isEmpty ? $0.isThis : $0.name == ref || $0.isNamed(by: ref.lowercased()) }
        // What was given up already is hardly meant where another one has its name.
        if found.count > 1, found.contains(where: { !$0.isRetired }) { found.removeAll(where: \.isRetired) }
        guard found.count < 2 else {
            var outcome = Outcome(
                .ambiguous, "\(found.count) devices have that name", hint: "name one by its last characters")
            outcome.candidates = found.prefix(10).map {
                Outcome.Candidate(id: String($0.device.suffix(6)), title: $0.name)
            }
            return .failure(NoDevice(outcome: outcome))
        }
        guard let one = found.first else {
            return .failure(
                NoDevice(outcome: Outcome(.notFound, "there is no device '\(ref)'", hint: "vault device ls")))
        }
        return .success(one)
    }
}

extension RequestContext {
    /// Returns the device that is to be given up.
    func otherDevice(_ ref: String) throws(VaultError) -> Result<DeviceRow, NoDevice> {
        let found: DeviceRow
        switch try devices().device(ref) {
        case .failure(let refusal): return .failure(refusal)
        case .success(let row): found = row
        }
        guard !found.isThis else {
            return .failure(
                NoDevice(
                    outcome: Outcome(
                        .conflict, "this is the device itself; run this on another one",
                        hint: "vault remote rm forgets the remote here")))
        }
        guard !found.chains.isEmpty else {
            return .failure(
                NoDevice(
                    outcome: Outcome(
                        .notFound, "no remote of this vault knows this device, so no remote keeps data for it",
                        hint: "vault device ls")))
        }
        return .success(found)
    }

    /// Returns whether a device has spoken under the vault's present key.
    fileprivate func mayHavePresentKey(_ device: DeviceRow) -> Bool {
        session.syncing.hosts.contains { host in
            host.isBehind
                || device.identifiers(in: host.name).contains { host.engine.state.chains[$0]?.epoch == host.epoch }
        }
    }

    /// Returns the vault's devices, as far as they are known.
    fileprivate func devices() throws(VaultError) -> DeviceList {
        session.syncing.load()
        return try DeviceList(session.syncing.hosts, store)
    }
}
