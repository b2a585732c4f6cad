// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import CSystemShims
internal import Glibc
public import VaultCrypto

/// `PageSalvage` reads the rows of a sealed database whose trees can no longer be trusted: page by page, without
/// SQLite.
///
/// Every page of the database file that authenticates is looked at, whether a tree reaches it or not, and every
/// authentic frame of the log. Rows are found by the cells of leaf pages; which table they are of is for the caller to
/// tell, by what they hold. Nothing is ever written. One thread at a time.
///
/// ```swift
/// for version in pages.newest {
///     pages.forEachCell(of: version) { cell in
///         guard cell.columns.count == 4, cell.columns[0].isBlob(of: 16) else { return }
///         for record in pages.records(of: cell) where opens(record) { … }
///     }
/// }
/// ```
public final class PageSalvage {
    /// Largest row that is put together; the largest that programs write are below it.
    public static let payloadByteCountMax = 32 << 20

    /// `Version` is a page as stored in the file, or in one frame of the log.
    public struct Version: Hashable, Sendable {
        /// From 1.
        public let page: UInt32
        /// From 0; -1 for the database file.
        let frame: Int32
    }

    /// `Position` tells where a row can be read again: it costs twelve bytes to remember, not the row.
    public struct Position: Hashable, Sendable {
        let version: Version
        let cell: UInt16
        /// Whether its overflow pages are those of its own time, not the newest.
        let isOfItsTime: Bool

        /// Grows with the place in the log, then in the database file.
        public var order: UInt64 { UInt64(version.frame + 1) << 48 | UInt64(version.page) << 16 | UInt64(cell) }
    }

    /// `Cell` is a cell of a leaf: what its header says, before its values are read.
    public struct Cell: Sendable {
        public let columns: [SalvagedColumn]
        public let rowID: Int64?
        let version: Version
        let index: UInt16
        let cell: BTreePage.Cell
        let local: [UInt8]
    }

    /// Most lost pages that are named; more are only counted: a file can be made huge without a byte in it.
    public static let namedPageCountMax = 100_000

    let pages: PageFile
    private let log: SalvagedLog
    private let nonces = NoncePool()

    /// Whole pages in the database file.
    public let filePageCount: UInt32
    /// The log's size in bytes; nil when it is not there.
    public let logByteCount: Int?
    /// Pages that open neither in the file nor in the log; the first of them, where there are very many.
    public private(set) var lostPages: [UInt32] = []
    /// How many there are.
    public private(set) var lostPageCount = 0
    /// Number of pages that open but do not belong there: they count as lost, and their content as older.
    public private(set) var oldPageCount = 0
    private var oldPages: [Version] = []
    /// Says which pages belong there; nil where nothing does.
    private var map: PageMap?
    /// Frames of the log that do not open.
    public var lostFrames: Int { log.lostFrames }
    /// All whole frames of a log that opens; what is beyond eight GiB is not looked at.
    public var frameCount: Int { log.frameCount }
    /// Whether a frame after the last readable commit does not open: it may have belonged to a later commit.
    public var endIsLost: Bool { log.endIsLost }
    /// Whether there is a log of which nothing can be read, since its header does not open.
    public var logIsLost: Bool { log.isLost }
    /// The newest version of each page that opens: the database as it was last, as far as it is there. It is filled by
    /// `survey`.
    public private(set) var newest: [Version] = []
    private var surveyed: UInt32 = 0

    /// Opens the two files of a database; a missing one counts as empty.
    ///
    /// - Parameters:
    ///   - directory: an open directory; it is not needed after the call.
    ///   - name: the database's; the log's is the same with "-wal".
    ///   - logSalts: of the manifest and of other copies of it: the first under which the log opens counts.
    /// - Throws: `SealedSQLiteError.notAFile` for links and the like, `.inputOutput`, `CryptoError`.
    public convenience init(
        directory: Int32, name: String, pageKey: SymmetricKey, logKey: SymmetricKey, pageBinding: [UInt8],
        logBinding: [UInt8], logSalts: [[UInt8]]
    ) throws {
        let none = try RawFile(reading: vs_memory_file())
        try self.init(
            file: Self.open(directory, name) ?? none, log: Self.open(directory, name + "-wal"), pageKey: pageKey,
            logKey: logKey, pageBinding: pageBinding, logBinding: logBinding, logSalts: logSalts)
    }

    /// Reads a database file alone, as a backup has it.
    ///
    /// - Parameter file: a descriptor; it is taken over.
    /// - Throws: `SealedSQLiteError`, `CryptoError`.
    public convenience init(reading file: Int32, pageKey: SymmetricKey, pageBinding: [UInt8]) throws {
        try self.init(
            file: RawFile(reading: file), log: nil, pageKey: pageKey, logKey: pageKey, pageBinding: pageBinding,
            logBinding: pageBinding, logSalts: [])
    }

    private init(
        file: RawFile, log logFile: RawFile?, pageKey: SymmetricKey, logKey: SymmetricKey, pageBinding: [UInt8],
        logBinding: [UInt8], logSalts: [[UInt8]]
    ) throws {
        pages = try PageFile(file: file, key: pageKey, binding: pageBinding, nonces: nonces)
        filePageCount = UInt32(clamping: file.byteCount / PageFile.pageByteCount)
        let none = [UInt8](repeating: 0, count: 32)
        let sealer = try LogSealer(key: logKey, binding: logBinding, salt: none, nonces: nonces)
        logByteCount = logFile?.byteCount
        log = SalvagedLog(
            LogFile(file: try logFile ?? RawFile(reading: vs_memory_file()), sealer: sealer), salts: logSalts)
    }

    /// Opens a file for reading; nil if it is not there.
    private static func open(_ directory: Int32, _ name: String) throws(SealedSQLiteError) -> RawFile? {
        let opened = unsafe vs_open_at(directory, name, O_RDONLY | O_NONBLOCK, 0)
        guard opened >= 0 else {
            guard errno == ENOENT else {
                if errno == ELOOP { throw SealedSQLiteError(.notAFile) }
                throw SealedSQLiteError(.inputOutput, systemError: errno, isOfReading: true)
            }
            return nil
        }
        let file = try RawFile(reading: opened)
        var status = stat()
        guard unsafe fstat(opened, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_uid == getuid() else {
            throw SealedSQLiteError(.notAFile)
        }
        return file
    }

    // MARK: Which pages there are

    /// Reads some frames of the log more; then looks whether some pages more open, in the order of their numbers.
    ///
    /// - Returns: false when all are in `newest`.
    public func survey(pageCount: Int) -> Bool {
        var left = pageCount - log.read(frameCount: pageCount)
        while surveyed < lastPage, left > 0 {
            surveyed += 1
            left -= 1
            if let frame = log.committed[surveyed]?.last {
                newest.append(Version(page: surveyed, frame: frame))
            } else if surveyed <= filePageCount, content(Version(page: surveyed, frame: -1)) != nil {
                guard isOld(surveyed) else {
                    newest.append(Version(page: surveyed, frame: -1))
                    continue
                }
                oldPageCount += 1
                oldPages.append(Version(page: surveyed, frame: -1))
                lose(surveyed)
            } else if surveyed != PageFile.lockBytePage {
                lose(surveyed)
            }
        }
        return log.next < log.frameCount || surveyed < lastPage
    }

    private func lose(_ page: UInt32) {
        lostPageCount += 1
        if lostPages.count < Self.namedPageCountMax { lostPages.append(page) }
    }

    /// Reads the map of the pages too. Pages that a damaged or missing map cannot prove are accepted as they are.
    ///
    /// - Parameters:
    ///   - directory: an open directory; it is not needed after the call.
    ///   - name: of the map's file.
    public func readMap(_ name: String, in directory: Int32, root: PageMapRoot) {
        let copy = fcntl(pages.file.descriptor, F_DUPFD_CLOEXEC, 0)
        map = try? PageMap(directory: directory, name: name, pages: copy, root: root, mends: false)
    }

    private func isOld(_ page: UInt32) -> Bool {
        map?.hasAnother(page) ?? false
    }

    private var lastPage: UInt32 { max(filePageCount, log.lastPage) }

    /// Frames and pages that were looked at, and all that there are.
    public var progress: (done: UInt64, total: UInt64) {
        (UInt64(log.next) + UInt64(surveyed), UInt64(log.frameCount) + UInt64(lastPage))
    }

    /// Older versions of pages that are in the log more than once or in both files, and what a transaction without an
    /// end has left: the newest first.
    public var older: [Version] {
        var found: [Version] = []
        for (page, frames) in log.committed {
            found += frames.dropLast().map { Version(page: page, frame: $0) }
            if page <= filePageCount { found.append(Version(page: page, frame: -1)) }
        }
        return (found + log.uncommitted + oldPages).sorted { ($0.frame, $0.page) > ($1.frame, $1.page) }
    }

    /// Returns what a page holds; nil when it does not open.
    func content(_ version: Version) -> [UInt8]? {
        guard version.frame < 0 else {
            guard log.file.openFrame(Int(version.frame)) else { return nil }
            return Array(log.file.openedContent[LogSealer.frameHeaderByteCount...])
        }
        guard version.page > 0, version.page <= filePageCount, version.page != PageFile.lockBytePage else { return nil }
        var page = [UInt8](repeating: 0, count: PageFile.pageByteCount)
        let isWhole = unsafe page.withUnsafeMutableBytes { unsafe pages.readPage(version.page, into: $0) == .whole }
        return isWhole ? page : nil
    }

    // MARK: Rows

    /// Visits the cells of a page that have a row's header. Only leaf pages have such cells.
    public func forEachCell(of version: Version, _ body: (Cell) throws -> Void) rethrows {
        guard let bytes = content(version), let page = BTreePage(bytes, number: version.page) else { return }
        for index in 0..<page.cellCount {
            guard let cell = Self.cell(page, index, version) else { continue }
            try body(cell)
        }
    }

    private static func cell(_ page: BTreePage, _ index: Int, _ version: Version) -> Cell? {
        guard let found = page.cell(index), let number = UInt16(exactly: index) else { return nil }
        let local = Array(page.localPart(found))
        guard let columns = SalvagedColumn.list(local, payloadByteCount: found.payloadByteCount) else { return nil }
        return Cell(
            columns: columns, rowID: found.rowID, version: version, index: number, cell: found, local: local)
    }

    /// Returns the row of a cell, in each way in which its overflow pages can be read: the newest ones first, then
    /// those of its own time. Empty when they are not there.
    public func records(of cell: Cell) -> [(record: SalvagedRecord, position: Position)] {
        guard cell.cell.overflow != nil else { return reading(cell, false).map { [$0] } ?? [] }
        guard !log.committed.isEmpty || cell.version.frame >= 0 else { return reading(cell, false).map { [$0] } ?? [] }
        return [reading(cell, false), reading(cell, true)].compactMap { $0 }
    }

    private func reading(_ cell: Cell, _ isOfItsTime: Bool) -> (record: SalvagedRecord, position: Position)? {
        let position = Position(version: cell.version, cell: cell.index, isOfItsTime: isOfItsTime)
        guard let payload = payload(cell.local, cell.cell, of: cell.version, isOfItsTime),
            let record = SalvagedRecord(payload: payload, rowID: cell.rowID)
        else { return nil }
        return (record, position)
    }

    /// Reads a row again; nil when the file has changed meanwhile.
    public func record(at position: Position) -> SalvagedRecord? {
        guard let bytes = content(position.version), let page = BTreePage(bytes, number: position.version.page),
            let cell = Self.cell(page, Int(position.cell), position.version)
        else { return nil }
        return reading(cell, position.isOfItsTime)?.record
    }

    /// Returns a whole payload, from the page and its overflow pages. It never grows beyond what these hold.
    private func payload(
        _ local: [UInt8], _ cell: BTreePage.Cell, of version: Version, _ isOfItsTime: Bool
    ) -> [UInt8]? {
        var payload = local
        var next = cell.overflow ?? 0
        var seen: Set<UInt32> = []
        while payload.count < cell.payloadByteCount {
            guard next > 0, seen.insert(next).inserted,
                let bytes = overflowPage(next, of: version, isOfItsTime)
            else { return nil }
            let count = min(cell.payloadByteCount - payload.count, BTreePage.usable - 4)
            payload += bytes[4..<4 + count]
            next = Self.number(bytes, 0)
        }
        return payload
    }

    private func overflowPage(_ page: UInt32, of version: Version, _ isOfItsTime: Bool) -> [UInt8]? {
        let frames = log.committed[page] ?? []
        guard isOfItsTime else {
            return content(Version(page: page, frame: frames.last ?? -1))
        }
        // Pages of one transaction come in the order of their numbers, so those behind the leaf count up to its end.
        let end = version.frame < 0 ? -1 : log.end(of: version.frame)
        let open = log.isUncommitted(version.frame) ? log.uncommitted.last { $0.page == page } : nil
        return content(open ?? Version(page: page, frame: frames.last { $0 <= end } ?? -1))
    }

    static func number(_ bytes: [UInt8], _ at: Int) -> UInt32 {
        UInt32(bytes[at]) << 24 | UInt32(bytes[at + 1]) << 16 | UInt32(bytes[at + 2]) << 8 | UInt32(bytes[at + 3])
    }
}
