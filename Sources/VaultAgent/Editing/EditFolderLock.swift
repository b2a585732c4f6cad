// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentProtocol
internal import CSystemShims
internal import Glibc

/// The folder of an edit that may be over: taken by its lock before anything in it is touched.
struct EditFolderLock: ~Copyable {
    private let path: String
    private let descriptor: Int32
    /// Neither client nor editor holds it any more.
    let isFree: Bool

    struct Missing: Error {}

    /// - Throws: `Missing` unless it is a directory of ours alone.
    init(path: String) throws(Missing) {
        let opened = unsafe open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        guard opened >= 0 else { throw Missing() }
        var status = stat()
        guard unsafe fstat(opened, &status) == 0, status.st_uid == geteuid(), status.st_mode & 0o077 == 0 else {
            close(opened)
            throw Missing()
        }
        self.path = path
        descriptor = opened
        isFree = flock(opened, LOCK_EX | LOCK_NB) == 0
    }

    deinit { close(descriptor) }

    /// The editor's file; nil when there is none, or it is no regular file of ours.
    borrowing func text(byteCountMax: Int) -> [UInt8]? {
        let file = unsafe vs_open_at(descriptor, EditFolderLayout.fileName, O_RDONLY | O_NONBLOCK, 0)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var status = stat()
        guard unsafe fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_uid == geteuid(), status.st_size <= byteCountMax else {
            return nil
        }
        var bytes = [UInt8](repeating: 0, count: Int(status.st_size))
        var done = 0
        while done < bytes.count {
            let got = unsafe bytes.withUnsafeMutableBytes { unsafe read(file, $0.baseAddress! + done, $0.count - done) }
            if got < 0 && errno == EINTR { continue }
            guard got > 0 else { break }
            done += got
        }
        return Array(bytes[0..<done])
    }

    /// Removes all files in it, and itself. It has no folders but what an editor made; one that is not empty stays.
    borrowing func removeAll() {
        let copy = unsafe vs_open_at(descriptor, ".", O_RDONLY | O_DIRECTORY, 0)
        if copy >= 0, let stream = unsafe fdopendir(copy) {
            while let entry = unsafe readdir(stream) {
                unsafe withUnsafeBytes(of: &entry.pointee.d_name) { raw in
                    let name = unsafe raw.prefix { $0 != 0 }.map { CChar(bitPattern: $0) } + [0]
                    _ = unsafe unlinkat(descriptor, name, 0)
                }
            }
            unsafe closedir(stream)
        }
        unsafe rmdir(path)
    }
}
