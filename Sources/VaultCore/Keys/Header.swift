// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import VaultCrypto
public import VaultFormat

/// A header that the vault key vouches for. Only `verify` and `make` build one.
public struct Header: Sendable {
    public let content: UnverifiedHeader

    /// Checks the MAC over all of the header, so that no slot, epoch or counter was added, dropped or changed (ThreatModel A12).
    ///
    /// - Throws: `VaultError.integrity`: by now a slot has opened, so this is no wrong password.
    static func verify(_ header: UnverifiedHeader, keys: VaultKeys) throws(VaultError) -> Header {
        guard let expected = try? mac(header, keys), SafeCompare.equal(expected, header.mac) else { throw VaultError(.integrity) }
        return Header(content: header)
    }

    /// Seals a header of our own making.
    static func make(_ header: UnverifiedHeader, keys: VaultKeys) throws(CryptoError) -> Header {
        var sealed = header
        sealed.mac = try mac(header, keys)
        return Header(content: sealed)
    }

    private static func mac(_ header: UnverifiedHeader, _ keys: VaultKeys) throws(CryptoError) -> [UInt8] {
        try HMAC.tag(keys.headerMAC.duplicateSecret(), header.authenticatedBytes, hash: .sha512)
    }

    private init(content: UnverifiedHeader) { self.content = content }
}
