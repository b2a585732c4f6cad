// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import VaultFormat

/// A `CurrentHeader` is the header of an open vault, as this program knows it, and its two copies on disk. Nobody else
/// replaces them unnoticed.
final class CurrentHeader {
    private(set) var header: Header
    /// Another program has put another header in place: nothing is written any more.
    private(set) var wasReplaced = false
    /// The first copy's file, as the system knows it; nil when it must be read again.
    private var known: FileIdentity?
    private let directory: VaultDirectory

    /// Takes the header that the vault has now.
    ///
    /// - Parameter header: verified under the vault's lock: so it is the vault's, whichever of its copies opened.
    init(_ header: Header, in directory: VaultDirectory) {
        self.header = header
        self.directory = directory
        known = directory.identity(HeaderFile.names[0])
    }

    /// Refuses to go on when another program has put another header in place: its keyslots, or even the key, are not
    /// the ones that this agent has.
    ///
    /// It costs one look at the file. A header that was damaged is no other one: the next unlock mends it from its
    /// copy.
    ///
    /// - Throws: `VaultError.keysChanged` (ThreatModel D03), and from then on at each call.
    func requireOurs() throws(VaultError) {
        guard !wasReplaced else { throw VaultError(.keysChanged) }
        let seen = directory.identity(HeaderFile.names[0])
        if let seen, seen == known { return }
        for name in HeaderFile.names {
            guard let bytes = try? directory.read(name, byteCountMax: UnverifiedHeader.byteCountMax) else { continue }
            if bytes == header.encoded {
                if name == HeaderFile.names[0] { known = seen }
                return
            }
            // What does not parse is damage; the other copy says whose vault this is.
            guard (try? UnverifiedHeader(parsing: bytes)) != nil else { continue }
            wasReplaced = true
            throw VaultError(.keysChanged)
        }
    }

    /// Puts another header of ours in the place of the one that is there. It is durable when this returns.
    ///
    /// - Throws: `VaultError.keysUncertain` when one copy may be new: which of them counts is for the next unlock to
    ///   say, and nothing may be written until then.
    func replace(by next: Header) throws(VaultError) {
        try requireOurs()
        do throws(VaultError) {
            try HeaderFile.write(next, to: directory)
        } catch {
            let first = try? directory.read(HeaderFile.names[0], byteCountMax: UnverifiedHeader.byteCountMax)
            guard first == header.encoded else {
                wasReplaced = true
                throw VaultError(.keysUncertain)
            }
            throw error
        }
        header = next
        // Read once more at the next look: somebody else may have been as quick.
        known = nil
    }

    /// Makes both copies equal, whichever was damaged or older.
    ///
    /// - Throws: `VaultError.keysChanged` when one is newer than this header and the key vouches for it: nothing is
    ///   taken back.
    func mendCopies(_ keys: VaultKeys) throws(VaultError) {
        let bytes = header.encoded
        let copies = HeaderFile.names.map { name in
            (name, try? directory.read(name, byteCountMax: UnverifiedHeader.byteCountMax))
        }
        for case (_, let copy?) in copies where isNewer(copy, keys) { throw VaultError(.keysChanged) }
        for (name, copy) in copies where copy != bytes { try directory.replace(name, with: bytes) }
        known = nil
    }

    private func isNewer(_ bytes: [UInt8], _ keys: VaultKeys) -> Bool {
        guard let found = try? UnverifiedHeader(parsing: bytes), found.identity == header.identity,
            found.epoch == header.epoch, found.counter > header.counter
        else { return false }
        return (try? Header.verify(found, keys: keys)) != nil
    }
}
