// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import VaultFormat

/// A `LooseIndex` is an index that lies in a vault's folder beside the vault's own: another machine's, under the name
/// that a sync program gave it, one that was rescued, or one that was put aside for that. Attachments' files have names
/// of their own, so both machines' lie in one folder.
struct LooseIndex {
    /// Whether a log may belong to it, under its name with "-wal".
    let hasLog: Bool
    private let manifestNames: [String]

    /// Finds out from its name which manifests may belong to an index.
    ///
    /// - Throws: `VaultError.badPattern` for a name that is none of such an index of the header's epoch.
    init(_ name: String, in directory: VaultDirectory, _ header: Header) throws(VaultError) {
        let epoch = header.epoch
        if ConflictedCopy(name)?.original == IndexFile.name(epoch: epoch) {
            hasLog = true
            manifestNames = try directory.names().filter { ConflictedCopy($0)?.original.hasPrefix("manifest") == true }
        } else if RescuedName.isOne(name), name.hasPrefix(RescuedName.index(epoch: epoch)) {
            hasLog = false
            manifestNames = [RescuedName.manifest + name.dropFirst(RescuedName.index(epoch: epoch).count)]
        } else if name.hasPrefix(IndexFile.name(epoch: epoch)), let stamp = AsideName.stamp(ofIndex: name) {
            hasLog = true
            manifestNames = ManifestFile.names.map { AsideName.of($0, at: stamp) }
        } else {
            throw VaultError(.badPattern)
        }
    }

    /// Reads the manifests that may belong to it, as far as they open.
    func manifests(_ directory: VaultDirectory, _ header: Header, _ keys: VaultKeys) -> [Manifest] {
        let file = ManifestFile(directory, keys: keys, header: header)
        return manifestNames.compactMap { name in
            (try? directory.read(name, byteCountMax: ManifestFile.byteCountMax)).flatMap { $0.flatMap(file.opened) }
        }
    }
}
