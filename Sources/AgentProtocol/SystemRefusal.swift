// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import Glibc

/// `SystemRefusal` says what a refusal of the operating system means for a person: one sentence and one hint for each,
/// the same in the client and in the agent.
///
/// None of them says anything of the vault's files: they may be as whole as ever.
public struct SystemRefusal: Sendable, Equatable {
    /// What happened, in lower case and without a final stop.
    public let message: String
    /// What to type next.
    public let hint: String

    /// Finds the sentence and the hint for an error number of the system.
    ///
    /// - Parameter number: errno; nil is the answer to numbers that have no sentence of their own here.
    public init?(_ number: Int32) {
        switch number {
        case EMFILE:
            (message, hint) = (
                "this program cannot open more files",
                "ulimit -n shows its limit; raise it, then vault lock and vault unlock"
            )
        case ENFILE:
            (message, hint) = (
                "the system has no more files to open",
                "end other programs; cat /proc/sys/fs/file-nr shows how many are open"
            )
        case ENOMEM:
            (message, hint) = (
                "there is not enough memory", "end other programs, or raise the limit that ulimit -v shows"
            )
        case EINVAL:
            (message, hint) = (
                "the file system cannot do what was asked", "keep the vault on a local disk: ext4, xfs or btrfs"
            )
        case EROFS:
            (message, hint) = ("the disk is read-only", "mount it for writing, then vault lock and vault unlock")
        case EIO:
            (message, hint) = (
                "the disk reported an error", "dmesg says more; vault backup create while it can still be read"
            )
        case EDQUOT:
            (message, hint) = (
                "your quota on this disk is used up", "quota shows it; make room, then vault lock and vault unlock"
            )
        case ENOSPC: (message, hint) = ("the disk is full", "make room, then vault lock and vault unlock")
        default: return nil
        }
    }
}
