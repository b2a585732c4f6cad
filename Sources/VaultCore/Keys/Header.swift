// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import VaultCrypto
public import VaultFormat

/// A `Header` is a header that the vault key vouches for. Only `verify`, `make` and `changed` build one.
public struct Header: Sendable, Equatable {
    /// What the MAC covers. Slots are bound to it; nothing else goes on with a header that nobody vouches for.
    let content: UnverifiedHeader

    public var vaultID: VaultID { content.vaultID }
    /// Nil for a vault that is not a copy with an identity of its own.
    public var copyID: CopyID? { content.copyID }
    /// Which vault this is, or which copy of one.
    public var identity: VaultIdentity { content.identity }
    public var epoch: UInt32 { content.epoch }
    public var counter: UInt64 { content.counter }
    public var keyslots: [Keyslot] { content.keyslots }
    /// The file's bytes, with the MAC.
    public var encoded: [UInt8] { content.encoded }

    /// Checks the MAC over all of the header, so that no slot, epoch or counter was added, dropped or changed
    /// (ThreatModel A12).
    ///
    /// - Throws: `VaultError.integrity`: by now a slot has opened, so this is no wrong password.
    static func verify(_ header: UnverifiedHeader, keys: VaultKeys) throws(VaultError) -> Header {
        guard let expected = try? mac(header, keys), SafeCompare.equal(expected, header.mac) else {
            throw VaultError(.integrity)
        }
        return Header(content: header)
    }

    /// Seals a header of our own making.
    static func make(_ header: UnverifiedHeader, keys: VaultKeys) throws(CryptoError) -> Header {
        var sealed = header
        sealed.mac = try mac(header, keys)
        return Header(content: sealed)
    }

    /// Returns the header that follows this one, with a counter one higher, and whatever `body` changes.
    ///
    /// - Throws: `VaultError.integrity` when there is no higher counter, `.libraryFailed`.
    func changed(keys: VaultKeys, _ body: (inout UnverifiedHeader) -> Void) throws(VaultError) -> Header {
        var next = content
        let (counter, isOver) = next.counter.addingReportingOverflow(1)
        guard !isOver else { throw VaultError(.integrity) }
        next.counter = counter
        body(&next)
        return try VaultError.mapping { () throws(CryptoError) in try Header.make(next, keys: keys) }
    }

    private static func mac(_ header: UnverifiedHeader, _ keys: VaultKeys) throws(CryptoError) -> [UInt8] {
        try HMAC.tag(keys.headerMAC.duplicateSecret(), header.authenticatedBytes, hash: .sha512)
    }

    private init(content: UnverifiedHeader) { self.content = content }
}
