// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import SecretMemory
internal import VaultCrypto
internal import VaultFormat

/// The vault's own formats. Most are parsed only after they were authenticated; here whatever bytes come.
extension FuzzTarget {
    static let format = [header, keyslot, manifest, record, archive, snapshot, parity, remote, entry]

    private static let header = FuzzTarget("header") { identity(UnverifiedHeader.init(parsing:), \.encoded, $0) }

    private static let keyslot = FuzzTarget(
        "keyslot",
        choice([
            { identity(NoteKeyslot.init(parsing:), \.encoded, $0) },
            { bytes in
                guard let text = String(validating: bytes, as: UTF8.self), let hash = try? PasswordHash(parsing: text)
                else { return true }
                return Array(hash.encoded.utf8) == bytes
            },
            { bytes in
                _ = KeyFile.parse(secret(bytes))
                return true
            },
        ]))

    private static let manifest = FuzzTarget(
        "manifest",
        choice([
            { bytes in
                guard let manifest = try? Manifest(parsing: bytes) else { return true }
                // Version 1 is written again as a manifest that knows no header and no map.
                return bytes.starts(with: [0, 1])
                    ? manifest.encoded[2..<55] == bytes[2...] && manifest.headerCounter == 0 && manifest.map == nil
                    : manifest.encoded == bytes
            },
            { bytes in
                guard let pin = try? Pin(parsing: bytes) else { return true }
                // One of before is written again as a pin that knows no entry.
                return bytes.starts(with: Array("VPN1".utf8))
                    ? pin.encoded[4..<72] == bytes[4...] && pin.sequence == 0 : pin.encoded == bytes
            },
        ]))

    private static let record = FuzzTarget(
        "record",
        choice([
            { identity(NoteRecord.init(parsing:), \.encoded, $0) },
            { identity(PrivateRecord.init(parsing:), \.encoded, $0) },
            { identity(AttachmentRecord.init(parsing:), \.encoded, $0) },
            { identity(AttachmentDetails.init(parsing:), \.encoded, $0) },
            { identity(DraftText.init(parsing:), \.encoded, $0) },
            { identity(Entry.init(parsing:), \.encoded, $0) },
        ]))

    private static let archive = FuzzTarget("archive") { bytes in
        if let size = try? ArchivePrefix.parse(bytes), size > UnverifiedHeader.byteCountMax { return false }
        let prefix = Array(bytes.prefix(ArchiveItem.prefixByteCount))
        guard let (kind, byteCount) = try? ArchiveItem.parsePrefix(prefix) else { return true }
        guard byteCount <= ArchiveItem.payloadByteCountMax else { return false }
        let payload = Array(bytes.dropFirst(prefix.count))
        guard let item = try? ArchiveItem(kind, parsing: payload) else { return true }
        return Array(item.encoded.dropFirst(prefix.count)) == payload
    }

    private static let snapshot = FuzzTarget(
        "snapshot",
        choice([
            { identity(SnapshotFile.init(parsing:), \.encoded, $0) },
            { identity(SnapshotList.init(parsing:), \.encoded, $0) },
            { SnapshotName(String(decoding: $0, as: UTF8.self)).map { name in name.text.utf8.count < 64 } ?? true },
        ]))

    private static let parity = FuzzTarget(
        "parity",
        choice([
            { identity(ParityTable.init(parsing:), \.encoded, $0) },
            { bytes in
                let head = ParityHead(parsing: Array(bytes.prefix(64))) { try? Digest.sha256($0) }
                return (head?.tableByteCount ?? 0) <= ParityTable.byteCountMax
            },
        ]))

    private static let remote = FuzzTarget(
        "remote",
        choice([
            { identity(RemoteSegment.init(parsing:), \.encoded, $0) },
            { identity(RemoteSpan.init(parsing:), \.encoded, $0) },
            { identity(RemoteCard.init(parsing:), \.encoded, $0) },
            { bytes in
                let listed = String(decoding: bytes, as: UTF8.self)
                let name = RemoteName(listed: listed, in: .segments).map { $0.hex == listed && $0.path.count == 69 }
                return name ?? true && RemoteHeaderName(listed: listed).map { $0.text == listed } ?? true
            },
            { bytes in
                let size = bytes.prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
                guard let parts = PartList(fileByteCount: size) else { return true }
                let last = parts.range(of: parts.count - 1)
                return last.upperBound == size && last.count <= Int(PartList.byteCountMax) && last.count > 15
            },
        ]))

    private static let entry = FuzzTarget(
        "entry",
        choice([
            { identity(EntryBody.init(parsing:), \.encoded, $0) },
            { identity(EntryStatement.init(parsing:), \.encoded, $0) },
        ]))

    static func secret(_ bytes: [UInt8]) -> SecretBytes {
        var secret = SecretBytes(zeroes: bytes.count)
        unsafe secret.withUnsafeMutableBytes { unsafe $0.copyBytes(from: bytes) }
        return secret
    }
}
