// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import RemoteStores
internal import SyncProtocol
internal import VaultFormat

/// What `vault-sync` and the agent say to each other, and what a server lists.
extension FuzzTarget {
    static let synced = [packet, listing, pairing]

    private static let folders = [StoreFolder(.segment, shard: 0x01), StoreFolder(.card), StoreFolder(.header)]
        .compactMap { $0 }

    private static let packet = FuzzTarget(
        "packet",
        choice([
            { identity(SyncRequest.init(parsing:), \.encoded, $0) },
            { identity(SyncAnswer.init(parsing:), \.encoded, $0) },
            { bytes in
                folders.allSatisfy { folder in
                    identity(
                        { try StoreListing.names(in: $0, of: folder) },
                        { names in names.flatMap { Array($0.text.utf8) + [UInt8(ascii: "\n")] } }, bytes)
                }
            },
            { bytes in
                let text = String(decoding: bytes, as: UTF8.self)
                guard let address = RemoteAddress(text) else { return true }
                return RemoteAddress(address.text)?.text == address.text && !address.text.contains("/../")
                    && (address.isSecure || address.isThisMachine)
            },
        ]))

    /// A code as bytes, and as somebody types it: what is taken is written in one form.
    private static let pairing = FuzzTarget(
        "pairing",
        choice([
            { identity(PairingCode.init(parsing:), \.encoded, $0) },
            { bytes in
                guard let code = try? PairingText.parse(bytes) else { return true }
                let shown = PairingText.groups(of: code).joined(separator: " ")
                return (try? PairingText.parse(Array(shown.utf8))) == code
            },
        ]))

    /// In pieces, as they come from a socket. Whatever it is, only names of the folder are taken.
    private static let listing = FuzzTarget("listing") { bytes in
        folders.allSatisfy { folder in
            let names = ListedNames(of: folder)
            if bytes.first.map({ $0 & 1 == 0 }) ?? true { names.beginMultistatus() } else { names.beginPage() }
            var rest = bytes.dropFirst()
            var isRead = true
            while isRead, !rest.isEmpty {
                let piece = Array(rest.prefix(61))
                rest = rest.dropFirst(61)
                isRead = names.read(piece)
            }
            _ = isRead && names.finish()
            return names.names.allSatisfy { $0.folder == folder } && names.names.count <= StoreFolder.nameCountMax + 1
        }
    }
}
