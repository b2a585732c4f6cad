// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import VaultCrypto
public import VaultFormat

/// A `FollowedKey` is the vault's key of the next epoch as another device has made it: found in a header of the remote by
/// the owner's credential.
///
/// A header of the remote says nothing by itself. That a credential of the owner opens a keyslot of it, and that the
/// key in there vouches for the header with which the epoch was ended, makes it the owner's word. Spec:
/// docs/format.md §25.8.
public final class FollowedKey: @unchecked Sendable {
    let root: SymmetricKey
    /// The newest header under that key.
    let header: Header
    /// The header that the ending of the epoch before has named.
    let named: Header

    /// The SHA-256 of the header that the ending has named.
    public let ending: [UInt8]

    /// Tries a credential on headers of a remote.
    ///
    /// - Parameters:
    ///   - headers: as `RemoteHeaders.parse` gave them; those of another epoch, vault or copy are passed over.
    ///   - endings: SHA-256 of the headers that endings have named, the one that counts before all others first.
    ///   - base: of this vault.
    ///   - triesDear: keyslots that ask for far more work than is usual are tried too, on the owner's word.
    /// - Throws: `VaultError.wrongPassword` when no header that an ending has named is opened, `.notFound` when none is
    ///   there, `.keyslotNeedsMemory`, `.costlyKeyslot`, `.outOfMemory`, `.libraryFailed`.
    public init(
        _ headers: [UnverifiedHeader], endings: [[UInt8]], following base: Header, _ credential: borrowing Credential,
        triesDear: Bool = false
    ) throws(VaultError) {
        let next = headers.filter { $0.epoch == base.epoch + 1 && $0.identity == base.identity }
            .sorted { $0.counter > $1.counter }
        let named = endings.compactMap { ending in next.first { (try? Self.digest($0)) == ending } }
        guard !named.isEmpty else { throw VaultError(.notFound) }
        var costs = KeyslotCosts()
        costs.know(base.content)
        var trial = KeyslotTrial(costs: costs, triesDear: triesDear)
        var opened: [(root: SymmetricKey, keys: VaultKeys)] = []
        for header in next {
            for slot in header.keyslots {
                guard let root = try trial.open(slot, credential, header) else { continue }
                let keys = try VaultError.mapping { () throws(CryptoError) in try VaultKeys(root) }
                if (try? Header.verify(header, keys: keys)) != nil { opened.append((root, keys)) }
            }
        }
        for candidate in named {
            for (root, keys) in opened {
                guard let verified = try? Header.verify(candidate, keys: keys) else { continue }
                let all = next.compactMap { try? Header.verify($0, keys: keys) }
                (self.root, self.named, header) = (root, verified, all.first ?? verified)
                ending = try Self.digest(candidate)
                return
            }
        }
        throw trial.failure
    }

    private static func digest(_ header: UnverifiedHeader) throws(VaultError) -> [UInt8] {
        try VaultError.mapping { () throws(CryptoError) in try Digest.sha256(header.encoded) }
    }
}
