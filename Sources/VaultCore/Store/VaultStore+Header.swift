// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import GRDB
internal import SealedSQLite
internal import VaultCrypto
internal import VaultFormat

/// The header on disk, and what belongs to it.
extension VaultStore {
    /// Refuses to go on when another program has put another header in place: its keyslots, or even the key, are not the ones that this agent has.
    ///
    /// It costs one look at the file. A header that was damaged is no other one: the next unlock mends it from its copy.
    ///
    /// - Throws: `VaultError.keysChanged` (ThreatModel D03); from then on nothing is written, also not at the end.
    public func requireOurHeader() throws(VaultError) {
        guard !isForeign else { throw VaultError(.keysChanged) }
        let seen = directory.identity(HeaderFile.names[0])
        if let seen, seen == headerSeen { return }
        for name in HeaderFile.names {
            guard let bytes = try? directory.read(name, byteCountMax: UnverifiedHeader.byteCountMax) else { continue }
            if bytes == header.encoded {
                if name == HeaderFile.names[0] { headerSeen = seen }
                return
            }
            // What does not parse is damage; the other copy says whose vault this is.
            guard (try? UnverifiedHeader(parsing: bytes)) != nil else { continue }
            isForeign = true
            throw VaultError(.keysChanged)
        }
    }

    /// Puts another header of ours in the place of the one that is there. It is durable when this returns.
    ///
    /// - Throws: `VaultError.keysUncertain` when one copy may be new: which of them counts is for the next unlock to say.
    func replaceHeader(_ next: Header) throws(VaultError) {
        try requireOurHeader()
        do throws(VaultError) {
            try HeaderFile.write(next, to: directory)
        } catch {
            let first = try? directory.read(HeaderFile.names[0], byteCountMax: UnverifiedHeader.byteCountMax)
            guard first == header.encoded else {
                isReadOnly = true
                isForeign = true
                throw VaultError(.keysUncertain)
            }
            throw error
        }
        header = next.content
        // Read once more at the next look: somebody else may have been as quick.
        headerSeen = nil
        recordPin()
    }

    /// Changes the present header, with a counter one higher.
    ///
    /// While a rotation runs its row is bound to the counter, and the row comes first: one that is ahead of the header counts, one that is behind
    /// belongs to a rotation that has ended.
    func changeHeader(bindsRotation: Bool = true, _ body: (inout UnverifiedHeader) -> Void) throws(VaultError) {
        var next = header
        let (counter, isOver) = next.counter.addingReportingOverflow(1)
        guard !isOver else { throw VaultError(.integrity) }
        next.counter = counter
        body(&next)
        let sealed = try VaultError.mapping { () throws(CryptoError) in try Header.make(next, keys: keys) }
        if isRotating, bindsRotation { try write { try self.bindRotation($0, to: next.counter) } }
        try replaceHeader(sealed)
    }

    /// Removes what a rotation has left of another epoch: an index that no header ever named, or the one that was replaced. Only the header
    /// says which index counts; a file alone says nothing (ThreatModel D01).
    func discardOtherEpochs() throws(VaultError) {
        let ours = Self.indexName(epoch: header.epoch)
        // What cannot be listed now is removed at another opening; the vault opens all the same.
        guard let names = try? directory.names() else { return }
        let left = names.filter { name in
            (name.hasPrefix("index-") && name != ours && name != ours + "-wal") || name == ManifestFile.nextName
        }
        guard !left.isEmpty else { return }
        try requireOurHeader()
        // The header first: after a power cut it must not be the one of before.
        guard directory.sync() else { throw VaultDirectory.failure() }
        for name in left { directory.remove(name) }
    }
}
