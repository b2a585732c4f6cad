// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import VaultCrypto
public import VaultFormat

/// `VaultClone` makes a vault of a remote's header: it has the keys and the keyslots of the vault, and is empty until
/// it has read the remote's content. Spec: docs/format.md §25.3.
public enum VaultClone {
    /// `Made` says what was made.
    public struct Made: Sendable {
        public let identity: VaultIdentity
        public let counter: UInt64
        public let epoch: UInt32
    }

    /// An `Opened` is a vault in the making, whose keys are known: it is under another name, and removed with this
    /// object unless it is finished.
    public final class Opened {
        private let folder: NewVaultFolder
        private let header: Header
        private let keys: VaultKeys
        private let pins: PinStore

        init(_ folder: NewVaultFolder, _ header: Header, _ keys: VaultKeys, _ pins: PinStore) {
            (self.folder, self.header, self.keys, self.pins) = (folder, header, keys, pins)
        }

        public var epoch: UInt32 { header.epoch }

        /// Returns what opens the segments of its remote.
        ///
        /// - Throws: `VaultError.libraryFailed`.
        public func sealer() throws(VaultError) -> SegmentSealer {
            try VaultError.mapping { () throws(CryptoError) in
                try SegmentSealer(keys, header.identity, epoch: header.epoch)
            }
        }

        /// Makes the vault.
        ///
        /// - Throws: `VaultError.exists`, `.readOnly`, `.saveFailed`, `.libraryFailed`.
        public func finish() throws(VaultError) -> Made { try VaultClone.finish(folder, header, keys, pins) }
    }

    /// Tries a credential on the headers and makes the vault.
    ///
    /// - Throws: as `open`.
    public static func make(
        _ headers: [UnverifiedHeader], at path: [UInt8], _ credential: borrowing Credential, triesDear: Bool = false,
        acceptsOldKey: Bool = false, pins: PinStore = PinStore()
    ) throws(VaultError) -> Made {
        try open(
            headers, at: path, credential, triesDear: triesDear, acceptsOldKey: acceptsOldKey, pins: pins
        ).finish()
    }

    /// Tries a credential on the headers, the first ones first, and begins to make the vault: under another name until
    /// it is whole.
    ///
    /// - Parameters:
    ///   - headers: as `RemoteHeaders.parse` gave them: nobody has vouched for them.
    ///   - triesDear: keyslots that ask for far more work than is usual are tried too, on the owner's word.
    ///   - acceptsOldKey: a header counts although the remote has one of a later epoch, on the owner's word.
    /// - Throws: `VaultError.exists` when there is something at the path, or this account knows the vault; `.oldKey`
    ///   when the credential opens only a header from before the key was changed; `.wrongPassword`, `.integrity`,
    ///   `.keyslotNeedsMemory`, `.costlyKeyslot`, `.readOnly`, `.saveFailed`.
    public static func open(
        _ headers: [UnverifiedHeader], at path: [UInt8], _ credential: borrowing Credential, triesDear: Bool = false,
        acceptsOldKey: Bool = false, pins: PinStore = PinStore()
    ) throws(VaultError) -> Opened {
        let newestFirst = headers.prefix(RemoteHeaderName.triedMax).sorted { $0.epoch > $1.epoch }
        guard let first = newestFirst.first else { throw VaultError(.noVault) }
        // Two copies of one device would say two things under one number.
        guard pins.pin(of: first.identity) == nil else { throw VaultError(.exists) }
        let folder = try NewVaultFolder(path)
        var failure = VaultError(.wrongPassword)
        for header in newestFirst {
            do throws(VaultError) {
                let (verified, keys) = try unlock(header, in: folder.directory, credential, triesDear, pins)
                guard header.epoch == first.epoch || acceptsOldKey else { throw VaultError(.oldKey) }
                return Opened(folder, verified, keys, pins)
            } catch {
                // An older header may have a slot that the newest has not: it says why nothing opened all the same.
                if header == first || error.code != .wrongPassword { failure = error }
                guard error.code == .wrongPassword else { break }
            }
        }
        throw failure
    }

    /// Puts the header in the place of both copies, as a vault has it, and opens it with the credential.
    private static func unlock(
        _ header: UnverifiedHeader, in directory: VaultDirectory, _ credential: borrowing Credential, _ triesDear: Bool,
        _ pins: PinStore
    ) throws(VaultError) -> (Header, VaultKeys) {
        for name in HeaderFile.names { try directory.replace(name, with: header.encoded) }
        let probe = try VaultProbe(directory: directory, pins: pins, acceptRollback: false)
        probe.triesDearKeyslots = triesDear
        let unlocked = try probe.unlock(credential)
        return (unlocked.header, unlocked.keys)
    }

    fileprivate static func finish(
        _ folder: NewVaultFolder, _ header: Header, _ keys: VaultKeys, _ pins: PinStore
    ) throws(VaultError) -> Made {
        try HeaderFile.write(header, to: folder.directory)
        try IndexFile.make(folder.directory, header: header, keys: keys, [])
        let made = try folder.publish()
        let pin = Pin(
            vaultID: header.vaultID, epoch: header.epoch, counter: header.counter,
            digest: try HeaderFile.digest(header), generation: 1)
        _ = pins.record(pin, of: header.copyID, canonicalPath: made.canonicalPath)
        return Made(identity: header.identity, counter: header.counter, epoch: header.epoch)
    }
}
