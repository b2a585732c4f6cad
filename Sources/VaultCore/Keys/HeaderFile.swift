// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import VaultCrypto
internal import VaultFormat

/// A `HeaderFile` is the two copies of the header: either one is enough, so one bad sector does not lose a vault.
struct HeaderFile {
    static let names = ["header", "header.2"]

    /// A `Copy` is a copy that parses, as it lies on disk.
    struct Copy {
        let header: UnverifiedHeader
        let digest: [UInt8]
    }

    /// Returns the well-formed copies, the higher counter first. Bounds of costs are a part of the form, so nobody is
    /// asked for a password before they are checked.
    ///
    /// - Throws: `VaultError.noVault`, `.newerFormat`, `.costOutOfRange`, `.integrity`.
    static func read(_ directory: VaultDirectory) throws(VaultError) -> [Copy] {
        var copies: [Copy] = []
        var failures: [VaultError] = []
        for name in names {
            do throws(VaultError) {
                guard let bytes = try directory.read(name, byteCountMax: UnverifiedHeader.byteCountMax) else {
                    continue
                }
                let copy = try copy(bytes)
                // Two equal copies are one: a wrong password is derived once.
                if !copies.contains(where: { $0.digest == copy.digest }) { copies.append(copy) }
            } catch { failures.append(error) }
        }
        // One good copy is enough, whatever the other one says: the pin's counter tells whether it is the newest.
        if copies.isEmpty { throw failures.first ?? VaultError(.noVault) }
        return copies.sorted { $0.header.counter > $1.header.counter }
    }

    /// Writes both copies, one after the other: a crash between them leaves one of each, and both are whole.
    static func write(_ header: Header, to directory: VaultDirectory) throws(VaultError) {
        for name in names { try directory.replace(name, with: header.encoded) }
    }

    static func digest(_ header: Header) throws(VaultError) -> [UInt8] {
        try VaultError.mapping { () throws(CryptoError) in try Digest.sha256(header.encoded) }
    }

    /// Parses one copy.
    ///
    /// - Throws: `VaultError.newerFormat`, `.costOutOfRange`, `.integrity`.
    static func copy(_ bytes: [UInt8]) throws(VaultError) -> Copy {
        let header: UnverifiedHeader
        do throws(FormatError) {
            header = try UnverifiedHeader(parsing: bytes)
        } catch {
            // A kind of keyslot that we do not know is a newer program's, as a version or a feature is: no damage.
            throw VaultError(
                [.unknownVersion, .unknownFeature, .unknownKind].contains(error.code) ? .newerFormat : .integrity)
        }
        // No writer makes such a slot. What only this machine cannot do is said of the slot, not of the header.
        guard header.keyslots.allSatisfy(KeyslotCosts.isOfTheFormat) else { throw VaultError(.costOutOfRange) }
        let digest = try VaultError.mapping { () throws(CryptoError) in try Digest.sha256(bytes) }
        return Copy(header: header, digest: digest)
    }
}
