// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import VaultCrypto
internal import VaultFormat

/// These functions keep what this account remembers of the vault, so that an older one, or one that went another way,
/// is noticed.
extension OpenVault {
    func recordPin() {
        guard !headerWasReplaced, let digest = try? HeaderFile.digest(header) else { return }
        let known = pins.pin(of: header.identity)
        let last = entryToPin(known)
        let pin = Pin(
            vaultID: header.vaultID, epoch: header.epoch, counter: header.counter, digest: digest,
            generation: max(manifest.generation, known?.epoch == header.epoch ? known?.generation ?? 0 : 0),
            sequence: last.sequence, chain: last.chain)
        // Most unlocks change nothing here, and each file costs two waits for the disk.
        let isThere = known == pin && pins.vault(at: directory.canonicalPath) == header.identity
        pinIsRecorded = isThere || pins.record(pin, of: header.copyID, canonicalPath: directory.canonicalPath)
    }

    /// Returns the last entry that a manifest vouches for.
    private func entryToPin(_ known: Pin?) -> (sequence: UInt64, chain: [UInt8]) {
        let kept = acceptsRollback ? nil : known
        // What could not be compared is compared at the next opening; what no manifest vouches for may still be lost.
        guard !chain.pinIsUnread, let state = try? read({ try IndexState.fetch($0.database) }),
            state.generation == manifest.generation
        else { return (kept?.sequence ?? 0, kept?.chain ?? Entry.firstPrevious) }
        // Another device that has said nothing goes on from what the one before has said.
        if state.sequence == 0, let kept, kept.sequence > 0 { return (kept.sequence, kept.chain) }
        return (state.sequence, state.chain)
    }
}
