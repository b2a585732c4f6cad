// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import SealedSQLite
internal import VaultFormat

/// A `RotationPlan` says what a rotation has before it, and whether there is room for it.
public struct RotationPlan: Sendable {
    public let epoch: UInt32
    /// Of the index and its log.
    public let indexByteCount: UInt64
    /// Attachments' files.
    public let objectCount: Int
    public let objectByteCount: UInt64
    /// The second index, or one attachment beside its old form, whichever is larger, and some to spare.
    public let neededByteCount: UInt64
    public let freeByteCount: UInt64
    /// In the header's order.
    public let slots: [KeyslotInfo]

    /// Why the vault's files cannot be read; if set, the plan's numbers mean nothing.
    public let failure: VaultError?

    public var hasRoom: Bool { freeByteCount >= neededByteCount }
    /// Bytes that must be free besides: for logs and for what is written meanwhile.
    private static let spareByteCount: UInt64 = 64 << 20

    /// Looks at the vault's files. It takes a while with many attachments, and any thread may do it.
    public init(_ request: Request) {
        (epoch, slots, indexByteCount) = (request.epoch, request.slots, request.indexByteCount)
        var usage = (count: 0, byteCount: UInt64(0), largest: UInt64(0))
        var (free, failure): (UInt64, VaultError?) = (0, nil)
        do throws(VaultError) {
            let directory = try VaultDirectory(path: request.path)
            free = directory.freeByteCount
            usage = try ObjectFolder(directory).usage()
        } catch { failure = error }
        (objectCount, objectByteCount) = (usage.count, usage.byteCount)
        neededByteCount = max(indexByteCount, usage.largest) + Self.spareByteCount
        (freeByteCount, self.failure) = (free, failure)
    }

    /// A `Request` holds what the vault says of itself for a plan.
    public struct Request: Sendable {
        let path: [UInt8]
        let epoch: UInt32
        let indexByteCount: UInt64
        let slots: [KeyslotInfo]
    }
}

extension Rotation {
    /// Returns what the vault says of itself for a plan.
    ///
    /// - Throws: `VaultError.rotationRuns`, `.readOnly`.
    public func planRequest() throws(VaultError) -> RotationPlan.Request {
        guard vault.layer.previous == nil else { throw VaultError(.rotationRuns) }
        guard !vault.isReadOnly else { throw VaultError(.readOnly) }
        let pages = UInt64(vault.database.storage.pageCount) * 4096
        return RotationPlan.Request(
            path: vault.directory.canonicalPath, epoch: vault.header.epoch,
            indexByteCount: pages + vault.database.storage.logByteCount,
            slots: try vault.keyslots.all())
    }
}
