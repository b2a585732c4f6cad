// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import CSystemShims
internal import Glibc

extension SealedStorage {
    /// Whether both files still lie under their names: what is written goes into the open files, wherever they are, and
    /// a file without its name is gone with the process.
    public var isInPlace: Bool {
        pages.file.lies(in: directory, under: name) && log.file.lies(in: directory, under: name + "-wal")
    }

    /// From now on nothing is written into either file, also not when the database is closed: they are somebody else's.
    public func leaveAlone() {
        pages.file.isLeftAlone = true
        log.file.isLeftAlone = true
    }
}

extension RawFile {
    /// Whether a name leads to this open file. Where the system would not tell, nothing is known against it.
    fileprivate func lies(in directory: Int32, under name: String) -> Bool {
        var ours = stat()
        var named = stat()
        guard unsafe fstat(descriptor, &ours) == 0 else { return errno != ESTALE }
        guard unsafe fstatat(directory, name, &named, AT_SYMLINK_NOFOLLOW) == 0 else {
            return errno != ENOENT && errno != ESTALE
        }
        return ours.st_nlink > 0 && ours.st_dev == named.st_dev && ours.st_ino == named.st_ino
    }
}
