// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import SyncEngine
internal import VaultCore
internal import VaultFormat

/// This extension finds what this device has to say: which keys open the vault, and what was written.
extension SyncHost {
    /// Whether passwords or keys were changed that were not told, or that were heard of and do not count here yet.
    var hasUntoldKeys: Bool { store.keyslots.isUnsettled }

    /// Says what was changed of passwords and keys here, and takes over what others have changed.
    func settleKeyslots() throws(VaultError) {
        guard engine.state.isWhole, !isBehind, keyslotsSeen != store.checks.transactionCount else { return }
        // The header that this device has now is put where a clone finds it.
        if try store.keyslots.settle() { (hasTakenKeys, mustSpeak) = (true, true) }
        keepsUnfitKeys = store.keyslots.keepsUnfitKeys
        keyslotsSeen = store.checks.transactionCount
    }

    /// Makes a header that counts higher than one that is to go from the remote: a clone tries the highest first.
    ///
    /// - Returns: whether it did; then it is put, and the other one is removed.
    func raiseCounter() throws(VaultError) -> Bool {
        // A client that changes a password at this moment has seen the header as it is.
        guard let counter = sweep.counterAbove, !areKeysBusy(), try store.keyslots.raiseCounter(above: counter) else {
            return false
        }
        sweep.raised()
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
