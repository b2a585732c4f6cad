// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import ForeignCrypto
internal import SecretMemory

/// age files, recipients and identities.
extension FuzzTarget {
    /// The identity of the vectors in Vectors/age.json; it opens some of the corpus, so that changes reach what stands
    /// behind the header's MAC.
    private static let identityText = "AGE-SECRET-KEY-1EGTZVFFV20835NWYV6270LXYVK2VKNX2MMDKWYKLMGR48UAWX40Q2P2LM0"

    static let age = FuzzTarget("age") { bytes in
        let text = String(decoding: bytes.prefix(100), as: UTF8.self)
        if let recipient = try? AgeRecipient(parsing: text), recipient.text != text { return false }
        _ = try? AgeIdentity(parsing: secret(Array(bytes.prefix(100))))
        guard let identity = try? AgeIdentity(parsing: secret(Array(identityText.utf8))) else { return false }
        var at = 0
        let reader = try? unsafe AgeReader(identities: [identity]) { target in
            let part = bytes[at...].prefix(target.count)
            unsafe target.copyBytes(from: part)
            at += part.count
            return part.count
        }
        guard let reader else { return true }
        var room = [UInt8](repeating: 0, count: 4096)
        var total = 0
        while let count = try? unsafe room.withUnsafeMutableBytes({ try unsafe reader.read(into: $0) }), count > 0 {
            total += count
        }
        return total <= bytes.count
    }
}
