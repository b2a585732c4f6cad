// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import SyncEngine
internal import VaultCore

/// This extension ends what is under way: after a write that the vault has refused, and with the vault.
extension SyncHost {
    /// Begins again with what the vault holds, after it has refused a write.
    func fail(_ error: VaultError) {
        failure = error
        (isRunning, wantsAnother, hasBegun) = (false, false, false)
        effects = []
        (heard, coming, heldSince, introduced, lastWords) = ([:], [], nil, nil, nil)
        sealedCounts = [:]
        link.end()
        header.forget()
        joining.end()
        sealing.end()
        guard let rows = try? store.remotes.stored(), let row = rows.first(where: { $0.name == name }),
            let state = try? SyncState(parsing: row.state)
        else { return }
        engine = SyncEngine(state: state)
        isRestored = row.isRestored
    }

    /// Ends everything; the keys go with the last who holds the vault.
    func end() {
        isRunning = false
        effects = []
        link.end()
        joining.end()
        sealing.end()
    }
}
