// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import Glibc
internal import VaultCrypto
internal import VaultFormat

/// A `ManifestFile` is the two copies of the sealed manifest on disk: either one is enough. Spec: docs/format.md §7.
struct ManifestFile {
    static let names = ["manifest", "manifest.2"]
    /// The next epoch's, written before a rotation's commit.
    static let nextNames = ["manifest.next", "manifest.2.next"]
    static let byteCountMax = 64 * 1024

    let directory: VaultDirectory
    let key: SymmetricKey
    let context: [UInt8]

    init(_ directory: VaultDirectory, keys: VaultKeys, header: Header) {
        self.directory = directory
        key = keys.manifest
        context = Context(kind: .manifest, vaultID: header.vaultID, epoch: header.epoch).encoded
    }

    /// Reads the copy that counts: the authentic one with the higher generation, the first of two with the same.
    ///
    /// The first is always written before the second. A log salt that the first alone has is that of a log without
    /// frames, which either copy fits; see `OpenVault.startNewLog`.
    ///
    /// - Throws: `VaultError.integrity` when neither copy is there, whole, and of this vault and epoch; `.notOurs` when
    ///   one of them is no file of ours, `.system` when one could not be read.
    func read() throws(VaultError) -> Manifest {
        // After a rotation's commit it still has the name that it was written under; the header's epoch says that it
        // counts.
        var failure = VaultError(.integrity, damage: .manifest)
        for names in [Self.names, Self.nextNames] {
            var newest: Manifest?
            for name in names {
                do throws(VaultError) {
                    guard let copy = try copy(name) else { continue }
                    if newest.map({ copy.generation > $0.generation }) ?? true { newest = copy }
                } catch {
                    // A bad sector is what the other copy is for; what else the system refuses may pass.
                    guard error.code != .system || error.systemError == EIO else { throw error }
                    guard error.code == .system || error.code == .notOurs else { continue }
                    failure = VaultError(
                        error.code, systemError: error.systemError, damage: error.code == .system ? .manifest : nil)
                }
            }
            if let newest { return newest }
        }
        throw failure
    }

    /// Whether both copies are there and whole.
    var isWholeTwice: Bool { Self.names.allSatisfy { (try? copy($0)) ?? nil != nil } }

    /// The headers that whole copies speak of: of two with one generation the first counts, and either may have been
    /// put back alone.
    var knownHeaders: [KnownHeader] {
        Self.names.compactMap { name in ((try? copy(name)) ?? nil).flatMap { KnownHeader($0) } }
    }

    /// Returns whether both copies are there and name this map.
    func isMapInBoth(_ map: MapRoot?) -> Bool {
        Self.names.allSatisfy { name in
            guard let found = (try? copy(name)) ?? nil else { return false }
            return found.map == map
        }
    }

    /// Reads one copy.
    ///
    /// - Returns: nil for a copy that is missing, damaged, or of another vault or epoch.
    private func copy(_ name: String) throws(VaultError) -> Manifest? {
        guard let bytes = try directory.read(name, byteCountMax: Self.byteCountMax) else { return nil }
        return opened(bytes)
    }

    /// Returns what a file of these bytes says; nil for anything that is not this vault's of this epoch.
    func opened(_ bytes: [UInt8]) -> Manifest? {
        guard let padded = try? Cobblestone().open(bytes, key: key, context: context),
            let content = try? Padme.unpad(padded)
        else { return nil }
        return try? Manifest(parsing: content)
    }

    /// Writes both copies, one after the other: a crash between them leaves one of each, and both are whole.
    ///
    /// - Parameter secondWaits: for the disk. Without that a power cut may cost the second copy, never the first; and
    ///   if it cannot be written at all the older one stays. That does for what changes no log salt.
    /// - Throws: `VaultError.readOnly`, `.saveFailed`.
    func write(_ manifest: Manifest, to names: [String] = names, secondWaits: Bool = true) throws(VaultError) {
        let bytes = try sealed(manifest)
        try directory.replace(names[0], with: bytes)
        guard secondWaits else {
            try? directory.replace(names[1], with: bytes, waits: false)
            return
        }
        try directory.replace(names[1], with: bytes)
    }

    /// Returns what the file holds.
    func sealed(_ manifest: Manifest) throws(VaultError) -> [UInt8] {
        try VaultError.mapping { () throws(CryptoError) in
            try Cobblestone().seal(Padme.pad(manifest.encoded), key: key, context: context)
        }
    }
}
