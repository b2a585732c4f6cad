// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import GRDB
internal import VaultCrypto
public import VaultFormat

/// `KnownDevice` is a device that was given a name. Spec: docs/format.md §10.
public struct KnownDevice: Sendable, Equatable {
    public let device: DeviceID
    /// As a device or its owner said: any text of 256 bytes at most.
    public let name: String
    /// What it runs on.
    public let system: String
    /// The names under which it speaks in remotes.
    public let chains: Set<DeviceID>
    /// The device that it continues, which says nothing more.
    public let origin: DeviceID?
}

/// `HeardDevice` says when a device sealed what was read of it last, by its own clock.
public struct HeardDevice: Sendable, Equatable {
    /// As it speaks in a remote.
    public let device: DeviceID
    /// In milliseconds since 1970, UTC.
    public let made: Int64

    public init(device: DeviceID, made: Int64) { (self.device, self.made) = (device, made) }
}

extension Devices {
    /// Returns all devices that were given names, this one first, then by their names. This one has its machine's name
    /// until it has said another.
    ///
    /// - Throws: `VaultError.integrity`.
    public func known() throws(VaultError) -> [KnownDevice] {
        let own = try own
        var named = try vault.read { try $0.namedDevices() }
        if !named.contains(where: { $0.device == own }) {
            named.append(
                KnownDevice(
                    device: own, name: ThisMachine.hostName ?? "device", system: ThisMachine.system, chains: [],
                    origin: nil))
        }
        return named.sorted {
            ($0.device == own ? 0 : 1, $0.name, $0.device.text) < ($1.device == own ? 0 : 1, $1.name, $1.device.text)
        }
    }

    /// Says under which name this device speaks in a remote, and what it is called, unless it has said so.
    ///
    /// - Throws: `VaultError.readOnly`, `.saveFailed`.
    public func introduce(speakingAs chain: DeviceID) throws(VaultError) {
        let own = try own
        let known = try vault.read { index in
            try index.statements(.device).contains { $0.device(own)?.chains.contains(chain) ?? false }
        }
        guard !known else { return }
        try vault.write { try $0.name(own, speakingAs: [chain]) }
    }

    /// Gives a device another name, which all devices hear.
    ///
    /// - Throws: `VaultError.empty` without a name, `.tooLarge` above 256 bytes, `.readOnly`, `.saveFailed`.
    public func rename(_ device: DeviceID, to name: String) throws(VaultError) {
        guard !name.isEmpty else { throw VaultError(.empty) }
        guard name.utf8.count <= DeviceStatement.textByteCountMax else { throw VaultError(.tooLarge) }
        try vault.write { try $0.name(device, name) }
    }

    /// Returns when each device sealed the last of its segments that was read, by its own clock.
    ///
    /// - Throws: `VaultError.integrity`.
    public func heard() throws(VaultError) -> [DeviceID: Int64] {
        try vault.read { index in
            guard try IndexState.fetch(index.database).schema >= Schema.firstWithStatements else { return [:] }
            return try Row.fetchAll(index.database, sql: "SELECT device, made FROM heard")
                .reduce(into: [:]) { $0[try DeviceID($1.bytes("device"))] = try $1.integer("made") }
        }
    }
}

extension SaidStatement {
    /// Returns what it says of a device; nil when it is of another one.
    fileprivate func device(_ device: DeviceID) -> DeviceStatement? {
        if case .device(let said) = statement, said.device == device { said } else { nil }
    }
}

extension IndexAccess {
    /// Returns the devices that were given names. Of two names that nobody has replaced the one whose statement has the
    /// greater name counts.
    fileprivate func namedDevices() throws -> [KnownDevice] {
        var all: [DeviceID: [SaidStatement]] = [:]
        for said in try statements(.device) {
            if case .device(let device) = said.statement { all[device.device, default: []].append(said) }
        }
        return all.compactMap { device, statements in
            // In the order of their names. All may be replaced where what took their places was lost.
            let counts = statements.last { !$0.isReplaced } ?? statements.last
            let chains = statements.compactMap { $0.device(device)?.chains }.joined()
            let origin = statements.compactMap { $0.device(device)?.origin }.last
            return counts?.device(device).map {
                KnownDevice(
                    device: device, name: $0.name, system: $0.system, chains: Set(chains), origin: origin?.device)
            }
        }
    }
}

extension Transaction {
    /// Says what a device is called, in the place of all that was said of it. What only an earlier statement says of
    /// the names that it speaks under still counts.
    ///
    /// - Parameters:
    ///   - name: nil for the one that it has, or this machine's.
    ///   - origin: the device that it goes on from.
    func name(
        _ device: DeviceID, _ name: String? = nil, speakingAs chains: [DeviceID] = [],
        origin: DeviceStatement.Origin? = nil
    ) throws {
        let said = try statements(.device).filter { $0.device(device) != nil }
        let known = (said.last { !$0.isReplaced } ?? said.last)?.device(device)
        let statement = DeviceStatement(
            device: device, name: name ?? known?.name ?? ThisMachine.hostName ?? "device",
            system: known?.system ?? (device.bytes == self.device ? ThisMachine.system : ""), chains: chains,
            origin: origin)
        let parents = said.filter { !$0.isReplaced }.map(\.name)
        try say(.device(statement), replacing: Array(parents.prefix(Self.headCountMax)))
    }

    /// Says, as a device that has just taken this one's place, whose place it took. It has the same name where it is
    /// the same machine's.
    func introduce(_ device: DeviceID, insteadOf before: DeviceStatement.Origin) throws {
        let said = try statements(.device).filter { $0.device(before.device) != nil }
        let isOfThisMachine = said.contains { $0.device(before.device)?.name == ThisMachine.hostName }
        let name = (said.last { !$0.isReplaced } ?? said.last)?.device(before.device)?.name
        try self.name(device, isOfThisMachine ? name : nil, origin: before)
    }

    /// Writes down when a device was heard of: a clock that is ahead must not keep it awake.
    func record(_ heard: HeardDevice) throws {
        try database.cachedStatement(
            """
            INSERT INTO heard(device, made) VALUES(?, ?)
            ON CONFLICT(device) DO UPDATE SET made = excluded.made
            """
        ).execute(arguments: [heard.device.bytes.blob, min(heard.made, Machine.now)])
    }
}
