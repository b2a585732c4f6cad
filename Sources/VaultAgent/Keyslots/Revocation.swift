// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentProtocol
internal import SyncEngine
internal import VaultCore

/// `Revocation` names the device that a rotation is made against: nobody waits for it, and it is given up in the same
/// step in which the new key comes into place.
///
/// Before that step nobody hears of it. A device that hears that it was given up goes on under another name, and that
/// name would be a device of its own in the epoch's end. The segment that ends the epoch says it.
struct Revocation {
    /// By remotes: the names under which it speaks.
    private let chains: [String: [Identifier]]

    /// Revokes nobody.
    init() { chains = [:] }

    init(_ device: DeviceRow, _ hosts: [SyncHost]) {
        chains = Dictionary(uniqueKeysWithValues: hosts.map { ($0.name, device.identifiers(in: $0.name)) })
    }

    func names(_ device: Identifier, in remote: String) -> Bool { chains[remote]?.contains(device) == true }

    /// Returns what the next epoch's index has of its remotes, by their names: as it stands, with the device given up.
    ///
    /// - Throws: `VaultError.integrity`, `.newerFormat`.
    func states(_ store: OpenVault) throws(VaultError) -> [String: [UInt8]] {
        var states: [String: [UInt8]] = [:]
        for row in try store.remotes.stored() {
            guard let chains = chains[row.name], !chains.isEmpty else { continue }
            states[row.name] = try row.givingUp(chains)
        }
        return states
    }
}
