// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import SealedSQLite
internal import VaultCrypto
internal import VaultFormat

extension SalvagedIndex {
    /// Opens the index of a vault's folder to be read page by page; nothing is written.
    ///
    /// The log opens only with the salt of the manifest that it was begun under, so every copy of the manifest that
    /// opens is asked.
    ///
    /// - Parameters:
    ///   - header: verified.
    ///   - name: of the index file, where it has another than its epoch's.
    ///   - others: more manifests, which are not under the vault's names for them.
    /// - Throws: `VaultError.notOurs` for a link or another user's file, `.system`.
    convenience init(
        in directory: VaultDirectory, _ header: Header, _ keys: VaultKeys, name: String? = nil,
        besides others: [Manifest] = []
    ) throws(VaultError) {
        let manifests = others + Self.manifests(in: directory, header, keys)
        let pages = try VaultError.translating {
            try PageSalvage(
                directory: directory.descriptor, name: name ?? IndexFile.name(epoch: header.epoch),
                pageKey: keys.indexPage, logKey: keys.indexLog, pageBinding: Self.binding(.indexPage, header),
                logBinding: Self.binding(.indexLog, header), logSalts: manifests.map(\.logSalt))
        }
        // Of the copies that name a map the one that counts; a file of another name has none.
        let named = manifests.reduce(nil) { (newest: Manifest?, found) in
            newest.map { $0.generation >= found.generation } ?? false ? newest : found
        }
        if name == nil, let map = named?.map {
            pages.readMap(
                IndexFile.mapName(epoch: header.epoch), in: directory.descriptor, root: PageMapRoot(map))
        }
        try self.init(pages, header, keys, in: directory)
        vouchedPageCount = manifests.max { $0.generation < $1.generation }?.pageCount ?? 0
    }

    /// Opens an index file alone, as a backup's pieces make it.
    ///
    /// - Parameters:
    ///   - file: a descriptor; it is taken over.
    ///   - directory: where objects and drafts lie.
    convenience init(
        reading file: Int32, in directory: VaultDirectory, _ header: Header, _ keys: VaultKeys
    ) throws(VaultError) {
        let pages = try VaultError.translating {
            try PageSalvage(
                reading: file, pageKey: keys.indexPage, pageBinding: Self.binding(.indexPage, header))
        }
        try self.init(pages, header, keys, in: directory)
    }

    /// Returns the manifest and what else may hold one, as far as they open.
    static func manifests(in directory: VaultDirectory, _ header: Header, _ keys: VaultKeys) -> [Manifest] {
        let file = ManifestFile(directory, keys: keys, header: header)
        let names = ManifestFile.names + ManifestFile.nextNames + ManifestFile.names.map { $0 + ".new" }
        return names.compactMap { name in
            (try? directory.read(name, byteCountMax: ManifestFile.byteCountMax)).flatMap { $0.flatMap(file.opened) }
        }
    }

    private static func binding(_ kind: Context.Kind, _ header: Header) -> [UInt8] {
        Context(kind: kind, vaultID: header.vaultID, epoch: header.epoch).encoded
    }
}
