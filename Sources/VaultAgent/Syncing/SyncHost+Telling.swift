// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import SyncEngine
internal import VaultCore
internal import VaultFormat

/// This extension finds what this device has to say: who it is, which keys open the vault, and what was written.
extension SyncHost {
    /// Whether passwords or keys were changed here that were not told.
    var hasUntoldKeys: Bool { settledSlots.map { $0 != store.header.keyslots } ?? false }

    /// Says who speaks under the name that the engine has, once all was read: a vault that holds nothing of its own
    /// has nothing to lose to what others have removed.
    func introduce() throws(VaultError) {
        guard introduced != engine.state.device, link.failure == nil, engine.state.isWhole else { return }
        let own = engine.state.device
        guard let chain = try? VaultFormat.DeviceID(own.bytes) else { return }
        try store.devices.introduce(speakingAs: chain)
        introduced = own
    }

    /// Says what was changed of passwords and keys here, and takes over what others have changed.
    func settleKeyslots() throws(VaultError) {
        guard engine.state.isWhole, !isBehind, keyslotsSeen != store.checks.transactionCount else { return }
        if try store.keyslots.settle() { hasTakenKeys = true }
        keyslotsSeen = store.checks.transactionCount
        settledSlots = store.header.keyslots
    }

    /// Tells own entries that were made since.
    func tellNew() throws(VaultError) {
        guard transactionsSeen != store.checks.transactionCount else { return }
        let position = try store.remotes.tellNew(over: name)
        transactionsSeen = store.checks.transactionCount
        if position > told { try tell(after: told) }
    }
}
