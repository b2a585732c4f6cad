// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import CSystemShims
internal import Glibc

/// `FolderContents` empties a folder of an edit: an editor that was killed may have left files and folders in it.
public enum FolderContents {
    private static let depthMax = 16

    /// Removes all that is in an open directory. A link is removed, never followed; anything nested too deep stays.
    public static func remove(in directory: Int32) { remove(in: directory, depth: 0) }

    private static func remove(in directory: Int32, depth: Int) {
        // A copy by opening it again: a duplicate would share the place in the listing with the caller's descriptor.
        let opened = unsafe vs_open_at(directory, ".", O_RDONLY | O_DIRECTORY, 0)
        guard opened >= 0, let stream = unsafe fdopendir(opened) else {
            if opened >= 0 { close(opened) }
            return
        }
        defer { unsafe closedir(stream) }
        while let entry = unsafe readdir(stream) {
            let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { raw in
                unsafe raw.prefix { $0 != 0 }.map { CChar(bitPattern: $0) } + [0]
            }
            if name == [0x2E, 0] || name == [0x2E, 0x2E, 0] { continue }
            if unsafe unlinkat(opened, name, 0) == 0 { continue }
            guard depth < depthMax else { continue }
            let inner = unsafe vs_open_at(opened, name, O_RDONLY | O_DIRECTORY, 0)
            guard inner >= 0 else { continue }
            remove(in: inner, depth: depth + 1)
            close(inner)
            unsafe unlinkat(opened, name, AT_REMOVEDIR)
        }
    }
}

/// `DirectoryIdentity` says which directory a client means: two copies of one vault have the same vault ID, and so the
/// same socket, but not the same place.
///
/// Device and inode, 16 bytes; empty when it does not matter or cannot be told.
public enum DirectoryIdentity {
    public static let byteCountMax = 16

    /// Identifies a directory by its absolute path.
    public static func of(path: [UInt8]) -> [UInt8] {
        var status = stat()
        let text = path.map { CChar(bitPattern: $0) } + [0]
        return unsafe stat(text, &status) == 0 ? encoded(status) : []
    }

    /// Identifies an open directory.
    public static func of(descriptor: Int32) -> [UInt8] {
        var status = stat()
        return unsafe fstat(descriptor, &status) == 0 ? encoded(status) : []
    }

    private static func encoded(_ status: stat) -> [UInt8] {
        [UInt64(status.st_dev), UInt64(status.st_ino)].flatMap { number in
            stride(from: UInt64(56), through: 0, by: -8).map { UInt8(truncatingIfNeeded: number >> $0) }
        }
    }
}
