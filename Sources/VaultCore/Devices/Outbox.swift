// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import Glibc
public import VaultFormat

/// Sealed objects as they were or will be sent, each under its name in the remote. They stay until their devices have
/// all read them: what a store loses is sent again byte for byte. Spec: docs/format.md §3 and §25.5.
public struct Outbox {
    static let folderName = "outbox"
    private let vault: VaultDirectory

    init(_ vault: VaultDirectory) { self.vault = vault }

    /// Keeps an object; it is durable when this returns.
    ///
    /// - Throws: `VaultError.readOnly`, `.saveFailed`, `.notOurs`.
    public func keep(_ object: SealedRemoteObject) throws(VaultError) {
        try vault.folder(Self.folderName).replace(object.name.hex, with: object.bytes)
    }

    /// The bytes of an object; nil when it is not kept.
    ///
    /// - Throws: `VaultError.integrity` for a file that is too large, `.notOurs`.
    public func bytes(_ name: RemoteName) throws(VaultError) -> [UInt8]? {
        try vault.folderIfThere(Self.folderName)?.read(name.hex, byteCountMax: SegmentSealer.byteCountMax)
    }

    /// Opens the file of an object for reading; its owner closes it.
    ///
    /// - Returns: nil when it is not kept.
    public func open(_ name: RemoteName) -> Int32? {
        guard let folder = vault.existingFolder(Self.folderName) else { return nil }
        let opened = folder.open(name.hex, O_RDONLY | O_NONBLOCK)
        return opened < 0 ? nil : opened
    }

    /// Forgets an object.
    public func remove(_ name: RemoteName) { _ = vault.existingFolder(Self.folderName)?.unlink(name.hex) }
}

extension OpenVault {
    /// What is kept to be sent.
    public var outbox: Outbox { Outbox(directory) }
}
