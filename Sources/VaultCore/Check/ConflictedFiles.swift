// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import VaultFormat

/// This extension finds what sync programs, and this program in need, have left beside the vault's files. Nothing of it
/// is removed: it may hold notes that are nowhere else.
extension Checks {
    /// Returns the names that a sync program gave to what another machine wrote at the same time.
    public func conflictedCopies() -> [String] {
        (try? vault.directory.names())?.filter { ConflictedCopy($0) != nil }.sorted() ?? []
    }

    /// Returns the names of indexes that were written out when the vault's own was exchanged or removed, and of those
    /// that were put aside.
    public func rescued() -> [String] {
        (try? vault.directory.names())?.filter {
            (RescuedName.isOne($0) && $0.hasPrefix("index-")) || AsideName.stamp(ofIndex: $0) != nil
        }.sorted() ?? []
    }

    /// Returns those names that are copies of a header or manifest of this vault, as its key says.
    func authentic(among names: [String]) -> [String] {
        names.filter { name in
            guard let copy = ConflictedCopy(name),
                let bytes = try? vault.directory.read(name, byteCountMax: ManifestFile.byteCountMax)
            else { return false }
            if copy.original.hasPrefix("manifest") { return vault.manifestFile.opened(bytes) != nil }
            guard HeaderFile.names.contains(copy.original), let header = try? UnverifiedHeader(parsing: bytes) else {
                return false
            }
            return (try? Header.verify(header, keys: vault.keys)) != nil
        }
    }
}

extension VaultDirectory {
    /// The properties of its file system.
    public var fileSystemKind: FileSystemKind { FileSystemKind(number: fileSystem) }
}
