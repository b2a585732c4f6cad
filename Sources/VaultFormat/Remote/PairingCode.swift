// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// `PairedPoint` names one segment of a remote: a device that has read it has read all that its writer had read.
///
/// ```
/// offset  size  field
///      0     4  epoch        from 1
///      4    16  device       its name in the remote
///     20     8  number       of the segment, 1 to 2^62
///     28    16  digestBegin  of the SHA-256 of the sealed segment
/// ```
public struct PairedPoint: Hashable, Sendable {
    public static let digestByteCount = 16
    public static let byteCount = 4 + DeviceID.byteCount + 8 + digestByteCount

    public let epoch: UInt32
    public let device: DeviceID
    public let number: UInt64
    public let digestBegin: [UInt8]

    /// Makes the name of a segment.
    ///
    /// - Parameter digest: SHA-256 of the sealed segment, or its first 16 bytes.
    /// - Throws: `FormatError`: `truncated` for a shorter one, `notCanonical` for a number that no segment has and for
    ///   epoch 0.
    public init(epoch: UInt32, device: DeviceID, number: UInt64, digest: [UInt8]) throws(FormatError) {
        guard digest.count >= Self.digestByteCount else { throw FormatError(.truncated) }
        guard epoch > 0, (1...RemotePlace.numberMax).contains(number) else { throw FormatError(.notCanonical) }
        (self.epoch, self.device, self.number) = (epoch, device, number)
        digestBegin = Array(digest.prefix(Self.digestByteCount))
    }

    /// Reads the point where a reader stands.
    public init(from reader: inout ByteReader) throws(FormatError) {
        let epoch = try reader.u32()
        let device = try DeviceID(reader.bytes(DeviceID.byteCount))
        let number = try reader.u64()
        try self.init(epoch: epoch, device: device, number: number, digest: reader.bytes(Self.digestByteCount))
    }

    public func write(to writer: inout ByteWriter) {
        writer.u32(epoch)
        writer.raw(device.bytes)
        writer.u64(number)
        writer.raw(digestBegin)
    }

    /// Returns whether a segment with this SHA-256 is the one that is named.
    public func names(digest: [UInt8]) -> Bool { digest.starts(with: digestBegin) }
}

/// `PairingCode` says what a device that has the vault knows of it and of its remote, for a device that has nothing: so
/// that this one need not believe the remote. It holds no secret and opens nothing.
///
/// ```
/// offset  size  field
///      0     1  version            1
///      1    16  vault              the copy ID of a copy, else the vault ID
///     17     8  headerCounter      of the newest header
///     25    16  headerDigestBegin  the first bytes of the header's SHA-256
///     41    44  point              the last segment of the device that made the code
///     85     1  kind               of the remote: 1 folder, 2 WebDAV, 3 S3, 4 Dropbox, 5 rclone
///     86     2  count              of the place, 1 to 512
///     88     n  place              a folder's path, an address without a user, of Dropbox the app's key and a prefix
///                                  with a slash before it, of rclone a backend, a colon and a path
/// 88 + n        of S3 alone: region, bucket and prefix, each UTF-8 with its length as UInt16 before it
/// ```
/// Spec: docs/format.md §25.11.
public struct PairingCode: Hashable, Sendable {
    /// `Kind` says what the remote is.
    public enum Kind: UInt8, Sendable, CaseIterable {
        case folder = 1
        case webDAV
        case s3
        case dropbox
        case rclone
    }

    public static let version: UInt8 = 1
    public static let placeByteCountMax = 512
    /// Largest code in bytes.
    public static let byteCountMax = 88 + placeByteCountMax + 3 * 2 + regionByteCountMax + bucketByteCountMax + 512
    private static let regionByteCountMax = 64
    private static let bucketByteCountMax = 63
    private static let prefixByteCountMax = 512

    public let vault: [UInt8]
    public let headerCounter: UInt64
    public let headerDigestBegin: [UInt8]
    public let point: PairedPoint
    public let kind: Kind
    public let place: [UInt8]
    public var region = ""
    public var bucket = ""
    public var prefix = ""

    /// Makes a code for a remote at a place.
    ///
    /// - Parameters:
    ///   - vault: 16 bytes.
    ///   - header: the newest one of the device.
    ///   - place: 1 to 512 bytes.
    /// - Throws: `FormatError`: `truncated`, `tooLarge`, `notCanonical` without a place.
    public init(
        vault: [UInt8], header: HeaderStamp, point: PairedPoint, kind: Kind, place: [UInt8]
    ) throws(FormatError) {
        guard vault.count == VaultID.byteCount else { throw FormatError(.truncated) }
        guard !place.isEmpty else { throw FormatError(.notCanonical) }
        guard place.count <= Self.placeByteCountMax else { throw FormatError(.tooLarge) }
        (self.vault, self.point) = (vault, point)
        (headerCounter, headerDigestBegin) = (header.counter, Array(header.digest.prefix(PairedPoint.digestByteCount)))
        (self.kind, self.place) = (kind, place)
    }

    /// Reads a code.
    ///
    /// - Throws: `FormatError`; `unknownVersion` for a newer program's.
    public init(parsing bytes: [UInt8]) throws(FormatError) {
        var reader = ByteReader(bytes)
        guard try reader.u8() == Self.version else { throw FormatError(.unknownVersion, offset: 0) }
        vault = try VaultID(reader.bytes(VaultID.byteCount)).bytes
        headerCounter = try reader.u64()
        headerDigestBegin = try reader.bytes(PairedPoint.digestByteCount)
        point = try PairedPoint(from: &reader)
        guard let kind = Kind(rawValue: try reader.u8()) else { throw FormatError(.unknownKind, offset: 85) }
        self.kind = kind
        place = try Self.shortBytes(&reader, max: Self.placeByteCountMax)
        guard !place.isEmpty else { throw FormatError(.notCanonical, offset: 86) }
        if kind == .s3 {
            region = try Self.shortText(&reader, max: Self.regionByteCountMax)
            bucket = try Self.shortText(&reader, max: Self.bucketByteCountMax)
            prefix = try Self.shortText(&reader, max: Self.prefixByteCountMax)
        }
        try reader.end()
    }

    public var encoded: [UInt8] {
        var writer = ByteWriter(reserving: Self.byteCountMax)
        writer.u8(Self.version)
        writer.raw(vault)
        writer.u64(headerCounter)
        writer.raw(headerDigestBegin)
        point.write(to: &writer)
        writer.u8(kind.rawValue)
        let texts = kind == .s3 ? [region, bucket, prefix].map { Array($0.utf8) } : []
        for text in [place] + texts {
            writer.u16(UInt16(clamping: text.count))
            writer.raw(text)
        }
        return writer.bytes
    }

    private static func shortBytes(_ reader: inout ByteReader, max: Int) throws(FormatError) -> [UInt8] {
        let at = reader.offset
        let count = Int(try reader.u16())
        guard count <= max else { throw FormatError(.tooLarge, offset: at, length: (count, max)) }
        return try reader.bytes(count)
    }

    private static func shortText(_ reader: inout ByteReader, max: Int) throws(FormatError) -> String {
        let at = reader.offset
        guard let text = String(validating: try shortBytes(&reader, max: max), as: UTF8.self) else {
            throw FormatError(.notUTF8, offset: at)
        }
        return text
    }
}

/// What a code says of a remote's headers, of which nobody vouches for any yet.
extension PairingCode {
    /// `Verdict` says how a header compares to the one that the code names.
    public enum Verdict: Sendable, Equatable {
        /// It is the named header, or has a higher counter.
        case asNew
        /// An older one.
        case older
        /// Another header with the same counter as the named one.
        case other
    }

    /// Compares a header with the one that the code names: at least as new, older, or another with the same counter.
    ///
    /// - Parameter digest: SHA-256 of the header, 32 bytes.
    public func verdict(counter: UInt64, digest: [UInt8]) -> Verdict {
        if counter == headerCounter { return digest.starts(with: headerDigestBegin) ? .asNew : .other }
        return counter > headerCounter ? .asNew : .older
    }
}
