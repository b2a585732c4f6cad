// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import SecretMemory
internal import VaultCrypto
public import VaultFormat

/// A `SealedRemoteObject` is an object of a remote as it is sent: sealed once, kept, and sent again byte for byte.
public struct SealedRemoteObject: Sendable, Equatable {
    public let name: RemoteName
    public let bytes: [UInt8]
    /// SHA-256 of the bytes.
    public let digest: [UInt8]
}

/// An `OpenedRemoteSegment` is a segment that was opened, with the hash of it as it lies.
public struct OpenedRemoteSegment: Sendable, Equatable {
    public let place: RemotePlace
    public let digest: [UInt8]
    public let content: RemoteSegment
}

/// Seals what this vault's devices say to each other, and opens it. What a store gives is nothing until it has opened
/// in its place: cut, foreign, moved or altered bytes are one and the same, *not there yet*, no damage of the vault.
///
/// Of one epoch. One object for one thread. Spec: docs/format.md §25.
public final class SegmentSealer {
    /// Largest sealed segment, span or card, in bytes.
    public static let byteCountMax: Int = {
        guard let padded = Padme.paddedByteCount(RemoteSegment.byteCountMax + 8) else {
            preconditionFailure("a segment fits into memory")
        }
        return Cobblestone.sealedByteCount(padded)
    }()

    public let names: RemoteNames
    let key: SymmetricKey
    let cobblestone: Cobblestone

    /// Derives the key of what lies in a remote.
    ///
    /// - Throws: `CryptoError.libraryFailure`.
    package convenience init(_ keys: VaultKeys, _ vault: VaultIdentity, epoch: UInt32) throws(CryptoError) {
        try self.init(RemoteNames(keys, vault, epoch: epoch), key: keys.root.subkey(.sync))
    }

    /// Makes the sealer of an epoch of which these two keys alone are known.
    init(_ names: RemoteNames, key: SymmetricKey) throws(CryptoError) {
        self.names = names
        self.key = key
        cobblestone = try Cobblestone()
    }

    // MARK: Cards

    /// Seals a card.
    ///
    /// - Throws: `VaultError.libraryFailed`.
    public func seal(_ card: RemoteCard) throws(VaultError) -> SealedRemoteObject {
        let name = try names.name(of: RemotePlace(kind: .card, epoch: names.epoch, device: card.device))
        return try seal(Padme.pad(card.encoded), cardContext(name), name)
    }

    /// Opens a card that a listing has named.
    ///
    /// - Returns: nil if it is not a card of this epoch, or has another name.
    /// - Throws: `VaultError.newerFormat`, `.integrity` for one that opens and is not right, `.libraryFailed`.
    public func openCard(_ sealed: [UInt8], named name: RemoteName) throws(VaultError) -> RemoteCard? {
        guard name.folder == .cards, sealed.count == RemoteCard.sealedByteCount,
            let padded = try opened(sealed, cardContext(name))
        else { return nil }
        let card = try parsed(padded, floor: Padme.floorByteCount, RemoteCard.init(parsing:))
        // Its context has the name; the name must be that of the device inside, else it is another device's card.
        guard try names.name(of: RemotePlace(kind: .card, epoch: names.epoch, device: card.device)) == name else {
            throw VaultError(.integrity)
        }
        return card
    }

    private func cardContext(_ name: RemoteName) -> Context {
        RemoteCard.context(named: name, in: names.vault, epoch: names.epoch)
    }

    // MARK: Segments

    /// Seals a segment. The same segment is never sealed twice: a number always has the same bytes.
    ///
    /// - Throws: `VaultError.tooLarge`, `.integrity` for one that no reader would take, `.oldKey` for another epoch's
    ///   place, `.libraryFailed`.
    public func seal(_ segment: RemoteSegment, at place: RemotePlace) throws(VaultError) -> SealedRemoteObject {
        let name = try names.name(of: place)
        let content = segment.encoded
        guard content.count <= RemoteSegment.byteCountMax else { throw VaultError(.tooLarge) }
        // Whatever a reader refuses must not get a number: the chain would end there for everybody.
        guard place.kind == .segment, (try? RemoteSegment(parsing: content)) == segment, segment.fits(place) else {
            throw VaultError(.integrity)
        }
        return try seal(padded(content), place.context(in: names.vault), name)
    }

    /// Opens the object stored under a segment's name.
    ///
    /// - Returns: nil if it is not there yet.
    /// - Throws: `VaultError.newerFormat`, `.integrity` for what a device has sealed wrongly, `.libraryFailed`.
    public func openSegment(_ sealed: [UInt8], at place: RemotePlace) throws(VaultError) -> OpenedRemoteSegment? {
        guard place.kind == .segment, let padded = try opened(sealed, at: place) else { return nil }
        let content = try parsed(
            padded, floor: RemoteSegment.paddedByteCountMin, RemoteSegment.init(parsing:))
        guard content.fits(place) else { throw VaultError(.integrity) }
        return OpenedRemoteSegment(place: place, digest: try digest(sealed), content: content)
    }

    // MARK: What all have in common

    func padded(_ content: [UInt8]) -> [UInt8] { Padme.pad(content, floor: RemoteSegment.paddedByteCountMin) }

    func seal(_ padded: [UInt8], _ context: Context, _ name: RemoteName) throws(VaultError) -> SealedRemoteObject {
        let sealed = try VaultError.mapping { () throws(CryptoError) in
            try cobblestone.seal(padded, key: key, context: context.encoded)
        }
        return SealedRemoteObject(name: name, bytes: sealed, digest: try digest(sealed))
    }

    /// Opens what was sealed for a place.
    ///
    /// - Returns: nil for anything that was not sealed for this place.
    func opened(_ sealed: [UInt8], at place: RemotePlace) throws(VaultError) -> [UInt8]? {
        guard place.epoch == names.epoch, place.isPossible else { return nil }
        return try opened(sealed, place.context(in: names.vault))
    }

    private func opened(_ sealed: [UInt8], _ context: Context) throws(VaultError) -> [UInt8]? {
        guard sealed.count <= Self.byteCountMax else { return nil }
        do throws(CryptoError) { return try cobblestone.open(sealed, key: key, context: context.encoded) } catch {
            // A wrong key, another place, a cut or altered object: not told apart.
            guard error.code == .notAuthentic else { throw VaultError(error) }
            return nil
        }
    }

    func parsed<Value>(
        _ padded: [UInt8], floor: Int, _ parse: ([UInt8]) throws(FormatError) -> Value
    ) throws(VaultError) -> Value {
        guard let content = try? Padme.unpad(padded, floor: floor) else { throw VaultError(.integrity) }
        do throws(FormatError) { return try parse(content) } catch {
            throw VaultError(
                [.unknownVersion, .unknownFeature, .unknownKind].contains(error.code) ? .newerFormat : .integrity)
        }
    }

    func digest(_ bytes: [UInt8]) throws(VaultError) -> [UInt8] {
        try VaultError.mapping { () throws(CryptoError) in try Digest.sha256(bytes) }
    }
}

extension RemoteSegment {
    /// Checks what the content alone cannot say: only the first has nothing before it, and a device does not quote
    /// itself.
    package func fits(_ place: RemotePlace) -> Bool {
        (previous == Self.firstPrevious) == (place.number == 1) && !vector.contains { $0.device == place.device }
    }
}

extension OpenVault {
    /// Makes the sealer that names and seals what this vault says in a remote, under the key of its epoch.
    ///
    /// - Throws: `VaultError.libraryFailed`.
    public func segmentSealer() throws(VaultError) -> SegmentSealer {
        try VaultError.mapping { () throws(CryptoError) in
            try SegmentSealer(keys, header.identity, epoch: header.epoch)
        }
    }
}
