// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

public import VaultFormat

/// The fields of a start order stand in this order; texts that a kind of remote does not have are not there.
///
///     vault 16 ‖ createsVaultFolder flag ‖ connectSeconds, idleSeconds, leastRate, requestSeconds UInt32
///     ‖ kind UInt8 (1 folder, 2 WebDAV, 3 S3, 4 Dropbox, 5 rclone) ‖ WebDAV: address ‖ S3: endpoint, region, bucket,
///     prefix ‖ Dropbox: three addresses, app key, prefix ‖ rclone: program, backend, path
///     ‖ signsIn flag ‖ certificates, a byte string
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
        case .dropbox(let folder):
            writer.u8(4)
            folder.encode(&writer)
        case .rclone(let folder):
            writer.u8(5)
            folder.encode(&writer)
        }
        writer.flag(signsIn)
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
        case 4: settings = .dropbox(try DropboxFolder(parsing: &reader))
        case 5: settings = .rclone(try RcloneFolder(parsing: &reader))
        default: throw FormatError(.unknownKind, offset: at)
        }
        self.init(vault: vault, settings: settings)
        (createsVaultFolder, self.limits) = (creates, limits)
        signsIn = try reader.flag()
        certificates = try reader.lengthPrefixed(max: Self.certificateByteCountMax)
    }
}

extension DropboxFolder {
    /// Writes the fields, as a start order and the index have them.
    public func encode(_ writer: inout ByteWriter) {
        for address in hosts.all { writer.text(address.text) }
        writer.text(appKey)
        writer.text(prefix.joined(separator: "/"))
    }

    /// Reads them.
    ///
    /// - Throws: `FormatError` for anything that `encode` does not give.
    public init(parsing reader: inout ByteReader) throws(FormatError) {
        let at = reader.offset
        let hosts = Hosts(api: try reader.address(), content: try reader.address(), notify: try reader.address())
        let (key, prefix) = (try reader.text(max: 64), try reader.text(max: 512))
        guard let hosts, let folder = DropboxFolder(hosts: hosts, appKey: key, prefix: prefix) else {
            throw FormatError(.notCanonical, offset: at)
        }
        self = folder
    }
}

extension RcloneFolder {
    /// Writes the fields, as a start order and the index have them.
    public func encode(_ writer: inout ByteWriter) {
        writer.text(program)
        writer.text(backend)
        writer.text(path)
    }

    /// Reads them.
    ///
    /// - Throws: `FormatError` for anything that `encode` does not give.
    public init(parsing reader: inout ByteReader) throws(FormatError) {
        let at = reader.offset
        let (program, backend) = (try reader.text(max: 4096), try reader.text(max: 32))
        guard let folder = RcloneFolder(program: program, backend: backend, path: try reader.text(max: 1024)) else {
            throw FormatError(.notCanonical, offset: at)
        }
        self = folder
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
