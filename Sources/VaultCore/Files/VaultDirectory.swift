// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import CSystemShims
internal import Glibc

/// A `VaultDirectory` is the vault's directory as an open descriptor: every file is reached beneath it, never through a
/// link.
public final class VaultDirectory {
    public let descriptor: Int32
    /// Absolute path with links resolved: for the pin and for messages by the caller.
    public let canonicalPath: [UInt8]
    var lockDescriptor: Int32 = -1

    /// Opens a directory that is ours alone.
    ///
    /// - Throws: `VaultError.noVault` when it is not there, `.notOurs` for a link, another owner or one that others may
    ///   write in.
    public convenience init(path: [UInt8]) throws(VaultError) {
        let text = path.map { CChar(bitPattern: $0) } + [0]
        try self.init(taking: unsafe Glibc.open(text, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC))
    }

    /// Opens a folder beneath this one, made if it is missing.
    ///
    /// - Throws: `VaultError.notOurs`, `.readOnly`, `.saveFailed`.
    func folder(_ name: String) throws(VaultError) -> VaultDirectory {
        if unsafe mkdirat(descriptor, name, 0o700) == 0 {
            guard fsync(descriptor) == 0 else { throw Self.failure() }
        } else if errno != EEXIST {
            throw Self.failure()
        }
        return try VaultDirectory(taking: unsafe vs_open_at(descriptor, name, O_RDONLY | O_DIRECTORY, 0))
    }

    /// Opens a folder beneath this one; nil when it is not there or not ours.
    ///
    /// - Throws: `VaultError.system` when the system would not open it: whether it is there is not known then.
    func folderIfThere(_ name: String) throws(VaultError) -> VaultDirectory? {
        do throws(VaultError) {
            return try VaultDirectory(taking: unsafe vs_open_at(descriptor, name, O_RDONLY | O_DIRECTORY, 0))
        } catch {
            if error.code == .system { throw error }
            return nil
        }
    }

    /// Opens a folder beneath this one; nil when it is not there, not ours or cannot be opened.
    func existingFolder(_ name: String) -> VaultDirectory? {
        try? VaultDirectory(taking: unsafe vs_open_at(descriptor, name, O_RDONLY | O_DIRECTORY, 0))
    }

    /// Takes over an open directory, which must be ours alone.
    ///
    /// - Parameter opened: an open directory; it is taken over.
    init(taking opened: Int32) throws(VaultError) {
        guard opened >= 0 else {
            throw .reading(errno, otherwise: errno == ELOOP || errno == ENOTDIR ? .notOurs : .noVault)
        }
        descriptor = opened
        canonicalPath = Self.canonical(opened)
        var status = stat()
        // Another member of the group could put files of his own in place of ours (ThreatModel H03).
        guard unsafe fstat(opened, &status) == 0, status.st_uid == geteuid(), status.st_mode & 0o022 == 0,
            !canonicalPath.isEmpty
        else { throw VaultError(.notOurs) }  // deinit closes
    }

    deinit {
        unlock()
        close(descriptor)
    }

    /// Takes the vault for this process. SQLite's own refusal of a second process takes ten seconds; this is immediate.
    ///
    /// - Throws: `VaultError.busy`, `.notOurs`.
    public func lock() throws(VaultError) {
        // A lock that is held already is kept.
        guard lockDescriptor < 0 else { return }
        var opened = unsafe vs_open_at(descriptor, "lock", O_RDWR | O_CREAT | O_NONBLOCK, 0o600)
        if opened < 0, errno == ENOENT {
            // A network file system remembers a file that another machine has removed; to remove it makes it forget.
            unsafe unlinkat(descriptor, "lock", 0)
            opened = unsafe vs_open_at(descriptor, "lock", O_RDWR | O_CREAT | O_NONBLOCK, 0o600)
        }
        // On a read-only disk nobody else can write either; the lock file that is there still says who came first.
        if opened < 0 { opened = unsafe vs_open_at(descriptor, "lock", O_RDONLY | O_NONBLOCK, 0) }
        guard opened >= 0 else {
            if errno == ENOENT || errno == ENOSPC {
                throw VaultError(.readOnly, systemError: errno == ENOSPC ? ENOSPC : EROFS)
            }
            throw .reading(errno, otherwise: .notOurs)
        }
        guard Self.isOurFile(opened), Self.takes(opened), takesFolder() else {
            let error = VaultError(errno == EWOULDBLOCK ? .busy : .notOurs)
            close(opened)
            throw error
        }
        lockDescriptor = opened
    }

    /// Takes a lock, and tries for a short time: a client that asks whether the vault is free shares the lock for a
    /// moment, and that is nobody who has it.
    static func takes(_ lock: Int32) -> Bool {
        for _ in 0..<5 {
            if flock(lock, LOCK_EX | LOCK_NB) == 0 { return true }
            guard errno == EWOULDBLOCK else { return false }
            usleep(10_000)
        }
        return flock(lock, LOCK_EX | LOCK_NB) == 0
    }

    /// Takes the directory itself, until `unlockFolder` or until its descriptor is closed everywhere.
    func lockFolder(exclusive: Bool) -> Bool { flock(descriptor, (exclusive ? LOCK_EX : LOCK_SH) | LOCK_NB) == 0 }
    /// Lets go of the directory itself: closing alone is not enough, since a process that is just being started may
    /// hold the same open file for a moment.
    func unlockFolder() { flock(descriptor, LOCK_UN) }

    /// Gives the vault back, after a wrong password for one.
    func unlock() {
        guard lockDescriptor >= 0 else { return }
        // Not by closing alone: a process that is just being started may hold the same open file for a moment.
        flock(descriptor, LOCK_UN)
        flock(lockDescriptor, LOCK_UN)
        close(lockDescriptor)
        lockDescriptor = -1
    }

    /// Tells whether a file is a regular file of ours with one name: nothing that somebody linked here from elsewhere,
    /// no device, no FIFO (ThreatModel H04).
    static func isOurFile(_ descriptor: Int32) -> Bool {
        var status = stat()
        let known = unsafe fstat(descriptor, &status) == 0
        errno = 0
        return known && status.st_mode & S_IFMT == S_IFREG && status.st_uid == geteuid() && status.st_nlink == 1
    }

    /// Reads all bytes of a small file; nil when it is missing.
    ///
    /// - Throws: `VaultError.notOurs` unless it is a regular file of ours with one name, `.integrity` above
    ///   `byteCountMax`.
    public func read(_ name: String, byteCountMax: Int) throws(VaultError) -> [UInt8]? {
        let opened = unsafe vs_open_at(descriptor, name, O_RDONLY | O_NONBLOCK, 0)
        guard opened >= 0 else {
            if errno == ENOENT { return nil }
            throw .reading(errno, otherwise: .notOurs)
        }
        defer { close(opened) }
        guard Self.isOurFile(opened) else { throw VaultError(.notOurs) }
        // As much as there is, and one byte to see whether there is more than may be.
        var status = stat()
        guard unsafe fstat(opened, &status) == 0 else { throw .reading(errno, otherwise: .integrity) }
        var bytes = [UInt8](repeating: 0, count: min(Int(status.st_size), byteCountMax) + 1)
        var done = 0
        while done < bytes.count {
            let got = unsafe bytes.withUnsafeMutableBytes {
                unsafe Glibc.read(opened, $0.baseAddress! + done, $0.count - done)
            }
            if got < 0 && errno == EINTR { continue }
            guard got >= 0 else { throw .reading(errno, otherwise: .integrity) }
            if got == 0 { break }
            done += got
        }
        guard done <= byteCountMax else { throw VaultError(.integrity) }
        return Array(bytes[0..<done])
    }

    /// Replaces a file so that a crash leaves the old or the new one: write new, fsync, rename, fsync directory.
    ///
    /// - Parameter waits: for the disk; without that a power cut may leave the old one, the new one or neither.
    /// - Throws: `VaultError.readOnly` on a full or read-only disk, `.saveFailed`.
    public func replace(_ name: String, with bytes: [UInt8], waits: Bool = true) throws(VaultError) {
        let temporary = name + ".new"
        // What a crash left, or somebody planted, under this name goes: the new file is ours from its first byte.
        unsafe unlinkat(descriptor, temporary, 0)
        let opened = unsafe vs_open_at(descriptor, temporary, O_WRONLY | O_CREAT | O_EXCL, 0o600)
        guard opened >= 0 else { throw Self.failure() }
        let written = unsafe bytes.withUnsafeBytes { raw in
            unsafe write(opened, raw.baseAddress!, raw.count) == raw.count
        }
        // The error that counts is the first one; closing would overwrite it.
        let failed = !written || (waits && fsync(opened) != 0) ? Self.failure() : nil
        close(opened)
        if let failed {
            unsafe unlinkat(descriptor, temporary, 0)
            throw failed
        }
        guard unsafe renameat(descriptor, temporary, descriptor, name) == 0, !waits || fsync(descriptor) == 0 else {
            throw Self.failure()
        }
    }

    /// Opens a file in it, never through a link; its owner closes it.
    ///
    /// The directory's descriptor is not for callers: it is closed with the last reference, which may go before the
    /// call that uses it.
    ///
    /// - Returns: a descriptor, or -1 with errno.
    func open(_ name: String, _ flags: Int32) -> Int32 { unsafe vs_open_at(descriptor, name, flags, 0o600) }

    /// Waits until everything that was written to its file system is on disk: one wait for many files.
    func syncDisk() -> Bool { vs_sync_whole_disk(descriptor) == 0 }

    /// Waits until the names in it are on disk.
    func sync() -> Bool { fsync(descriptor) == 0 }

    /// Moves a file into another folder; both are on disk when this returns true.
    func move(_ name: String, to other: VaultDirectory) -> Bool {
        unsafe renameat(descriptor, name, other.descriptor, name) == 0 && other.sync() && sync()
    }

    /// Returns when a file was changed last, in milliseconds since 1970, UTC, or the nearest that there is; nil when it
    /// is not there.
    func modified(_ name: String) -> Int64? {
        var status = stat()
        guard unsafe fstatat(descriptor, name, &status, AT_SYMLINK_NOFOLLOW) == 0 else { return nil }
        return Self.milliseconds(Int64(status.st_mtim.tv_sec))
    }

    /// Returns when the file last came or changed under its name, in milliseconds since 1970, by the kernel that holds
    /// it; nobody sets this time. It returns nil when there is no file.
    func arrived(_ name: String) -> Int64? {
        var status = stat()
        guard unsafe fstatat(descriptor, name, &status, AT_SYMLINK_NOFOLLOW) == 0 else { return nil }
        return Self.milliseconds(Int64(status.st_ctim.tv_sec))
    }

    static func milliseconds(_ seconds: Int64) -> Int64 {
        let (product, isOver) = seconds.multipliedReportingOverflow(by: 1000)
        guard isOver else { return product }
        return seconds < 0 ? .min : .max
    }

    /// Returns which file lies under a name; nil when there is none.
    func identity(_ name: String) -> FileIdentity? {
        var status = stat()
        guard unsafe fstatat(descriptor, name, &status, AT_SYMLINK_NOFOLLOW) == 0 else { return nil }
        return FileIdentity(status)
    }

    /// Returns the size of a file; 0 when there is none.
    func byteCount(_ name: String) -> UInt64 {
        var status = stat()
        return unsafe fstatat(descriptor, name, &status, AT_SYMLINK_NOFOLLOW) == 0
            ? UInt64(clamping: status.st_size) : 0
    }

    /// Bytes that may still be written to its file system.
    var freeByteCount: UInt64 {
        var status = statvfs()
        guard unsafe fstatvfs(descriptor, &status) == 0 else { return 0 }
        return UInt64(status.f_bavail).multipliedReportingOverflow(by: UInt64(status.f_frsize)).partialValue
    }

    /// Makes a file's last change now.
    func touch(_ name: String) { _ = unsafe utimensat(descriptor, name, nil, AT_SYMLINK_NOFOLLOW) }

    /// Removes a file. Succeeds if the file is already gone.
    ///
    /// - Returns: whether it is gone.
    @discardableResult
    func remove(_ name: String) -> Bool {
        guard unsafe unlinkat(descriptor, name, 0) == 0 else { return errno == ENOENT }
        fsync(descriptor)
        return true
    }

    /// Removes a file or a link, without waiting for the disk.
    func unlink(_ name: String) -> Bool { unsafe unlinkat(descriptor, name, 0) == 0 }

    /// Removes an empty folder.
    func removeFolder(_ name: String) { unsafe unlinkat(descriptor, name, AT_REMOVEDIR) }

    /// Returns the names of everything in it.
    ///
    /// - Throws: `VaultError.system`, `.saveFailed` when they cannot be read: nobody may take that for an empty folder.
    func names() throws(VaultError) -> [String] {
        try Self.names(taking: unsafe vs_open_at(descriptor, ".", O_RDONLY | O_DIRECTORY, 0))
    }

    static func failure() -> VaultError {
        .writing(errno)
    }

    private static func canonical(_ descriptor: Int32) -> [UInt8] {
        var buffer = [UInt8](repeating: 0, count: 4096)
        let count = unsafe buffer.withUnsafeMutableBytes { raw in
            unsafe readlink(
                "/proc/self/fd/\(descriptor)", raw.baseAddress!.assumingMemoryBound(to: CChar.self), raw.count)
        }
        return count > 0 && count < buffer.count ? Array(buffer[0..<count]) : []
    }
}
