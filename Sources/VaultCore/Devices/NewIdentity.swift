// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import GRDB
internal import VaultCrypto
public import VaultFormat

extension Devices {
    /// Whose vault this is.
    public var own: DeviceID {
        get throws(VaultError) { try VaultError.translating { try DeviceID(vault.device) } }
    }

    /// Continues as another device: a vault that was restored, copied or set back must not write entries under numbers
    /// that another one may have used. What the previous device wrote stays its own; its changes can be undone
    /// no longer. What it has not told yet, the new one tells.
    ///
    /// It is one transaction: after a crash the vault is the one device or the other, and the engines of all remotes
    /// hear of the other before they say anything.
    ///
    /// - Returns: the new device.
    /// - Throws: `VaultError.readOnly`, `.saveFailed`.
    @discardableResult
    public func becomeAnother() throws(VaultError) -> DeviceID {
        let device = try VaultError.translating { try DeviceID(SecureRandom.bytes(DeviceID.byteCount)) }
        _ = vault.pins.record(device, of: vault.header.identity)
        try become(device)
        return device
    }

    /// Makes the vault another device. The account knows it already: after a crash before this it does not fit, and
    /// another one is made.
    private func become(_ device: DeviceID) throws(VaultError) {
        try vault.write { transaction in
            let (remotes, before) = (try transaction.remoteNames(), try IndexState.fetch(transaction.database))
            for name in remotes { try transaction.tellOwn(over: name) }
            try transaction.database.execute(
                sql: "UPDATE state SET device = ?, sequence = 0, chain = ?",
                arguments: [device.bytes.blob, Entry.firstPrevious.blob])
            try transaction.database.execute(sql: "DELETE FROM change")
            // Positions of arrivals count own entries: nobody has read up to any of them as this device.
            try transaction.database.execute(sql: "DELETE FROM arrival")
            // What was sealed is the other one's word, and its files may not be here.
            try transaction.database.execute(sql: "DELETE FROM outbox")
            try transaction.forgetRemotesOfOutbox("1")
            try transaction.database.execute(sql: "UPDATE remoteProgress SET restored = 1")
            guard !remotes.isEmpty else { return }
            let origin = DeviceStatement.Origin(
                device: try DeviceID(before.device), sequence: before.sequence, chain: before.chain)
            try transaction.introduce(device, insteadOf: origin)
        }
        vault.take(device.bytes)
        vault.mustBecomeAnother = false
        try? vault.outbox.sweep()
    }

    /// Becomes another device unless this account knows the vault as the device that it is: a copy of it, or an older
    /// state, may lack what it has told. A vault without remotes stays what it is until it gets one.
    ///
    /// - Throws: `VaultError.integrity` while it is not known what this vault goes on from; `.readOnly`, `.saveFailed`.
    public func settleIdentity() throws(VaultError) {
        guard !vault.isReadOnly else { return }
        let (own, identity) = (try own, vault.header.identity)
        guard try !vault.remotes.names().isEmpty else { return try remember(own, identity) }
        guard vault.mustBecomeAnother || vault.pins.device(of: identity) != own else { return }
        guard vault.mustBecomeAnother || !vault.chain.pinIsUnread else { throw VaultError(.integrity) }
        let device = try VaultError.translating { try DeviceID(SecureRandom.bytes(DeviceID.byteCount)) }
        // Where nothing can be remembered, each opening would be another device.
        guard vault.pins.record(device, of: identity) || vault.mustBecomeAnother else { return }
        try become(device)
    }

    /// Records the device as this account's own, or disowns it, before there is a remote: what the account has from
    /// elsewhere, or went back to, is not the device that it was.
    private func remember(_ own: DeviceID, _ identity: VaultIdentity) throws(VaultError) {
        if vault.mustBecomeAnother { return vault.pins.disown(identity) }
        guard !vault.pins.hasDevice(of: identity) else { return }
        let hasEntries = try vault.read { try IndexState.fetch($0.database).sequence } > 0
        if vault.wasUnknown, hasEntries { return vault.pins.disown(identity) }
        _ = vault.pins.record(own, of: identity)
    }

    /// Makes sure, before a first remote is told anything, that no other vault speaks as this device.
    func settleBeforeTelling() throws(VaultError) {
        let (own, identity) = (try own, vault.header.identity)
        let hasEntries = try vault.read { try IndexState.fetch($0.database).sequence } > 0
        if hasEntries, vault.mustBecomeAnother || vault.pins.device(of: identity) != own {
            try becomeAnother()
        } else {
            _ = vault.pins.record(own, of: identity)
        }
    }
}
