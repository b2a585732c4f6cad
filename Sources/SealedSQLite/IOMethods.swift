// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import CSQLiteShims
internal import Glibc

/// `IOMethods` is SQLite's table of file operations, once for the database file and once for the log.
///
/// Version 1: no shared memory and no memory map, because both would hold plaintext in a file's pages
/// (docs/sealed-sqlite.md §2, §6).
@unsafe enum IOMethods {
    nonisolated(unsafe) static let database = unsafe table(
        read: { file, target, count, offset in unsafe readDatabase(file, target, count, offset) },
        write: { file, source, count, offset in unsafe writeDatabase(file, source, count, offset) },
        truncate: { file, size in
            unsafe storage(file).pages.truncate(to: Int(size)) ? SQLITE_OK : ioError(CS_IOERR_TRUNCATE)
        },
        sync: { file, _ in unsafe storage(file).sync(false) ? SQLITE_OK : ioError(CS_IOERR_FSYNC) },
        size: { file, size in
            unsafe size?.pointee = sqlite3_int64(storage(file).pages.byteCount)
            return SQLITE_OK
        })

    nonisolated(unsafe) static let log = unsafe table(
        read: { file, target, count, offset in unsafe readLog(file, target, count, offset) },
        write: { file, source, count, offset in
            guard let source = unsafe source, count > 0, offset >= 0 else { return ioError(CS_IOERR_WRITE) }
            let bytes = unsafe UnsafeRawBufferPointer(start: source, count: Int(count))
            return unsafe storage(file).writeLog(bytes, at: Int(offset)) ? SQLITE_OK : writeFailure()
        },
        truncate: { file, size in
            unsafe storage(file).log.truncate(to: Int(size)) ? SQLITE_OK : ioError(CS_IOERR_TRUNCATE)
        },
        sync: { file, _ in unsafe storage(file).sync(true) ? SQLITE_OK : ioError(CS_IOERR_FSYNC) },
        size: { file, size in
            unsafe size?.pointee = sqlite3_int64(storage(file).log.byteCount)
            return SQLITE_OK
        })

    private static func table(
        read:
            @escaping @convention(c) (
                UnsafeMutablePointer<sqlite3_file>?, UnsafeMutableRawPointer?, Int32, sqlite3_int64
            ) -> Int32,
        write:
            @escaping @convention(c) (UnsafeMutablePointer<sqlite3_file>?, UnsafeRawPointer?, Int32, sqlite3_int64) ->
            Int32,
        truncate: @escaping @convention(c) (UnsafeMutablePointer<sqlite3_file>?, sqlite3_int64) -> Int32,
        sync: @escaping @convention(c) (UnsafeMutablePointer<sqlite3_file>?, Int32) -> Int32,
        size:
            @escaping @convention(c) (UnsafeMutablePointer<sqlite3_file>?, UnsafeMutablePointer<sqlite3_int64>?) ->
            Int32
    ) -> UnsafeMutablePointer<sqlite3_io_methods> {
        let methods = UnsafeMutablePointer<sqlite3_io_methods>.allocate(capacity: 1)
        unsafe methods.initialize(to: sqlite3_io_methods())
        unsafe methods.pointee.iVersion = 1
        unsafe methods.pointee.xClose = { _ in SQLITE_OK }
        unsafe methods.pointee.xRead = read
        unsafe methods.pointee.xWrite = write
        unsafe methods.pointee.xTruncate = truncate
        unsafe methods.pointee.xSync = sync
        unsafe methods.pointee.xFileSize = size
        // One process, one connection: the vault's own lock file keeps others out before SQLite is asked.
        unsafe methods.pointee.xLock = { _, _ in SQLITE_OK }
        unsafe methods.pointee.xUnlock = { _, _ in SQLITE_OK }
        unsafe methods.pointee.xCheckReservedLock = { _, result in
            unsafe result?.pointee = 0
            return SQLITE_OK
        }
        unsafe methods.pointee.xFileControl = { _, operation, argument in unsafe control(operation, argument) }
        unsafe methods.pointee.xSectorSize = { _ in Int32(PageFile.pageByteCount) }
        // A power cut leaves neighbours alone; nothing is said of atomic writes, since a sealed page is not one sector.
        unsafe methods.pointee.xDeviceCharacteristics = { _ in SQLITE_IOCAP_POWERSAFE_OVERWRITE }
        return unsafe methods
    }
}

/// What SQLite is told of a page that does not belong in its place: SQLITE_IOERR_AUTH, which it uses for nothing
/// itself.
let oldPageCode = SQLITE_IOERR | 28 << 8

/// Returns an extended code as SQLite returns it.
func ioError(_ code: Int) -> CInt { CInt(code) }

private func storage(_ file: UnsafeMutablePointer<sqlite3_file>?) -> SealedStorage {
    guard let file = unsafe file,
        let data = unsafe UnsafeMutableRawPointer(file).assumingMemoryBound(to: OpenFile.self).pointee.storage
    else { preconditionFailure("SQLite calls only with a file that was opened") }
    return unsafe Unmanaged<SealedStorage>.fromOpaque(data).takeUnretainedValue()
}

private func writeFailure() -> Int32 { errno == ENOSPC || errno == EDQUOT ? SQLITE_FULL : ioError(CS_IOERR_WRITE) }

/// Answers the name by which the opener proves that SQLite uses this VFS and no other (docs/sealed-sqlite.md §10).
private func control(_ operation: Int32, _ argument: UnsafeMutableRawPointer?) -> Int32 {
    guard operation == SQLITE_FCNTL_VFSNAME, let argument = unsafe argument else { return SQLITE_NOTFOUND }
    let name = "sealed"
    guard let copy = unsafe sqlite3_malloc(Int32(name.utf8.count + 1)) else { return SQLITE_NOMEM }
    unsafe strcpy(copy.assumingMemoryBound(to: CChar.self), name)
    unsafe argument.assumingMemoryBound(to: UnsafeMutablePointer<CChar>?.self).pointee = copy.assumingMemoryBound(
        to: CChar.self)
    return SQLITE_OK
}

private func readLog(
    _ file: UnsafeMutablePointer<sqlite3_file>?, _ target: UnsafeMutableRawPointer?, _ count: Int32,
    _ offset: sqlite3_int64
) -> Int32 {
    guard let target = unsafe target, count > 0, offset >= 0 else { return ioError(CS_IOERR_READ) }
    let bytes = unsafe UnsafeMutableRawBufferPointer(start: target, count: Int(count))
    return unsafe code(storage(file).log.read(into: bytes, at: Int(offset)))
}

private func readDatabase(
    _ file: UnsafeMutablePointer<sqlite3_file>?, _ target: UnsafeMutableRawPointer?, _ count: Int32,
    _ offset: sqlite3_int64
) -> Int32 {
    guard let target = unsafe target, count > 0, offset >= 0 else { return ioError(CS_IOERR_READ) }
    let bytes = unsafe UnsafeMutableRawBufferPointer(start: target, count: Int(count))
    let size = PageFile.pageByteCount
    let number = UInt32(clamping: Int(offset) / size + 1)
    let within = Int(offset) % size
    let pages = unsafe storage(file).pages
    if within == 0 && bytes.count == size { return unsafe code(pages.readPage(number, into: bytes)) }
    guard within + bytes.count <= size else { return ioError(CS_IOERR_READ) }
    return unsafe withUnsafeTemporaryAllocation(byteCount: size, alignment: 16) { page in
        let result = unsafe pages.readPage(number, into: page)
        // SQLite asks for page size and reserve before it looks into the log: a torn first page or a new file gets a
        // made answer (docs/sealed-sqlite.md §5).
        if offset == 0 && bytes.count == 100, result != .whole {
            unsafe bytes.copyBytes(from: madeHeader)
            return SQLITE_OK
        }
        unsafe bytes.copyMemory(from: UnsafeRawBufferPointer(rebasing: page[within..<within + bytes.count]))
        unsafe explicit_bzero(page.baseAddress!, page.count)
        return code(result)
    }
}

private func writeDatabase(
    _ file: UnsafeMutablePointer<sqlite3_file>?, _ source: UnsafeRawPointer?, _ count: Int32, _ offset: sqlite3_int64
) -> Int32 {
    // Whole pages only: anything else could not be sealed (docs/sealed-sqlite.md §6).
    guard let source = unsafe source, Int(count) == PageFile.pageByteCount, offset >= 0,
        Int(offset) % PageFile.pageByteCount == 0
    else { return ioError(CS_IOERR_WRITE) }
    let bytes = unsafe UnsafeRawBufferPointer(start: source, count: Int(count))
    let number = UInt32(clamping: Int(offset) / PageFile.pageByteCount + 1)
    switch unsafe storage(file).pages.writePage(number, bytes) {
    case .whole: return SQLITE_OK
    case .old: return oldPageCode
    case .short, .notAuthentic, .failed: return writeFailure()
    }
}

private func code(_ result: PageFile.ReadResult) -> Int32 {
    switch result {
    case .whole: SQLITE_OK
    case .short: ioError(CS_IOERR_SHORT_READ)
    case .notAuthentic: ioError(CS_IOERR_DATA)
    case .old: oldPageCode
    case .failed: ioError(CS_IOERR_READ)
    }
}

/// First 100 bytes of an empty database with 4,096-byte pages, 40 of them reserved. Spec: sqlite.org/fileformat2.html
/// §1.3.
private let madeHeader: [UInt8] =
    Array("SQLite format 3\0".utf8) + [0x10, 0x00, 2, 2, 40, 64, 32, 32] + [UInt8](repeating: 0, count: 76)
