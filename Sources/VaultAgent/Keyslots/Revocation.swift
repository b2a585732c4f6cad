// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentProtocol
internal import SyncEngine
internal import VaultCore

/// `Revocation` names the device that a rotation is made against: nobody waits for it, and it is given up in the moment
/// before the new key is in place.
///
/// Before that moment nobody hears of it. A device that hears that it was given up goes on under another name, and that
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

    /// Writes the device down as given up. A kill after this leaves it so, with the key that there was.
    ///
    /// - Throws: `VaultError.readOnly`, `.saveFailed`.
    func write(_ hosts: [SyncHost]) throws(VaultError) {
        for host in hosts {
            guard let chains = chains[host.name], !chains.isEmpty else { continue }
            try host.giveUp(chains)
        }
    }
}
