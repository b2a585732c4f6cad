// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import SyncEngine
internal import VaultCore
internal import VaultFormat

/// `RemoteSealers` names and seals what lies in a remote: of the vault's epoch, and while devices come over from the
/// epoch before, of that one too.
struct RemoteSealers {
    let current: SegmentSealer
    let former: SegmentSealer?

    /// Derives the keys.
    ///
    /// - Throws: `VaultError.integrity` for kept keys that do not open, `.libraryFailed`.
    init(_ store: OpenVault) throws(VaultError) {
        current = try store.segmentSealer()
        former = try store.rotation.formerSealer()
    }

    /// Returns the sealer of an epoch; nil where its key is not here.
    subscript(epoch: UInt32) -> SegmentSealer? {
        if current.names.epoch == epoch { return current }
        return former?.names.epoch == epoch ? former : nil
    }

    /// Returns the name of what lies at a place; nil where its epoch's key is not here.
    func name(of place: Place) -> RemoteName? {
        guard let remote = try? RemotePlace(place) else { return nil }
        return try? self[place.epoch]?.names.name(of: remote)
    }
}
