// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import VaultCrypto
internal import VaultFormat

extension OpenVault {
    /// Returns a short text that two machines have in common only if they have the same entries of this vault, under
    /// the same key: to be compared by eye. Spec: docs/format.md §10.
    ///
    /// - Throws: `VaultError.integrity` where the counters do not open.
    public func fingerprint() throws(VaultError) -> String {
        let state = try read { try IndexState.fetch($0.database) }
        return try VaultError.mapping { () throws(CryptoError) in
            try Fingerprint.text(header.identity, epoch: header.epoch, sequence: state.sequence, chain: state.chain)
        }
    }
}

/// A `Fingerprint` names a state of a vault in few characters: 80 bits of a digest, so that nobody makes a second one
/// of the same name.
enum Fingerprint {
    private static let label = Array("vault/v1 fingerprint".utf8)
    private static let byteCount = 10

    static func text(
        _ identity: VaultIdentity, epoch: UInt32, sequence: UInt64, chain: [UInt8]
    ) throws(CryptoError) -> String {
        var writer = ByteWriter(reserving: 128)
        writer.raw(label)
        writer.raw(identity.vaultID.bytes)
        writer.raw(identity.copyID?.bytes ?? [UInt8](repeating: 0, count: CopyID.byteCount))
        writer.u32(epoch)
        writer.u64(sequence)
        writer.raw(chain)
        let letters = Array(Base32.encode(Array(try Digest.sha256(writer.bytes).prefix(byteCount))))
        return stride(from: 0, to: letters.count, by: 4).map { String(letters[$0..<$0 + 4]) }.joined(separator: "-")
    }
}
