// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import VaultCrypto
internal import VaultFormat

/// The sealed manifest on disk. Spec: docs/format.md §7.
struct ManifestFile {
    static let name = "manifest"
    private static let byteCountMax = 64 * 1024

    let directory: VaultDirectory
    let key: SymmetricKey
    let context: [UInt8]

    init(_ directory: VaultDirectory, keys: VaultKeys, header: UnverifiedHeader) {
        self.directory = directory
        key = keys.manifest
        context = Context(kind: .manifest, vaultID: header.vaultID, epoch: header.epoch).encoded
    }

    /// - Throws: `VaultError.integrity` when it is missing, altered or of another vault or epoch.
    func read() throws(VaultError) -> Manifest {
        guard let bytes = try directory.read(Self.name, byteCountMax: Self.byteCountMax),
            let padded = try? Cobblestone().open(bytes, key: key, context: context), let content = try? Padme.unpad(padded),
            let manifest = try? Manifest(parsing: content)
        else { throw VaultError(.integrity) }
        return manifest
    }

    /// - Throws: `VaultError.readOnly`, `.saveFailed`.
    func write(_ manifest: Manifest) throws(VaultError) {
        guard let sealed = try? Cobblestone().seal(Padme.pad(manifest.encoded), key: key, context: context) else {
            throw VaultError(.selfTestFailed)
        }
        try directory.replace(Self.name, with: sealed)
    }
}
