// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import CSystemShims
internal import Glibc

/// A `FileIdentity` says which file lies under a name, as the system knows it: another one in its place, or a change of
/// it, shows.
struct FileIdentity: Equatable {
    private let inode: UInt64
    private let byteCount: Int64
    private let changed: [Int]

    init(_ status: stat) {
        inode = UInt64(status.st_ino)
        byteCount = Int64(status.st_size)
        changed = [status.st_mtim.tv_sec, status.st_mtim.tv_nsec, status.st_ctim.tv_sec, status.st_ctim.tv_nsec]
    }
}
