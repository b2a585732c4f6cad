// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import VaultCrypto
public import VaultFormat

/// A `FollowedKey` is the vault's key of the next epoch as another device has made it: found in a header of the remote
/// by the owner's credential.
///
/// A header of the remote proves nothing on its own. That a credential of the owner opens a keyslot of it, and that the
/// key in there vouches for it, makes it the owner's word. Spec: docs/format.md §25.8.
public final class FollowedKey: @unchecked Sendable {
    let root: SymmetricKey
    /// The newest header under that key.
    let header: Header
    /// The SHA-256 of the header that the ending of the epoch has named.
    let ending: [UInt8]

    /// Tries a credential on headers of a remote.
    ///
    /// - Parameters:
    ///   - headers: as `RemoteHeaders.parse` gave them; those of another epoch, vault or copy are passed over.
    ///   - endings: SHA-256 of the headers that endings have named, the one that counts before all others first.
    ///   - base: of this vault.
    ///   - triesDear: keyslots that ask for far more work than is usual are tried too, on the owner's word.
    /// - Throws: `VaultError.wrongPassword` when no header of the next epoch is opened, `.notFound` when none is there,
    ///   nothing has ended this one, or nobody can say which ending it is; `.oldKey` when there are only later ones;
    ///   `.keyslotNeedsMemory`, `.costlyKeyslot`, `.outOfMemory`, `.libraryFailed`.
    public init(
        _ headers: [UnverifiedHeader], endings: [[UInt8]], following base: Header, _ credential: borrowing Credential,
        triesDear: Bool = false
    ) throws(VaultError) {
        let next = headers.filter { $0.epoch == base.epoch + 1 && $0.identity == base.identity }
            .sorted { $0.counter > $1.counter }
        guard let first = endings.first, !next.isEmpty else {
            throw VaultError(headers.contains { $0.epoch > base.epoch + 1 } ? .oldKey : .notFound)
        }
        var costs = KeyslotCosts()
        costs.know(base.content)
        var trial = KeyslotTrial(costs: costs, triesDear: triesDear)
        var opened: [Opened] = []
        for header in next where !opened.contains(where: { $0.vouches(for: header) }) {
            for slot in header.keyslots {
                guard let root = try trial.open(slot, credential, header) else { continue }
                let keys = try VaultError.mapping { () throws(CryptoError) in try VaultKeys(root) }
                guard let verified = try? Header.verify(header, keys: keys) else { continue }
                opened.append(Opened(root: root, keys: keys, header: verified))
                break
            }
        }
        guard let newest = opened.first else { throw trial.failure }
        let named = endings.compactMap { ending in next.first { (try? Self.digest($0)) == ending } }
        for candidate in named {
            guard let found = opened.first(where: { $0.vouches(for: candidate) }) else { continue }
            (root, header, ending) = (found.root, found.header, try Self.digest(candidate))
            return
        }
        // The header of the beginning may have been removed with a password that it has. Of several endings nobody can
        // say which one it was.
        guard endings.count == 1 else { throw VaultError(.notFound) }
        (root, header, ending) = (newest.root, newest.header, first)
    }

    /// A header that the credential has opened, with its keys.
    private struct Opened {
        let root: SymmetricKey
        let keys: VaultKeys
        let header: Header

        func vouches(for header: UnverifiedHeader) -> Bool { (try? Header.verify(header, keys: keys)) != nil }
    }

    private static func digest(_ header: UnverifiedHeader) throws(VaultError) -> [UInt8] {
        try VaultError.mapping { () throws(CryptoError) in try Digest.sha256(header.encoded) }
    }
}
