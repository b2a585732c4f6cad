// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentProtocol
internal import SyncEngine
internal import VaultCore
internal import VaultFormat

internal import struct SyncEngine.Digest

/// This extension takes the remote from one epoch into the next: after a rotation here, and after one on another
/// device. Spec: docs/format.md §25.8.
extension SyncHost {
    /// The SHA-256 of the header with which the epoch of the remote is to end; nil unless this vault has made its key.
    var nextHeader: Digest? {
        guard let former, former.beginning == .own, engine.state.epoch == former.epoch else { return nil }
        return Digest(bytes: former.ending)
    }

    /// SHA-256 of the headers that endings of this epoch have named and whose key is not here, the one that counts
    /// before all others first.
    var endings: [[UInt8]] {
        engine.state.endings.filter { $0.value.epoch == epoch }.keys.sorted().map(\.bytes)
    }

    /// Devices of the epoch before that have not come over.
    var awaited: [String] { engine.state.awaited.map(\.hex).sorted() }

    /// Says all that this vault has where its owner wants that, since the device that has begun this epoch will not:
    /// when all that the remote shows was read, and nothing comes in between.
    ///
    /// - Returns: whether it does.
    func speaksFirst() -> Bool {
        guard wantsToSpeakFirst, link.failure == nil else { return false }
        wantsToSpeakFirst = false
        guard !isBehind, !engine.state.isWhole else { return false }
        handle(.speakFirst)
        return true
    }

    /// Gives the engine the key of the next epoch where this vault has it.
    func giveKey(_ header: Digest) throws(VaultError) {
        guard let former, former.ending == header.bytes, engine.state.epoch == former.epoch else {
            if engine.state.endings[header]?.epoch == epoch { return note(.endedElsewhere) }
            // Of an epoch that has ended here already it is the second ending; a larger one does not count.
            guard let former, let own = Digest(bytes: former.ending), header < own,
                header.bytes != former.nextStamp.digest
            else { return }
            return note(.endedTwice)
        }
        // Nothing of the epoch before is sent again, and in this one each device has another name.
        try store.outbox.removeAll(for: name)
        handle(.keyGiven(header))
    }

    /// Returns what a segment of an epoch says of the newest header.
    func stamp(of epoch: UInt32) throws(VaultError) -> HeaderStamp {
        if let former, former.epoch == epoch { return former.stamp }
        return try RemoteHeaders.stamp(of: store.header)
    }

    /// Returns the header that must lie in the remote before anything of an epoch is put: of the epoch that ends it is
    /// the one that its ending names.
    func headerObject(of epoch: UInt32) throws(VaultError) -> HeaderSending.Object {
        if let former, former.epoch == epoch { return HeaderSending.Object(beginning: former) }
        return try HeaderSending.Object(store.header)
    }

    /// Says why the vault's key is better not changed now; nil when it can.
    var refusalOfEndedEpoch: Outcome? {
        guard problems.contains(.endedElsewhere) else { return nil }
        return Outcome(
            .conflict, "another device has changed the vault's key, and this one has not adopted it",
            hint: "vault sync follow; if you did not change it anywhere: vault rotate --unsynced")
    }

    /// Says why the vault's key cannot be changed now; nil when it can.
    ///
    /// - Parameter revoking: a device that is not waited for.
    func refusalOfRotation(besides revoking: Revocation) -> Outcome? {
        if isBehind || problems.contains(.rotated) || nextHeader != nil {
            return Outcome(
                .conflict, "the remote '\(name)' does not have the latest change of the key",
                hint: "vault sync now on the device that changed it; if the remote is gone: vault remote rm \(name)"
            )
        }
        let awaited = engine.state.awaited.filter { !revoking.names($0, in: name) }
        guard awaited.isEmpty else {
            return Outcome(
                .conflict,
                "\(awaited.count == 1 ? "a device has" : "\(awaited.count) devices have") not adopted the new key yet",
                hint: "vault sync follow there; vault sync status names them, vault device retire retires one")
        }
        return nil
    }

    /// Says why this vault does not know all that the remote has; nil right after a round that read everything.
    var refusalOfOldState: Outcome? {
        guard !isPaused else { return pausedOutcome }
        if let failure { return failure.outcome }
        if let failure = link.failure { return failure.outcome(of: name) }
        guard isWhole else {
            return Outcome(
                .conflict, "not everything was sent to the remote '\(name)' or read from it",
                hint: "vault sync status shows the reason; vault rotate --unsynced continues without it")
        }
        return nil
    }
}
