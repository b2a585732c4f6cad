// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import SecretMemory
internal import VaultCrypto
public import VaultFormat

/// Names the objects of a vault in a remote. Stores see random names; a holder of the vault's key recomputes them,
/// so that nothing has to be listed and nothing that is listed has to be believed.
///
/// Spec: docs/format.md §25.2.
public final class RemoteNames {
    let vault: VaultIdentity
    public let epoch: UInt32
    private let key: SecretBytes

    convenience init(_ keys: VaultKeys, _ vault: VaultIdentity, epoch: UInt32) throws(CryptoError) {
        // A key of its own: what seals does not also name.
        try self.init(key: keys.root.subkey(.remoteNames), vault, epoch: epoch)
    }

    /// Makes the names of an epoch of which this key alone is known.
    init(key: SymmetricKey, _ vault: VaultIdentity, epoch: UInt32) {
        self.vault = vault
        self.epoch = epoch
        self.key = key.duplicateSecret()
    }

    /// The folder of the vault in the remote, which all paths are below.
    public var root: String { RemoteName.root(of: vault) }

    /// Returns the name of the object at a place.
    ///
    /// - Throws: `VaultError.oldKey` for a place of another epoch, `.integrity` for an impossible one,
    ///   `.libraryFailed`.
    public func name(of place: RemotePlace) throws(VaultError) -> RemoteName {
        guard place.epoch == epoch else { throw VaultError(.oldKey) }
        guard place.isPossible else { throw VaultError(.integrity) }
        return try name(place.context(in: vault), place.kind == .card ? .cards : .segments)
    }

    /// Returns the name of a part of an attachment's object.
    ///
    /// - Parameter part: from 0.
    /// - Throws: `VaultError.libraryFailed`.
    public func name(ofPart part: UInt32, of object: ObjectName) throws(VaultError) -> RemoteName {
        try name(RemoteName.context(ofPart: part, of: object, in: vault, epoch: epoch), .objects)
    }

    private func name(_ context: Context, _ folder: RemoteName.Folder) throws(VaultError) -> RemoteName {
        let bytes = try VaultError.mapping { () throws(CryptoError) in
            try HMAC.tag(key, context.encoded, hash: .sha256)
        }
        guard let name = try? RemoteName(bytes, in: folder) else { throw VaultError(.libraryFailed) }
        return name
    }
}

/// `RemoteHeaders` names headers in a remote, and reads them: each lies there as it is, because it is needed before
/// any key.
public enum RemoteHeaders {
    /// Largest file that is read, in bytes.
    public static let byteCountMax = UnverifiedHeader.byteCountMax

    /// Returns the name of a header.
    ///
    /// - Throws: `VaultError.libraryFailed`.
    public static func name(of header: Header) throws(VaultError) -> RemoteHeaderName {
        RemoteHeaderName(counter: header.counter, digest: try HeaderFile.digest(header))
    }

    /// Returns what a segment says of a header.
    ///
    /// - Throws: `VaultError.libraryFailed`.
    public static func stamp(of header: Header) throws(VaultError) -> HeaderStamp {
        HeaderStamp(counter: header.counter, digest: try HeaderFile.digest(header))
    }

    /// Parses what a store gave under the name of a header; nobody has vouched for it.
    ///
    /// - Parameter vault: whose folder it lay in.
    /// - Returns: nil if it is not there yet: cut, of another name or another vault, or with costs out of bounds.
    /// - Throws: `VaultError.newerFormat`.
    public static func parse(
        _ bytes: [UInt8], named name: RemoteHeaderName, of vault: VaultIdentity
    ) throws(VaultError) -> UnverifiedHeader? {
        try parse(bytes, named: name) { $0 == vault }
    }

    /// Does the same where only the folder of the vault is known.
    ///
    /// - Parameter folder: its name, 16 bytes: of a vault or of a copy.
    /// - Throws: `VaultError.newerFormat`.
    public static func parse(
        _ bytes: [UInt8], named name: RemoteHeaderName, in folder: [UInt8]
    ) throws(VaultError) -> UnverifiedHeader? {
        try parse(bytes, named: name) { $0.name == folder }
    }

    private static func parse(
        _ bytes: [UInt8], named name: RemoteHeaderName, _ isOurs: (VaultIdentity) -> Bool
    ) throws(VaultError) -> UnverifiedHeader? {
        guard bytes.count <= byteCountMax else { return nil }
        let copy: HeaderFile.Copy
        do throws(VaultError) { copy = try HeaderFile.copy(bytes) } catch {
            guard error.code == .newerFormat else { return nil }
            throw error
        }
        guard isOurs(copy.header.identity),
            RemoteHeaderName(counter: copy.header.counter, digest: copy.digest) == name
        else { return nil }
        return copy.header
    }
}

/// `SupersededHeader` is a header of a remote that opens with what was taken away since.
public enum SupersededHeader: Sendable {
    /// The vault's key vouches for it.
    case ofThisEpoch
    /// Of an epoch that nobody is in any more. Its key is gone, so anybody may have made it: its counter says nothing.
    case ofFormerEpoch
}

extension OpenVault {
    /// Judges a header of the remote. One is superseded if it has a keyslot that was taken away and does not count, and
    /// none that counts and is missing in this vault's own header.
    ///
    /// - Parameter haveAllCome: whether all devices of the epoch before speak in this one.
    /// - Returns: nil for one that stays, and for all while this vault's own header keeps what was taken away.
    public func superseded(
        _ bytes: [UInt8], named name: RemoteHeaderName, haveAllCome: Bool
    ) -> SupersededHeader? {
        guard let found = ((try? RemoteHeaders.parse(bytes, named: name, of: header.identity)) ?? nil) else {
            return nil
        }
        guard found.epoch == header.epoch else {
            return found.epoch < header.epoch && haveAllCome ? .ofFormerEpoch : nil
        }
        guard (try? Header.verify(found, keys: keys)) != nil, let told = try? keyslots.told() else { return nil }
        let counting = Set(told.inForce.map(\.slot.slotID))
        let isTaken = { (slot: Keyslot) in told.isRemoved(slot.slotID) && !counting.contains(slot.slotID) }
        let own = Set(header.keyslots.map(\.slotID))
        guard found.keyslots.contains(where: isTaken), !header.keyslots.contains(where: isTaken),
            counting.intersection(found.keyslots.map(\.slotID)).isSubset(of: own)
        else { return nil }
        return .ofThisEpoch
    }
}
