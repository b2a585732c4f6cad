// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import CSystemShims
internal import Glibc

/// This extension keeps the second lock, on the folder itself: a program that removes or exchanges the file `lock` lets
/// nobody in. Spec: docs/format.md §14.
extension VaultDirectory {
    /// Takes the folder itself. Where its file system locks no folders, the lock file holds alone.
    func takesFolder() -> Bool { Self.takes(descriptor) || errno != EWOULDBLOCK }

    /// Makes the lock file anew when it was removed or exchanged while this process has the vault.
    ///
    /// - Returns: whether that was so.
    /// - Throws: `VaultError.busy` when somebody has locked the file that lies in its place.
    func mendLock() throws(VaultError) -> Bool {
        guard lockDescriptor >= 0, !lies(lockDescriptor, under: "lock") else { return false }
        // Until it is locked again, the folder's lock keeps others out.
        let opened = unsafe vs_open_at(descriptor, "lock", O_RDWR | O_CREAT | O_NONBLOCK, 0o600)
        guard opened >= 0 else { return false }
        guard Self.isOurFile(opened), Self.takes(opened) else {
            let isHeld = errno == EWOULDBLOCK
            close(opened)
            if isHeld { throw VaultError(.busy) }
            return false
        }
        flock(lockDescriptor, LOCK_UN)
        close(lockDescriptor)
        lockDescriptor = opened
        return true
    }

    /// Has a network file system ask the server for a file's size again, which sshfs keeps for twenty seconds: a change
    /// of its mode, to what it is anyway, makes it forget.
    func forgetAttributes(_ name: String) {
        let opened = open(name, O_RDONLY | O_NONBLOCK)
        guard opened >= 0 else { return }
        if Self.isOurFile(opened) { fchmod(opened, 0o600) }
        close(opened)
    }

    /// Gives a file another name, in place of what has that one.
    func giveName(_ other: String, to name: String) -> Bool {
        unsafe renameat(descriptor, name, descriptor, other) == 0
    }

    /// Returns a folder of ours at a path, made with those above it if it is missing; nil where it cannot be made.
    static func made(at path: String) -> VaultDirectory? {
        var above = ""
        for part in path.split(separator: "/") {
            above += "/" + part
            unsafe mkdir(above, 0o700)
        }
        return try? VaultDirectory(path: Array(path.utf8))
    }

    /// Tells whether a name leads to an open file; true also where that cannot be found out.
    private func lies(_ file: Int32, under name: String) -> Bool {
        var ours = stat()
        var named = stat()
        guard unsafe fstat(file, &ours) == 0 else { return false }
        guard unsafe fstatat(descriptor, name, &named, AT_SYMLINK_NOFOLLOW) == 0 else { return errno != ENOENT }
        return ours.st_dev == named.st_dev && ours.st_ino == named.st_ino
    }

    /// The number that statfs(2) gives for its file system (`FileSystemKind`).
    public var fileSystem: Int64 { vs_file_system_type(descriptor) }

    /// Returns the names in a folder.
    ///
    /// - Parameter copy: an open directory, or what a call that failed gave; it is taken over.
    static func names(taking copy: Int32) throws(VaultError) -> [String] {
        guard copy >= 0 else { throw .reading(errno, otherwise: .saveFailed) }
        guard let stream = unsafe fdopendir(copy) else {
            let reason = errno
            close(copy)
            throw .reading(reason, otherwise: .saveFailed)
        }
        defer { unsafe closedir(stream) }
        var names: [String] = []
        errno = 0
        while let entry = unsafe readdir(stream) {
            let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { raw in
                unsafe String(decoding: raw.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name != "." && name != ".." { names.append(name) }
            errno = 0
        }
        guard errno == 0 else { throw .reading(errno, otherwise: .saveFailed) }
        return names
    }
}
