// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import SyncEngine
internal import VaultCore
internal import VaultFormat

/// This extension finds what this device has to say: which keys open the vault, and what was written.
extension SyncHost {
    /// Whether passwords or keys were changed here that were not told.
    var hasUntoldKeys: Bool { settledSlots.map { $0 != store.header.keyslots } ?? false }

    /// Says what was changed of passwords and keys here, and takes over what others have changed.
    func settleKeyslots() throws(VaultError) {
        guard engine.state.isWhole, !isBehind, keyslotsSeen != store.checks.transactionCount else { return }
        // The header that this device has now is put where a clone finds it.
        if try store.keyslots.settle() { (hasTakenKeys, mustSpeak) = (true, true) }
        keepsUnfitKeys = store.keyslots.keepsUnfitKeys
        keyslotsSeen = store.checks.transactionCount
        settledSlots = store.header.keyslots
    }

    /// Makes a header that counts higher than one that is to go from the remote: a clone tries the highest first.
    ///
    /// - Returns: whether it did; then it is put, and the other one is removed.
    func raiseCounter() throws(VaultError) -> Bool {
        guard let counter = sweep.counterAbove, try store.keyslots.raiseCounter(above: counter) else { return false }
        sweep.beginRound()
        mustSpeak = true
        answersAtFlush = -1
        return true
    }

    /// Tells own entries that were made since.
    func tellNew() throws(VaultError) {
        guard !isBehind, transactionsSeen != store.checks.transactionCount else { return }
        let position = try store.remotes.tellNew(over: name)
        transactionsSeen = store.checks.transactionCount
        if position > told { try tell(after: told) }
    }
}
