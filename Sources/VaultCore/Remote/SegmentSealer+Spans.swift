// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import VaultCrypto
public import VaultFormat

/// These functions seal and open spans. A span is many segments in one object, as its writer puts them together when
/// they are small. Spec: docs/format.md §25.5.
extension SegmentSealer {
    /// Larger segments stay by themselves, in bytes of all contents together.
    private static let packedByteCountMax = 16 << 20

    /// Puts own segments together.
    ///
    /// - Parameter sealed: gives a segment as it was sent, by its number; nil for one that is to stay separate.
    /// - Throws: `VaultError.integrity` for what is not that segment; what `sealed` throws.
    public func sealSpan(
        at place: RemotePlace, _ sealed: (UInt64) throws -> [UInt8]?
    ) throws -> SealedRemoteObject {
        guard let numbers = place.coveredNumbers else { throw VaultError(.integrity) }
        let name = try names.name(of: place)
        var packed: [RemoteSpan.Packed?] = []
        for number in numbers {
            guard let bytes = try sealed(number) else {
                packed.append(nil)
                continue
            }
            guard let padded = try opened(bytes, at: place.segment(number)),
                let content = try? Padme.unpad(padded, floor: RemoteSegment.paddedByteCountMin)
            else { throw VaultError(.integrity) }
            packed.append(.init(salt: Array(bytes.prefix(RemoteSpan.saltByteCount)), content: content))
        }
        let span = RemoteSpan(segments: packed).leavingOutTheLargest(above: Self.packedByteCountMax)
        return try seal(padded(span.encoded), place.context(in: names.vault), name)
    }

    /// Opens the object stored under a span's name.
    ///
    /// - Returns: the segments that it holds, ascending; nil if it is not there yet.
    /// - Throws: as `openSegment`.
    public func openSpan(_ sealed: [UInt8], at place: RemotePlace) throws(VaultError) -> [OpenedRemoteSegment]? {
        guard let numbers = place.coveredNumbers, let padded = try opened(sealed, at: place) else { return nil }
        let span = try parsed(padded, floor: RemoteSegment.paddedByteCountMin, RemoteSpan.init(parsing:))
        guard span.segments.count == numbers.count else { throw VaultError(.integrity) }
        var opened: [OpenedRemoteSegment] = []
        for (packed, number) in zip(span.segments, numbers) {
            guard let packed else { continue }
            opened.append(try self.opened(packed, at: place.segment(number)))
        }
        return opened
    }

    /// Returns the segment and the hash of it as it lay: sealed again, it has the very same bytes.
    private func opened(_ packed: RemoteSpan.Packed, at place: RemotePlace) throws(VaultError) -> OpenedRemoteSegment {
        let padded = padded(packed.content)
        let content = try parsed(padded, floor: RemoteSegment.paddedByteCountMin, RemoteSegment.init(parsing:))
        guard content.fits(place) else { throw VaultError(.integrity) }
        let digest = try VaultError.mapping { () throws(CryptoError) in
            try cobblestone.digestOfSealed(
                padded, key: key, context: place.context(in: names.vault).encoded, salt: packed.salt)
        }
        return OpenedRemoteSegment(place: place, digest: digest, content: content)
    }
}

extension RemotePlace {
    /// Returns a segment of the same device and epoch.
    func segment(_ number: UInt64) -> RemotePlace {
        RemotePlace(kind: .segment, epoch: epoch, device: device, number: number)
    }
}

extension RemoteSpan {
    /// Returns the span without as many of the largest segments as are too much together.
    func leavingOutTheLargest(above byteCountMax: Int) -> RemoteSpan {
        var kept = segments
        var rest = kept.reduce(0) { $0 + ($1?.content.count ?? 0) }
        let bySize = kept.indices.sorted { (kept[$0]?.content.count ?? 0) > (kept[$1]?.content.count ?? 0) }
        for index in bySize where rest > byteCountMax {
            rest -= kept[index]?.content.count ?? 0
            kept[index] = nil
        }
        return RemoteSpan(segments: kept)
    }
}
