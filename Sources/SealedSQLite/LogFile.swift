// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import Glibc

/// `LogFile` is the write-ahead log as SQLite sees it (32-byte header, frames of 24 + 4,096 bytes) over the sealed one.
///
/// SQLite writes a frame's header and its page one after the other, and rewrites either alone when a transaction spills
/// and is checksummed again. A header is therefore held until its page arrives; one that comes alone is put into the
/// frame that is there.
final class LogFile {
    let file: RawFile
    let sealer: LogSealer
    /// Where the log ends for SQLite while recovery has not overwritten an unusable tail; nil once it is the file's
    /// end.
    private var endOverride: Int?
    private var pending: (index: Int, header: [UInt8])?
    private var content = [UInt8](repeating: 0, count: LogSealer.contentByteCount)
    private var sealed = [UInt8](repeating: 0, count: LogSealer.frameByteCount)
    private var lastWrittenIsCommit = false
    private var lastWrittenEnd = 0
    /// End of the last commit that is durable, in bytes of the sealed file.
    private(set) var committedEnd = 0
    /// SQLite's salts of this log, which its header and each frame hold; nil until one of them was opened. SQLite may
    /// begin a log over the one before, and only the salts tell their frames apart.
    private(set) var salts: [UInt8]?

    init(file: RawFile, sealer: LogSealer) {
        self.file = file
        self.sealer = sealer
    }

    static func frameOffset(_ index: Int) -> Int { LogSealer.sealedHeaderByteCount + index * LogSealer.frameByteCount }

    /// Makes SQLite see `frameCount` frames and no more, after recovery.
    func limit(toFrames frameCount: Int, isEmpty: Bool) {
        endOverride = isEmpty ? 0 : LogSealer.headerByteCount + frameCount * LogSealer.frameByteCount
        committedEnd = isEmpty ? 0 : Self.frameOffset(frameCount)
    }

    /// Takes another salt of the manifest; only while the log's length is 0 (docs/sealed-sqlite.md §14).
    func renew(salt: [UInt8]) {
        sealer.renew(salt: salt)
        salts = nil
    }

    /// Size that SQLite sees, in bytes.
    var byteCount: Int {
        if let endOverride { return endOverride }
        let physical = file.byteCount
        return physical < LogSealer.sealedHeaderByteCount ? 0 : physical - 40
    }

    func read(into target: UnsafeMutableRawBufferPointer, at offset: Int) -> PageFile.ReadResult {
        guard flushPending() else { return .failed }
        guard offset + target.count <= byteCount else {
            unsafe target.initializeMemory(as: UInt8.self, repeating: 0)
            return .short
        }
        if offset + target.count <= LogSealer.headerByteCount { return unsafe readHeader(into: target, at: offset) }
        let index = (offset - LogSealer.headerByteCount) / LogSealer.frameByteCount
        let within = (offset - LogSealer.headerByteCount) % LogSealer.frameByteCount
        guard offset >= LogSealer.headerByteCount, within + target.count <= LogSealer.frameByteCount else {
            return .failed
        }
        file.readFailure = 0
        // A transaction that is running may have frames whose salts SQLite fills in when it commits.
        guard openFrame(index), isOfThisLog || content[8..<16].allSatisfy({ $0 == 0 }) else {
            return file.readFailure == 0 ? .notAuthentic : .failed
        }
        unsafe content.withUnsafeBytes { raw in
            let end = min(within + target.count, raw.count)
            let count = max(0, end - within)
            unsafe target.copyMemory(from: UnsafeRawBufferPointer(rebasing: raw[min(within, end)..<end]))
            // What is left is the reserve, which is zero in memory.
            let rest = unsafe UnsafeMutableRawBufferPointer(rebasing: target[count...])
            unsafe rest.initializeMemory(as: UInt8.self, repeating: 0)
        }
        return .whole
    }

    func write(_ source: UnsafeRawBufferPointer, at offset: Int) -> Bool {
        endOverride = nil
        if offset == 0 { return unsafe writeHeader(source) }
        let index = (offset - LogSealer.headerByteCount) / LogSealer.frameByteCount
        let within = (offset - LogSealer.headerByteCount) % LogSealer.frameByteCount
        switch (within, source.count) {
        case (0, LogSealer.frameHeaderByteCount):
            guard flushPending() else { return false }
            pending = unsafe (index, Array(source))
            return true
        case (LogSealer.frameHeaderByteCount, PageFile.pageByteCount):
            guard unsafe PageFile.hasEmptyReserve(source) else { return false }
            if let held = pending, held.index == index {
                pending = nil
                content.replaceSubrange(0..<24, with: held.header)
            } else {
                guard flushPending(), openFrame(index) else { return false }
            }
            unsafe content.withUnsafeMutableBytes { raw in
                let page = unsafe UnsafeMutableRawBufferPointer(rebasing: raw[24..<24 + PageFile.usableByteCount])
                unsafe page.copyMemory(from: UnsafeRawBufferPointer(rebasing: source[0..<PageFile.usableByteCount]))
            }
            return writeFrame(index)
        default:
            return false  // nothing else is a log's write (docs/sealed-sqlite.md §6)
        }
    }

    func truncate(to byteCount: Int) -> Bool {
        pending = nil
        endOverride = nil
        committedEnd = 0
        lastWrittenIsCommit = false
        return file.truncate(to: byteCount == 0 ? 0 : byteCount + 40)
    }

    func sync() -> Bool {
        guard flushPending(), file.sync() else { return false }
        if lastWrittenIsCommit { committedEnd = lastWrittenEnd }
        return true
    }

    /// Cuts off what a failed transaction left, so that no later recovery has to wonder about it.
    func discardTail() {
        pending = nil
        lastWrittenIsCommit = false
        if endOverride == nil, file.byteCount > committedEnd { _ = file.truncate(to: committedEnd) }
    }

    private func flushPending() -> Bool {
        guard let held = pending else { return true }
        pending = nil
        guard openFrame(held.index) else { return false }
        content.replaceSubrange(0..<24, with: held.header)
        return writeFrame(held.index)
    }

    private func readHeader(into target: UnsafeMutableRawBufferPointer, at offset: Int) -> PageFile.ReadResult {
        file.readFailure = 0
        guard let header = openHeader() else { return file.readFailure == 0 ? .notAuthentic : .failed }
        for position in 0..<target.count { unsafe target[position] = header[offset + position] }
        return .whole
    }

    /// Returns SQLite's 32-byte log header, or nil.
    func openHeader() -> [UInt8]? {
        var header = [UInt8](repeating: 0, count: LogSealer.headerByteCount)
        let opened = unsafe sealed.withUnsafeMutableBytes { raw in
            let part = unsafe UnsafeMutableRawBufferPointer(rebasing: raw[0..<LogSealer.sealedHeaderByteCount])
            guard unsafe file.read(into: part, at: 0) == part.count else { return false }
            return unsafe header.withUnsafeMutableBytes {
                unsafe sealer.openHeader(UnsafeRawBufferPointer(part), into: $0)
            }
        }
        guard opened else { return nil }
        salts = Array(header[16..<24])
        return header
    }

    private func writeHeader(_ source: UnsafeRawBufferPointer) -> Bool {
        guard source.count == LogSealer.headerByteCount else { return false }
        pending = nil
        salts = unsafe Array(source[16..<24])
        let written = unsafe sealed.withUnsafeMutableBytes { raw in
            let part = unsafe UnsafeMutableRawBufferPointer(rebasing: raw[0..<LogSealer.sealedHeaderByteCount])
            return unsafe sealer.sealHeader(source, into: part) && file.write(UnsafeRawBufferPointer(part), at: 0)
        }
        lastWrittenIsCommit = false
        return written
    }

    /// Opens frame `index` (from 0) into `content`: 24 header bytes, then 4,056 page bytes.
    func openFrame(_ index: Int) -> Bool {
        unsafe sealed.withUnsafeMutableBytes { raw in
            guard unsafe file.read(into: raw, at: Self.frameOffset(index)) == raw.count else { return false }
            return unsafe content.withUnsafeMutableBytes {
                unsafe sealer.openFrame(UnsafeRawBufferPointer(raw), index: index, into: $0)
            }
        }
    }

    /// Opens a frame in the same way; false too for a frame of a log that SQLite has begun this one over. The first
    /// frame that opens tells the salts where the header is lost.
    func openOwnFrame(_ index: Int) -> Bool {
        guard openFrame(index) else { return false }
        if salts == nil { salts = Array(content[8..<16]) }
        return isOfThisLog
    }

    /// Of the frame that was opened last.
    private var isOfThisLog: Bool { salts.map { content[8..<16].elementsEqual($0) } ?? true }

    /// Opens a frame that must be there in the same way.
    ///
    /// - Throws: `SealedSQLiteError.damaged` for one that does not open, `.inputOutput` for one that cannot be read.
    func requireFrame(_ index: Int) throws(SealedSQLiteError) {
        file.readFailure = 0
        if openOwnFrame(index) { return }
        guard file.readFailure != 0 else { throw SealedSQLiteError(.damaged) }
        throw SealedSQLiteError(.inputOutput, systemError: file.readFailure, isOfReading: true)
    }

    /// Returns which frame holds what each page is after the last commit, and how many pages there are then; nothing in
    /// an empty log.
    func newestPages() throws(SealedSQLiteError) -> (frames: [UInt32: Int], pageCount: Int?) {
        let count =
            committedEnd < Self.frameOffset(0) ? 0 : (committedEnd - Self.frameOffset(0)) / LogSealer.frameByteCount
        var frames: [UInt32: Int] = [:]
        var pageCount: Int?
        for index in 0..<count {
            try requireFrame(index)
            frames[content[0..<4].reduce(0) { $0 << 8 | UInt32($1) }] = index
            let size = content[4..<8].reduce(0) { $0 << 8 | Int($1) }
            if size > 0 { pageCount = size }
        }
        return (frames, pageCount)
    }

    /// What `openFrame` opened last.
    var openedContent: [UInt8] { content }
    /// The same frame as it lies in the file.
    var openedSealed: [UInt8] { sealed }

    private func writeFrame(_ index: Int) -> Bool {
        let written = unsafe sealed.withUnsafeMutableBytes { raw in
            unsafe content.withUnsafeBytes { unsafe sealer.sealFrame($0, index: index, into: raw) }
                && file.write(UnsafeRawBufferPointer(raw), at: Self.frameOffset(index))
        }
        lastWrittenIsCommit = content[4..<8].contains { $0 != 0 }
        lastWrittenEnd = Self.frameOffset(index + 1)
        return written
    }
}
