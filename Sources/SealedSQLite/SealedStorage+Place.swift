// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import CSystemShims
internal import Glibc

extension SealedStorage {
    /// Whether both files still have their names: writes go to the open files, wherever they are, and
    /// a file without its name is gone with the process.
    public var isInPlace: Bool {
        pages.file.lies(in: directory, under: name) && log.file.lies(in: directory, under: name + "-wal")
    }

    /// Whether both files, opened once more by their names, hold what was written last. A network file system may show
    /// for seconds what lay under a name before; opening and reading are asked of the server.
    public var isReadInPlace: Bool {
        pages.file.isRead(in: directory, under: name) && log.file.isRead(in: directory, under: name + "-wal")
    }

    /// Writes nothing more into either file, also not when the database is closed: they are somebody else's.
    public func leaveAlone() {
        pages.file.isLeftAlone = true
        log.file.isLeftAlone = true
        pages.map?.leaveAlone()
    }

    /// Uses the files again, which are ours after all.
    func endLeavingAlone() {
        pages.file.isLeftAlone = false
        log.file.isLeftAlone = false
        pages.map?.leaveAlone(false)
    }
}

extension RawFile {
    fileprivate func isRead(in directory: Int32, under name: String) -> Bool {
        // Past the kernel's own copy first, which it may keep for the open file and the name alike.
        for past in [__O_DIRECT, 0] {
            let other = unsafe vs_open_at(directory, name, O_RDONLY | O_NONBLOCK | past, 0)
            guard other >= 0 else {
                if past != 0, errno == EINVAL { continue }
                return ![ENOENT, ESTALE, ELOOP].contains(errno)
            }
            defer { close(other) }
            // The open file's size is not asked for: it may be the other's.
            guard !lastEnd.isEmpty else { return true }
            var bytes = [UInt8](repeating: 0, count: lastEnd.count)
            let count = unsafe bytes.withUnsafeMutableBytes { raw in
                unsafe pread(other, raw.baseAddress!, raw.count, lastEndOffset)
            }
            if count >= 0 { return count == bytes.count && bytes == lastEnd }
        }
        return true
    }

    /// Returns whether a name leads to this open file. Where the system would not tell, nothing is known against it.
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
