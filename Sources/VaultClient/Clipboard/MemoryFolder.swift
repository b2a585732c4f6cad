// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import CSystemShims
internal import Glibc

/// `MemoryFolder` tells folders in memory from those on a disk.
enum MemoryFolder {
    /// tmpfs and ramfs: statfs(2).
    private static let types: Set<Int64> = [0x0102_1994, 0x8584_58F6]

    static func holds(_ path: String) -> Bool {
        let opened = unsafe open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard opened >= 0 else { return false }
        defer { close(opened) }
        return types.contains(vs_file_system_type(opened))
    }
}
