// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import VaultCrypto
internal import VaultFormat

/// The sealed manifest on disk. Spec: docs/format.md §7.
struct ManifestFile {
    static let name = "manifest"
    /// The next epoch's, written before a rotation's commit.
    static let nextName = "manifest.next"
    static let byteCountMax = 64 * 1024

    let directory: VaultDirectory
    let key: SymmetricKey
    let context: [UInt8]

    init(_ directory: VaultDirectory, keys: VaultKeys, header: Header) {
        self.directory = directory
        key = keys.manifest
        context = Context(kind: .manifest, vaultID: header.vaultID, epoch: header.epoch).encoded
    }

    /// - Throws: `VaultError.integrity` when it is missing, altered or of another vault or epoch.
    func read() throws(VaultError) -> Manifest {
        if let manifest = try read(Self.name) { return manifest }
        // After a rotation's commit it still has the name that it was written under; the header's epoch says that it
        // counts.
        guard let next = try read(Self.nextName) else { throw VaultError(.integrity) }
        return next
    }

    private func read(_ name: String) throws(VaultError) -> Manifest? {
        guard let bytes = try directory.read(name, byteCountMax: Self.byteCountMax) else { return nil }
        return opened(bytes)
    }

    /// What a file of these bytes says; nil for anything that is not this vault's of this epoch.
    func opened(_ bytes: [UInt8]) -> Manifest? {
        guard let padded = try? Cobblestone().open(bytes, key: key, context: context),
            let content = try? Padme.unpad(padded)
        else { return nil }
        return try? Manifest(parsing: content)
    }

    /// - Throws: `VaultError.readOnly`, `.saveFailed`.
    func write(_ manifest: Manifest, to name: String = name) throws(VaultError) {
        try directory.replace(name, with: sealed(manifest))
    }

    /// What the file holds.
    func sealed(_ manifest: Manifest) throws(VaultError) -> [UInt8] {
        try VaultError.mapping { () throws(CryptoError) in
            try Cobblestone().seal(Padme.pad(manifest.encoded), key: key, context: context)
        }
    }
}
