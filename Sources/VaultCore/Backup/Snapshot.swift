// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import VaultCrypto
internal import VaultFormat

/// `Snapshot` says how the list of a snapshot is sealed.
enum Snapshot {
    /// Makes a context that binds the list to the header's digest: an older header, and with it an older password,
    /// cannot be put in its place.
    private static func context(_ id: [UInt8], _ header: Header) throws -> [UInt8] {
        Context(
            kind: .snapshot, vaultID: header.vaultID, objectID: id, role: try Digest.sha256(header.encoded),
            epoch: header.epoch
        ).encoded
    }

    static func seal(_ list: SnapshotList, _ id: [UInt8], _ header: Header, _ keys: VaultKeys) throws -> [UInt8] {
        // Because a list is content of the vault: under a subkey of its own, bound to this snapshot.
        try Cobblestone().seal(Padme.pad(list.encoded), key: keys.backup, context: context(id, header))
    }

    /// Opens the list of a snapshot.
    ///
    /// - Throws: `VaultError.integrity`.
    static func list(_ file: SnapshotFile, _ header: Header, _ keys: VaultKeys) throws(VaultError) -> SnapshotList {
        guard
            let padded = try? Cobblestone().open(file.sealedList, key: keys.backup, context: context(file.id, header)),
            let content = try? Padme.unpad(padded), let list = try? SnapshotList(parsing: content)
        else { throw VaultError(.integrity) }
        return list
    }
}
