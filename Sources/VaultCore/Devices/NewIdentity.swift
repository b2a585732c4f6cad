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

    /// Goes on as another device: a vault that was restored, copied or set back must not write entries under numbers
    /// that another one may have used. What the device of before has written stays its own; what it did can be undone
    /// no more. What it has not told yet the new one tells.
    ///
    /// It is one transaction: after a crash the vault is the one device or the other, and the engines of all remotes
    /// hear of the other before they say anything.
    ///
    /// - Returns: the new device.
    /// - Throws: `VaultError.readOnly`, `.saveFailed`.
    @discardableResult
    public func becomeAnother() throws(VaultError) -> DeviceID {
        let device = try VaultError.translating { try DeviceID(SecureRandom.bytes(DeviceID.byteCount)) }
        // What the account knows of the chain is of the device of before: after a crash from here on it must keep
        // nobody out.
        vault.pins.forgetChain(of: vault.header.identity)
        vault.pins.forgetDevice(of: vault.header.identity)
        try vault.write { transaction in
            for name in try transaction.remoteNames() { try transaction.tellOwn(over: name) }
            try transaction.database.execute(
                sql: "UPDATE state SET device = ?, sequence = 0, chain = ?",
                arguments: [device.bytes.blob, Entry.firstPrevious.blob])
            try transaction.database.execute(sql: "DELETE FROM change")
            // Positions of arrivals count own entries: nobody has read up to any of them as this device.
            try transaction.database.execute(sql: "DELETE FROM arrival")
            // What was sealed is the other one's word, and its files may not be here.
            try transaction.database.execute(sql: "DELETE FROM outbox")
            try transaction.database.execute(sql: "UPDATE remoteProgress SET restored = 1")
        }
        vault.take(device.bytes)
        try vault.outbox.sweep()
        _ = vault.pins.record(device, of: vault.header.identity)
        return device
    }

    /// Becomes another device unless this account knows the vault as the device that it is: a copy of it, or an older
    /// state, may lack what it has told. A vault without remotes has told nobody of itself.
    ///
    /// - Throws: `VaultError.readOnly`, `.saveFailed`.
    public func settleIdentity() throws(VaultError) {
        guard !vault.isReadOnly, try !vault.remotes.names().isEmpty else { return }
        let (own, identity) = (try own, vault.header.identity)
        guard vault.pins.device(of: identity) != own else { return }
        // Where nothing can be remembered, each opening would be another device.
        guard vault.pins.canRecord else { return }
        try becomeAnother()
    }
}
