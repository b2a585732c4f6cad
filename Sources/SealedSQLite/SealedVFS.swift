// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import CSQLiteShims
internal import Glibc

/// `SealedVFS` makes SQLite read and write one `SealedStorage`, under a name of its own, and refuse every other file.
///
/// Registered for one database and taken away with it. It opens the main file and the log; journals and temporary
/// files, which would hold plaintext, are refused (docs/sealed-sqlite.md §8, §9).
@safe final class SealedVFS {
    let name: String
    private let registration: UnsafeMutablePointer<sqlite3_vfs>
    private let nameBytes: UnsafeMutablePointer<CChar>
    let storage: SealedStorage

    init(_ storage: SealedStorage, number: Int) throws(SealedSQLiteError) {
        self.storage = storage
        name = "sealed-\(getpid())-\(number)"
        guard let system = unsafe sqlite3_vfs_find(nil) else { throw SealedSQLiteError(.notSealed) }
        unsafe nameBytes = strdup(name)
        unsafe registration = UnsafeMutablePointer<sqlite3_vfs>.allocate(capacity: 1)
        // Clock, randomness and sleep are the system's; everything that touches a file is ours.
        unsafe registration.initialize(to: system.pointee)
        unsafe registration.pointee.iVersion = 1
        unsafe registration.pointee.pNext = nil
        unsafe registration.pointee.szOsFile = Int32(MemoryLayout<OpenFile>.stride)
        unsafe registration.pointee.zName = UnsafePointer(nameBytes)
        unsafe registration.pointee.pAppData = Unmanaged.passUnretained(storage).toOpaque()
        unsafe registration.pointee.xOpen = { vfs, path, file, flags, outFlags in
            unsafe openFile(vfs, path, file, flags, outFlags)
        }
        unsafe registration.pointee.xDelete = { vfs, path, _ in unsafe delete(vfs, path) }
        unsafe registration.pointee.xAccess = { vfs, path, _, result in unsafe access(vfs, path, result) }
        unsafe registration.pointee.xFullPathname = { _, path, size, target in unsafe copyPath(path, size, target) }
        unsafe registration.pointee.xDlOpen = nil
        unsafe registration.pointee.xDlError = nil
        unsafe registration.pointee.xDlSym = nil
        unsafe registration.pointee.xDlClose = nil
        guard unsafe sqlite3_vfs_register(registration, 0) == SQLITE_OK else { throw SealedSQLiteError(.notSealed) }
    }

    deinit {
        unsafe sqlite3_vfs_unregister(registration)
        unsafe registration.deallocate()
        unsafe free(nameBytes)
    }
}

/// `OpenFile` is what SQLite allocates for an open file: its own part first, then ours.
@unsafe struct OpenFile {
    var base: sqlite3_file
    var storage: UnsafeMutableRawPointer?
}

private func openFile(
    _ vfs: UnsafeMutablePointer<sqlite3_vfs>?, _ path: UnsafePointer<CChar>?,
    _ file: UnsafeMutablePointer<sqlite3_file>?,
    _ flags: Int32, _ outFlags: UnsafeMutablePointer<Int32>?
) -> Int32 {
    guard let vfs = unsafe vfs, let file = unsafe file else { return SQLITE_MISUSE }
    unsafe file.pointee.pMethods = nil
    let kind = flags & (SQLITE_OPEN_MAIN_DB | SQLITE_OPEN_WAL)
    guard kind != 0, unsafe path != nil else { return SQLITE_CANTOPEN }
    unsafe UnsafeMutableRawPointer(file).assumingMemoryBound(to: OpenFile.self).pointee.storage = vfs.pointee.pAppData
    unsafe file.pointee.pMethods = UnsafePointer(kind == SQLITE_OPEN_WAL ? IOMethods.log : IOMethods.database)
    if let outFlags = unsafe outFlags { unsafe outFlags.pointee = flags }
    return SQLITE_OK
}

private func storage(_ vfs: UnsafeMutablePointer<sqlite3_vfs>?) -> SealedStorage? {
    unsafe vfs?.pointee.pAppData.map { unsafe Unmanaged<SealedStorage>.fromOpaque($0).takeUnretainedValue() }
}

/// Answers whether a file is there. Only the log is ever asked about in earnest, and an empty one counts as none. A
/// rollback journal is never ours: one that lies there was planted, and is not looked at.
private func access(
    _ vfs: UnsafeMutablePointer<sqlite3_vfs>?, _ path: UnsafePointer<CChar>?, _ result: UnsafeMutablePointer<Int32>?
) -> Int32 {
    guard let storage = unsafe storage(vfs), let path = unsafe path, let result = unsafe result else {
        return SQLITE_MISUSE
    }
    let isLog = unsafe String(cString: path).hasSuffix("-wal")
    unsafe result.pointee = isLog && storage.log.byteCount > 0 ? 1 : 0
    return SQLITE_OK
}

/// Deletes nothing: an empty log passes for deleted, and all else is refused. SQLite drops a log that stands beside an
/// empty database; ours never is empty once it has a log, so somebody emptied it.
private func delete(_ vfs: UnsafeMutablePointer<sqlite3_vfs>?, _ path: UnsafePointer<CChar>?) -> Int32 {
    guard let storage = unsafe storage(vfs), let path = unsafe path else { return SQLITE_MISUSE }
    let isEmptyLog = unsafe String(cString: path).hasSuffix("-wal") && storage.log.byteCount == 0
    return isEmptyLog ? SQLITE_OK : ioError(CS_IOERR_DELETE)
}

private func copyPath(_ path: UnsafePointer<CChar>?, _ size: Int32, _ target: UnsafeMutablePointer<CChar>?) -> Int32 {
    guard let path = unsafe path, let target = unsafe target, unsafe strlen(path) < Int(size) else {
        return SQLITE_CANTOPEN
    }
    unsafe strcpy(target, path)
    return SQLITE_OK
}
