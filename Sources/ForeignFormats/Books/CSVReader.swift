// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import CCSV
internal import ParserProtocol

/// `CSVReader` reads the rows of a table with libcsv, piece by piece.
///
/// A comma, semicolon or tab of the first line parts the cells, quotation marks are as Excel writes them, and whatever
/// breaks those rules is still read somehow. A row that is longer than its limits has no cells; the next one begins
/// where it ends. Empty lines are no rows.
@safe
final class CSVReader {
    enum Row {
        case cells([[UInt8]])
        case tooLarge
    }

    static let cellByteCountMax = 1 << 20
    static let cellCountMax = 512
    static let rowByteCountMax = 8 << 20
    private static let sliceByteCount = 4 << 10
    /// Of the first line, which says what parts the cells.
    private static let headByteCountMax = 4096

    private let source: any EntrySource
    private let parser: UnsafeMutablePointer<csv_parser>
    private var rows: [Row] = []
    private var cells: [[UInt8]] = []
    private var rowByteCount = 0
    private var isRowTooLarge = false
    private var hasBegun = false
    private var isAtEnd = false
    /// Read of the source and not parsed.
    private var waiting: [UInt8] = []
    /// Rows that were returned: the number of the last one, as a spreadsheet shows it.
    private(set) var number = 0
    /// Whether the file ended within quotation marks: its last row may hold what were other rows.
    private(set) var endsInQuotes = false

    /// Makes a reader; nil if there is no memory.
    init?(_ source: any EntrySource) {
        let parser = UnsafeMutablePointer<csv_parser>.allocate(capacity: 1)
        unsafe parser.initialize(to: csv_parser())
        guard unsafe csv_init(parser, 0) == 0 else {
            unsafe parser.deallocate()
            return nil
        }
        unsafe self.parser = parser
        self.source = source
    }

    deinit {
        unsafe csv_free(parser)
        unsafe parser.deallocate()
    }

    /// Returns the next row; nil after the last.
    func next() throws(ImportFailure) -> Row? {
        if !hasBegun { try begin() }
        while rows.isEmpty {
            guard !isAtEnd else { return nil }
            if waiting.isEmpty { waiting = try source.readPiece() }
            if waiting.isEmpty {
                finish()
            } else {
                try parse(Array(waiting.prefix(Self.sliceByteCount)))
                waiting.removeFirst(min(waiting.count, Self.sliceByteCount))
            }
        }
        number += 1
        return rows.removeFirst()
    }

    /// Looks at the first line for what parts its cells, and passes a byte order mark over.
    private func begin() throws(ImportFailure) {
        hasBegun = true
        while waiting.count < Self.headByteCountMax, !waiting.contains(0x0A) {
            let piece = try source.readPiece()
            if piece.isEmpty { break }
            waiting += piece
        }
        if waiting.starts(with: [0xEF, 0xBB, 0xBF]) { waiting.removeFirst(3) }
        let line = waiting.prefix { $0 != 0x0A && $0 != 0x0D }
        let separator = line.contains(0x09) ? "\t" : line.contains(0x2C) ? "," : ";" as Unicode.Scalar
        unsafe csv_set_delim(parser, UInt8(ascii: separator))
    }

    private func parse(_ bytes: [UInt8]) throws(ImportFailure) {
        let client = unsafe Unmanaged.passUnretained(self).toOpaque()
        let count = unsafe bytes.withUnsafeBytes { bytes in
            unsafe csv_parse(parser, bytes.baseAddress, bytes.count, Self.takeCell, Self.takeRow, client)
        }
        guard count == bytes.count else { throw ImportFailure(.malformedContainer) }
        guard unsafe parser.pointee.entry_pos > Self.cellByteCountMax else { return }
        // What the cell holds so far is dropped. libcsv takes at most the blanks and one mark back from its end.
        isRowTooLarge = true
        unsafe parser.pointee.spaces = 0
        unsafe parser.pointee.entry_pos = 2
    }

    private func finish() {
        isAtEnd = true
        let client = unsafe Unmanaged.passUnretained(self).toOpaque()
        // Asked strictly first, it says whether a quotation mark is open, and changes nothing.
        _ = unsafe csv_set_opts(parser, UInt8(CSV_STRICT | CSV_STRICT_FINI))
        endsInQuotes = unsafe csv_fini(parser, Self.takeCell, Self.takeRow, client) != 0
        _ = unsafe csv_set_opts(parser, 0)
        if endsInQuotes { _ = unsafe csv_fini(parser, Self.takeCell, Self.takeRow, client) }
    }

    private static let takeCell: @convention(c) (UnsafeMutableRawPointer?, Int, UnsafeMutableRawPointer?) -> Void = {
        bytes, count, client in
        guard let reader = unsafe CSVReader.of(client) else { return }
        unsafe reader.add(UnsafeRawBufferPointer(start: bytes, count: bytes == nil ? 0 : count))
    }

    private static let takeRow: @convention(c) (Int32, UnsafeMutableRawPointer?) -> Void = { _, client in
        unsafe CSVReader.of(client)?.endRow()
    }

    private static func of(_ client: UnsafeMutableRawPointer?) -> CSVReader? {
        guard let client = unsafe client else { return nil }
        return unsafe Unmanaged<CSVReader>.fromOpaque(client).takeUnretainedValue()
    }

    private func add(_ cell: UnsafeRawBufferPointer) {
        rowByteCount += cell.count
        let fits =
            cell.count <= Self.cellByteCountMax && cells.count < Self.cellCountMax
            && rowByteCount <= Self.rowByteCountMax
        guard fits, !isRowTooLarge else {
            isRowTooLarge = true
            cells = []
            return
        }
        unsafe cells.append(Array(cell))
    }

    private func endRow() {
        rows.append(isRowTooLarge ? .tooLarge : .cells(cells))
        (cells, rowByteCount, isRowTooLarge) = ([], 0, false)
    }
}
