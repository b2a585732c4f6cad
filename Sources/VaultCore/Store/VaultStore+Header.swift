// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import SealedSQLite
internal import VaultCrypto
internal import VaultFormat

/// The header on disk, and what belongs to it.
extension VaultStore {
    /// Refuses to go on when another program has put another header in place: its keyslots, or even the key, are not the ones that this agent has.
    ///
    /// It costs one look at the file. A header that was damaged is no other one: the next unlock mends it from its copy.
    ///
    /// - Throws: `VaultError.keysChanged` (ATTACKS D03).
    public func requireOurHeader() throws(VaultError) {
        let name = HeaderFile.names[0]
        let seen = directory.identity(name)
        guard seen != headerSeen || seen == nil else { return }
        let bytes = try? directory.read(name, byteCountMax: UnverifiedHeader.byteCountMax)
        if let bytes, bytes != header.encoded, (try? UnverifiedHeader(parsing: bytes)) != nil { throw VaultError(.keysChanged) }
        headerSeen = seen
    }

    /// Puts another header of ours in the place of the one that is there. It is durable when this returns.
    func replaceHeader(_ next: Header) throws(VaultError) {
        try requireOurHeader()
        do throws(VaultError) {
            try HeaderFile.write(next, to: directory)
        } catch {
            // One copy may be new: which of them counts is for the next unlock to say.
            isReadOnly = true
            throw error
        }
        header = next.content
        headerSeen = directory.identity(HeaderFile.names[0])
        recordPin()
    }

    /// Removes what a rotation has left of another epoch: an index that no header ever named, or the one that was replaced. Only the header
    /// says which index counts; a file alone says nothing (ATTACKS D01).
    func discardOtherEpochs() throws(VaultError) {
        let ours = Self.indexName(epoch: header.epoch)
        let left = directory.names().filter { name in
            (name.hasPrefix("index-") && name != ours && name != ours + "-wal") || name == ManifestFile.nextName
        }
        guard !left.isEmpty else { return }
        // The header first: after a power cut it must not be the one of before.
        guard directory.sync() else { throw VaultDirectory.failure() }
        for name in left { directory.remove(name) }
    }
}
