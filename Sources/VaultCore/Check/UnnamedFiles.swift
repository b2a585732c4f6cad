// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import VaultFormat

/// `UnnamedFilesStay` says why files that no row of the index names are left where they are: an index that was lost,
/// set aside or written out may name them, and they may be all that is left of a draft or an attachment.
public enum UnnamedFilesStay: Sendable, Equatable {
    /// The vault was opened without something, or older than it was, on its owner's word.
    case opening
    /// A file of this name is in the vault's folder; only the owner removes it.
    case file(String)

    /// Tells whether a name is that of a damaged file that was kept, of a repaired index, or of one that was rescued or
    /// put aside.
    static func isReason(_ name: String) -> Bool {
        name.contains(IndexFile.damagedLogMark) || name.hasSuffix(".repaired") || RescuedName.isOne(name)
            || AsideName.isOne(name)
    }
}

extension OpenVault {
    /// Says whether, and why, nothing that the index does not name may be removed or moved.
    ///
    /// - Throws: `VaultError` for a folder that cannot be listed: then nothing is known.
    func whyUnnamedFilesStay() throws(VaultError) -> UnnamedFilesStay? {
        // The file first: it is what the owner can do something about.
        if let name = try directory.names().filter(UnnamedFilesStay.isReason).min() { return .file(name) }
        return loss != nil || acceptsRollback ? .opening : nil
    }
}
