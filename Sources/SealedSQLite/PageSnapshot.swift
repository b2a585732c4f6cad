// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import CSystemShims
internal import Glibc
internal import Synchronization

/// `PageSnapshot` is the database as it was at one moment, for a reader on any thread, while the file is still being
/// written to.
///
/// Pages that the file did not hold at that moment, since they were in the log, are put here at the beginning; each
/// page that is overwritten later is put here first, as it lies there. So it grows to the size of the database at most,
/// and the log is emptied as ever. What it keeps is sealed: it lies in memory, or where that is too small in a file
/// without a name.
public final class PageSnapshot: Sendable {
    private struct State {
        var slots: [UInt32: Int] = [:]
        /// What the map said, when they were kept, of pages that it does not vouch for.
        var verdicts: [UInt32: PageMap.Verdict] = [:]
        /// Why a page could not be kept: what is read from then on may be of another moment, so nothing is.
        var failure: SealedSQLiteError?
    }

    private let state = Mutex(State())
    private let descriptor: Int32
    private let isInMemory: Bool
    /// Pages of the database at that moment.
    let pageCount: Int
    /// Of the database, as it is now: of a page that has not been overwritten since it says what it said then.
    private let map: PageMap?

    /// Makes an empty file for old pages: in memory if the database takes less than a quarter of it, else without a
    /// name on the disk.
    ///
    /// - Parameter directory: of the database; asked for a file when memory is short.
    /// - Throws: `SealedSQLiteError.inputOutput`.
    init(
        pageCount: Int, map: PageMap? = nil, directory: Int32, memoryByteCount: UInt64
    ) throws(SealedSQLiteError) {
        self.pageCount = pageCount
        self.map = map
        let fits = UInt64(pageCount) * UInt64(PageFile.pageByteCount) < memoryByteCount / 4
        let opened = fits ? vs_memory_file() : vs_open_unnamed(directory)
        descriptor = opened
        isInMemory = fits
        guard opened >= 0 else { throw SealedSQLiteError(.inputOutput, systemError: errno) }
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// Why it is not whole; nil while it is.
    var failure: SealedSQLiteError? { state.withLock(\.failure) }

    /// How much it holds, in bytes.
    public var byteCount: Int { state.withLock { $0.slots.count } * PageFile.pageByteCount }

    /// Puts a page here that the file does not hold, sealed for its place.
    func keep(_ number: UInt32, _ sealed: UnsafeRawBufferPointer) {
        state.withLock { state in
            guard state.slots[number] == nil else { return }
            unsafe put(number, sealed, &state)
        }
    }

    /// Puts a page here that is about to be overwritten.
    func keep(_ number: UInt32, from file: RawFile) {
        state.withLock { state in
            guard number <= pageCount, state.slots[number] == nil, state.failure == nil else { return }
            unsafe withUnsafeTemporaryAllocation(byteCount: PageFile.pageByteCount, alignment: 16) { page in
                file.readFailure = 0
                guard unsafe file.read(into: page, at: Int(number - 1) * PageFile.pageByteCount) == page.count else {
                    state.failure = SealedSQLiteError(
                        .inputOutput, systemError: file.readFailure == 0 ? EIO : file.readFailure, isOfReading: true)
                    return
                }
                let verdict = unsafe verdict(number, page)
                if verdict != .fits { state.verdicts[number] = verdict }
                unsafe put(number, UnsafeRawBufferPointer(page), &state)
            }
        }
    }

    /// Puts the pages here that are about to be cut off. A file that is emptied into keeps its size as a rule.
    func keep(after count: Int, from file: RawFile) {
        let end = min(pageCount, file.byteCount / PageFile.pageByteCount)
        for number in count..<max(count, end) { keep(UInt32(clamping: number + 1), from: file) }
    }

    private func verdict(_ number: UInt32, _ sealed: UnsafeMutableRawBufferPointer) -> PageMap.Verdict {
        guard let map, number != PageFile.lockBytePage else { return .fits }
        return unsafe map.verdict(number, tag: PageTag(ofSealed: sealed))
    }

    private func put(_ number: UInt32, _ sealed: UnsafeRawBufferPointer, _ state: inout State) {
        let slot = state.slots.count
        errno = 0
        guard unsafe pwrite(descriptor, sealed.baseAddress, sealed.count, slot * PageFile.pageByteCount) == sealed.count
        else {
            // A file in memory is full when the memory is.
            state.failure = SealedSQLiteError(
                .inputOutput, systemError: isInMemory ? ENOMEM : errno == 0 ? ENOSPC : errno)
            return
        }
        state.slots[number] = slot
    }

    /// Reads the sealed bytes of a page at that moment. Under the lock, so that nobody overwrites the page between the
    /// look and the read.
    ///
    /// - Returns: how many bytes, none past the end, and what the map says of them; nil when that cannot be told any
    ///   more.
    func read(
        _ number: UInt32, from file: RawFile, into target: UnsafeMutableRawBufferPointer
    ) -> (count: Int?, verdict: PageMap.Verdict) {
        state.withLock { state in
            guard state.failure == nil else { return (nil, .failed) }
            guard number <= pageCount else { return (0, .fits) }
            guard let slot = state.slots[number] else {
                let got = unsafe file.read(into: target, at: Int(number - 1) * PageFile.pageByteCount)
                // A page that the database had and the file lacks is no empty one.
                let isCutOff = got == 0 && map != nil
                return (got, got == target.count ? unsafe verdict(number, target) : isCutOff ? .differs : .fits)
            }
            let got = unsafe pread(descriptor, target.baseAddress, target.count, slot * PageFile.pageByteCount)
            if got == target.count { return (got, state.verdicts[number] ?? .fits) }
            state.failure = SealedSQLiteError(.inputOutput, systemError: got < 0 ? errno : EIO, isOfReading: true)
            return (nil, .failed)
        }
    }
}
