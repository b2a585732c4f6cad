// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import VaultFormat

/// The fields of a start order stand in this order; texts that a kind of remote does not have are not there.
///
///     vault 16 ‖ createsVaultFolder flag ‖ connectSeconds, idleSeconds, leastRate, requestSeconds UInt32
///     ‖ kind UInt8 (1 folder, 2 WebDAV, 3 S3) ‖ WebDAV: address ‖ S3: endpoint, region, bucket, prefix
///     ‖ certificates, a byte string
///
/// Spec: docs/sync-protocol.md §3.
extension StartOrder {
    func encode(_ writer: inout ByteWriter) {
        writer.raw(vault)
        writer.flag(createsVaultFolder)
        for number in [limits.connectSeconds, limits.idleSeconds, limits.leastRate, limits.requestSeconds] {
            writer.u32(number)
        }
        switch settings {
        case .folder: writer.u8(1)
        case .webDAV(let address):
            writer.u8(2)
            writer.text(address.text)
        case .s3(let bucket):
            writer.u8(3)
            writer.text(bucket.endpoint.text)
            writer.text(bucket.region)
            writer.text(bucket.bucket)
            writer.text(bucket.prefix.joined(separator: "/"))
        }
        writer.lengthPrefixed(certificates)
    }

    init(parsing reader: inout ByteReader) throws(FormatError) {
        let vault = try reader.bytes(16)
        let creates = try reader.flag()
        var limits = StoreLimits()
        limits.connectSeconds = try reader.seconds()
        limits.idleSeconds = try reader.seconds()
        limits.leastRate = try reader.u32()
        limits.requestSeconds = try reader.seconds()
        let settings: StoreSettings
        let at = reader.offset
        switch try reader.u8() {
        case 1: settings = .folder
        case 2: settings = .webDAV(try reader.address())
        case 3:
            let endpoint = try reader.address()
            let (region, bucket) = (try reader.text(max: 64), try reader.text(max: 63))
            guard
                let value = S3Bucket(
                    endpoint: endpoint, region: region, bucket: bucket, prefix: try reader.text(max: 512))
            else { throw FormatError(.notCanonical, offset: at) }
            settings = .s3(value)
        default: throw FormatError(.unknownKind, offset: at)
        }
        self.init(vault: vault, settings: settings)
        (createsVaultFolder, self.limits) = (creates, limits)
        certificates = try reader.lengthPrefixed(max: Self.certificateByteCountMax)
    }
}

extension ByteReader {
    fileprivate mutating func address() throws(FormatError) -> RemoteAddress {
        let at = offset
        let text = try text(max: RemoteAddress.byteCountMax)
        guard let address = RemoteAddress(text), address.text == text else {
            throw FormatError(.notCanonical, offset: at)
        }
        return address
    }

    /// Reads a deadline of one second to a day: no deadline is no deadline.
    fileprivate mutating func seconds() throws(FormatError) -> UInt32 {
        let at = offset
        let seconds = try u32()
        guard (1...86_400).contains(seconds) else { throw FormatError(.tooLarge, offset: at) }
        return seconds
    }
}
