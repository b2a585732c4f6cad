// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import CSystemShims
internal import Glibc
public import VaultCrypto

/// `SealedStorage` holds the two sealed files of one database, beneath a directory's descriptor: what the VFS serves to
/// SQLite.
///
/// Used by one connection on one thread at a time.
public final class SealedStorage {
    let directory: Int32
    public let name: String
    let pages: PageFile
    let log: LogFile
    private let nonces = NoncePool()

    /// Opens or makes the files.
    ///
    /// - Parameters:
    ///   - directory: an open directory; it must outlive this object.
    ///   - name: the database's file name; the log's is the same with "-wal".
    ///   - pageKey, logKey: two subkeys of the vault key.
    ///   - pageBinding, logBinding: contexts that bind every page and frame to vault and epoch.
    ///   - logSalt: 32 bytes from the manifest.
    /// - Throws: `SealedSQLiteError`, `CryptoError`.
    public init(
        directory: Int32, name: String, pageKey: SymmetricKey, logKey: SymmetricKey, pageBinding: [UInt8],
        logBinding: [UInt8], logSalt: [UInt8], creating: Bool
    ) throws {
        self.directory = directory
        self.name = name
        let database = try RawFile(directory: directory, name: name, creating: creating)
        let logFile = try Self.openLog(directory, name + "-wal", mayCreate: creating || database.isWritable)
        if creating, fsync(directory) != 0 { throw SealedSQLiteError(.inputOutput) }
        pages = try PageFile(file: database, key: pageKey, binding: pageBinding, nonces: nonces)
        log = try LogFile(
            file: logFile, sealer: LogSealer(key: logKey, binding: logBinding, salt: logSalt, nonces: nonces))
    }

    /// Opens the database file alone, to be read on another thread while the log over it is written but not emptied:
    /// the index as it was when the log was emptied last.
    ///
    /// - Parameters:
    ///   - file: a descriptor of the file; it is taken over.
    ///   - moment: what the file and the log over it held at one moment; then the log may be emptied as well.
    ///   - map: of the writer of the file.
    /// - Throws: `SealedSQLiteError`, `CryptoError`.
    public init(
        reading file: Int32, at moment: PageSnapshot? = nil, map: PageMap? = nil, directory: Int32, name: String,
        pageKey: SymmetricKey, logKey: SymmetricKey,
        pageBinding: [UInt8], logBinding: [UInt8]
    ) throws {
        self.directory = directory
        self.name = name
        pages = try PageFile(
            file: RawFile(reading: file), key: pageKey, binding: pageBinding, nonces: nonces, moment: moment, map: map)
        // An empty one that is nowhere on a disk; nothing is ever put into it.
        let none = [UInt8](repeating: 0, count: 32)
        log = try LogFile(
            file: RawFile(reading: vs_memory_file()),
            sealer: LogSealer(key: logKey, binding: logBinding, salt: none, nonces: nonces))
    }

    /// Opens the log. A missing one is an empty one; it is made here and never removed, so that SQLite finds it also on
    /// a read-only disk.
    private static func openLog(_ directory: Int32, _ name: String, mayCreate: Bool) throws(SealedSQLiteError)
        -> RawFile
    {
        try RawFile(directory: directory, name: name, creating: mayCreate)
    }

    /// Whether the disk let us open the files for writing.
    public var isWritable: Bool { pages.file.isWritable && log.file.isWritable }
    /// Pages in the database file.
    public var pageCount: UInt32 { UInt32(clamping: pages.byteCount / PageFile.pageByteCount) }
    /// Whether the database file ends with a page's end.
    public var hasWholePages: Bool { pages.byteCount % PageFile.pageByteCount == 0 }
    /// Size of the sealed log, in bytes.
    public var logByteCount: UInt64 { UInt64(log.file.byteCount) }
    /// End of the last durable commit in the log, in bytes: what the manifest may vouch for.
    public var durableLogByteCount: UInt64 { UInt64(log.committedEnd) }

    /// Takes another salt for the next log; only while the log's length is 0, else its frames would be lost
    /// (docs/sealed-sqlite.md §14).
    public func renewLogSalt(_ salt: [UInt8]) throws(SealedSQLiteError) {
        guard log.file.byteCount == 0 else { throw SealedSQLiteError(.damaged) }
        log.renew(salt: salt)
    }

    /// Returns whether page `number` (from 1) opens in its place; its content is not examined. The one that SQLite
    /// never uses must be empty.
    public func pageIsAuthentic(_ number: UInt32) -> Bool {
        if number == PageFile.lockBytePage { return pages.isHole(number) }
        return unsafe withUnsafeTemporaryAllocation(byteCount: PageFile.pageByteCount, alignment: 16) { page in
            defer { unsafe explicit_bzero(page.baseAddress!, page.count) }
            return unsafe pages.readPage(number, into: page) == .whole
        }
    }

    /// Returns what page `number` (from 1) holds, for tests of what is left in it; nil when it does not open.
    package func openedPage(_ number: UInt32) -> [UInt8]? {
        var page = [UInt8](repeating: 0, count: PageFile.pageByteCount)
        let isWhole = unsafe page.withUnsafeMutableBytes { unsafe pages.readPage(number, into: $0) == .whole }
        return isWhole ? page : nil
    }

    /// Returns the database of this moment, whatever is written from now on: the file's pages, and those of the log
    /// read into it. Between transactions.
    ///
    /// - Throws: `SealedSQLiteError.damaged` for a frame that does not open, `.inputOutput` for one that cannot be read
    ///   and without memory.
    public func snapshot(memoryByteCount: UInt64) throws(SealedSQLiteError) -> PageSnapshot {
        let newest = try log.newestPages()
        let snapshot = try PageSnapshot(
            pageCount: newest.pageCount ?? pages.byteCount / PageFile.pageByteCount, map: pages.map,
            directory: directory, memoryByteCount: memoryByteCount)
        for (number, frame) in newest.frames where number <= snapshot.pageCount {
            try log.requireFrame(frame)
            guard pages.keep(number, log.openedContent[24...], in: snapshot) else {
                throw SealedSQLiteError(.inputOutput)
            }
        }
        nonces.drop()
        if let failure = snapshot.failure { throw failure }
        pages.add(snapshot)
        return snapshot
    }

    /// Why reads no longer show the intended moment: a page of it could not be kept. Nil while all
    /// of it is there.
    public var lossOfMoment: SealedSQLiteError? { pages.lossOfMoment }

    /// Returns sealed pages one after the other, as a backup copies them, with what is known of each: whether it opens
    /// in its place. What cannot be read at all is zeros, which do not open.
    ///
    /// - Parameter first: from 1.
    /// - Returns: the bytes, and the numbers of the pages that do not open.
    public func checkedPages(from first: UInt32, count: Int) -> (bytes: [UInt8], damaged: [UInt32]) {
        var bytes = [UInt8](repeating: 0, count: count * PageFile.pageByteCount)
        var damaged: [UInt32] = []
        unsafe bytes.withUnsafeMutableBytes { target in
            for index in 0..<count {
                let at = index * PageFile.pageByteCount
                let page = unsafe UnsafeMutableRawBufferPointer(rebasing: target[at..<at + PageFile.pageByteCount])
                let number = first + UInt32(index)
                var (got, verdict) = unsafe pages.readSealed(number, into: page)
                // What does not belong there is not copied: in the copy nothing would say so.
                if verdict != .fits { got = nil }
                if got != page.count { unsafe page.initializeMemory(as: UInt8.self, repeating: 0) }
                let isSound =
                    number == PageFile.lockBytePage
                    ? unsafe page.allSatisfy { $0 == 0 }
                    : unsafe got == page.count && pages.opens(number, UnsafeRawBufferPointer(page))
                if !isSound { damaged.append(number) }
            }
        }
        return (bytes, damaged)
    }

    /// Returns another descriptor of the database file; its owner closes it.
    public func duplicateDescriptor() -> Int32 { fcntl(pages.file.descriptor, F_DUPFD_CLOEXEC, 0) }

    /// Cuts off what a failed transaction left after the last commit.
    public func discardUncommittedTail() { log.discardTail() }

    /// Gives back the room of a commit that the disk has refused.
    public func giveRoomBack() {
        pages.room.giveBack()
        // Of why that failed, if it did, no later error is to speak.
        SystemReason.note(0)
    }

    /// Waits until a database that was filled without a log is on disk.
    public func syncPages() throws(SealedSQLiteError) {
        guard sync(false) else { throw SealedSQLiteError(.inputOutput, systemError: SystemReason.take()) }
    }

    /// Writes what SQLite writes into the log, a commit after its room was laid.
    func writeLog(_ source: UnsafeRawBufferPointer, at offset: Int) -> Bool {
        if source.count == LogSealer.frameHeaderByteCount {
            let pageCount = unsafe source[4..<8].reduce(0) { $0 << 8 | Int($1) }
            guard pages.room.lay(forPages: pageCount) else { return false }
        }
        return unsafe log.write(source, at: offset)
    }

    /// Syncs a file, and ends the transaction's use of its nonces.
    func sync(_ isLog: Bool) -> Bool {
        nonces.drop()
        guard isLog else { return pages.file.sync() }
        guard log.sync() else { return false }
        pages.room.keep()
        return true
    }
}
