// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// `FileSystemKind` describes the file system that a vault is on: the only table of these properties.
public struct FileSystemKind: Sendable, Equatable {
    /// `Locks` says whether an advisory lock of one machine is seen by the others that reach the same files.
    public enum Locks: Sendable, Equatable {
        /// Only this machine reaches the files.
        case nobodyElse
        /// It depends on the server and how it is mounted, so it is not relied on.
        case uncertain
    }

    /// What people call it.
    public let name: String
    public let locks: Locks
    /// Whether a file that takes another's name does so in one step, also for other machines.
    public let replacesAtOnce: Bool
    /// Whether synced data is on a disk.
    public let syncs: Bool

    /// Finds the kind of a file system, by the number that statfs(2) gives for it.
    ///
    /// - Parameter number: `f_type`; a negative one, as for a call that failed, is unknown.
    public init(number: Int64) {
        self = Self.table[UInt32(truncatingIfNeeded: number)] ?? Self.other
    }

    /// Whether another machine may write the same files without being seen: then a lease says who has the vault open.
    public var needsLease: Bool { locks == .uncertain }

    /// What the owner of a vault there should know, a sentence; nil for a file system of this machine alone.
    public var warning: String? {
        guard locks == .uncertain else { return nil }
        var text =
            "the vault is on \(name): other machines may not see this one's locks, so never open it on two at once"
        if !replacesAtOnce { text += "; a file may be missing for a moment while it is replaced" }
        if !syncs { text += "; saved notes may still be lost when the connection or the machine fails" }
        return text
    }

    /// Whether it is memory, and gone when the machine is turned off.
    public var isMemory: Bool { !syncs && locks == .nobodyElse }

    private init(_ name: String, _ locks: Locks = .nobodyElse, replacesAtOnce: Bool = true, syncs: Bool = true) {
        (self.name, self.locks, self.replacesAtOnce, self.syncs) = (name, locks, replacesAtOnce, syncs)
    }

    /// A disk of this machine, as far as anybody knows.
    private static let other = FileSystemKind("a local file system")

    /// Numbers of <linux/magic.h> and of the file systems' own sources.
    private static let table: [UInt32: FileSystemKind] = [
        0x0000_6969: FileSystemKind("NFS", .uncertain),
        0xFF53_4D42: FileSystemKind("an SMB share", .uncertain),
        0xFE53_4D42: FileSystemKind("an SMB share", .uncertain),
        0x0000_517B: FileSystemKind("an SMB share", .uncertain),
        0x6573_5546: FileSystemKind(
            "FUSE (sshfs, rclone and the like)", .uncertain, replacesAtOnce: false, syncs: false),
        0x0102_1997: FileSystemKind("9p, a folder of the host of this virtual machine", .uncertain, syncs: false),
        0x00C3_6400: FileSystemKind("Ceph", .uncertain),
        0x5346_414F: FileSystemKind("AFS", .uncertain, replacesAtOnce: false),
        0x0000_564C: FileSystemKind("NetWare", .uncertain, replacesAtOnce: false, syncs: false),
        0x786F_4256: FileSystemKind("a VirtualBox shared folder", .uncertain, syncs: false),
        0x794C_7630: FileSystemKind("an overlay (a container's own layer)"),
        0x0102_1994: FileSystemKind("tmpfs", syncs: false),
        0x8584_58F6: FileSystemKind("ramfs", syncs: false),
        0x0000_EF53: FileSystemKind("ext4"),
        0x5846_5342: FileSystemKind("XFS"),
        0x9123_683E: FileSystemKind("Btrfs"),
        0x2FC1_2FC1: FileSystemKind("ZFS"),
        0xF2F5_2010: FileSystemKind("F2FS"),
        0x0000_4D44: FileSystemKind("FAT"),
        0x2011_BAB0: FileSystemKind("exFAT"),
        0x7366_746E: FileSystemKind("NTFS"),
    ]
}
