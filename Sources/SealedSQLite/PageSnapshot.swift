// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import CSystemShims
internal import Glibc
internal import Synchronization

/// The database as it was at one moment, for a reader on any thread, while the file goes on being written to.
///
/// Pages that the file did not hold at that moment, since they were in the log, are put here at the beginning; each page that is overwritten later
/// is put here first, as it lies there. So it grows to the size of the database at most, and the log is emptied as ever. What it keeps is sealed:
/// it lies in memory, or where that is too small in a file without a name.
public final class PageSnapshot: Sendable {
    private struct State {
        var slots: [UInt32: Int] = [:]
        var isBroken = false
    }

    private let state = Mutex(State())
    /// Nil on a disk that gives no file, when there is not enough memory either.
    private let descriptor: Int32
    /// Pages of the database at that moment.
    let pageCount: Int

    /// - Parameter directory: of the database; asked for a file when memory is short.
    /// - Throws: `SealedSQLiteError.noRoom`.
    init(pageCount: Int, directory: Int32, memoryByteCount: UInt64) throws(SealedSQLiteError) {
        self.pageCount = pageCount
        let fits = UInt64(pageCount) * UInt64(PageFile.pageByteCount) < memoryByteCount / 4
        let opened = fits ? vs_memory_file() : vs_open_unnamed(directory)
        descriptor = opened
        guard opened >= 0 else { throw SealedSQLiteError(.noRoom) }
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// Whether a page could not be kept: what is read from now on may be of another moment, so nothing is.
    var isBroken: Bool { state.withLock(\.isBroken) }

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
            guard number <= pageCount, state.slots[number] == nil, !state.isBroken else { return }
            unsafe withUnsafeTemporaryAllocation(byteCount: PageFile.pageByteCount, alignment: 16) { page in
                guard unsafe file.read(into: page, at: Int(number - 1) * PageFile.pageByteCount) == page.count else {
                    state.isBroken = true
                    return
                }
                unsafe put(number, UnsafeRawBufferPointer(page), &state)
            }
        }
    }

    /// Puts the pages here that are about to be cut off. A file that is emptied into keeps its size as a rule.
    func keep(after count: Int, from file: RawFile) {
        let end = min(pageCount, file.byteCount / PageFile.pageByteCount)
        for number in count..<max(count, end) { keep(UInt32(number + 1), from: file) }
    }

    private func put(_ number: UInt32, _ sealed: UnsafeRawBufferPointer, _ state: inout State) {
        let slot = state.slots.count
        guard unsafe pwrite(descriptor, sealed.baseAddress, sealed.count, slot * PageFile.pageByteCount) == sealed.count else {
            state.isBroken = true
            return
        }
        state.slots[number] = slot
    }

    /// The sealed bytes of a page at that moment. Under the lock, so that nobody overwrites the page between the look and the read.
    ///
    /// - Returns: how many bytes, none past the end; nil when that cannot be told any more.
    func read(_ number: UInt32, from file: RawFile, into target: UnsafeMutableRawBufferPointer) -> Int? {
        state.withLock { state in
            guard !state.isBroken else { return nil }
            guard number <= pageCount else { return 0 }
            guard let slot = state.slots[number] else { return unsafe file.read(into: target, at: Int(number - 1) * PageFile.pageByteCount) }
            return unsafe pread(descriptor, target.baseAddress, target.count, slot * PageFile.pageByteCount) == target.count ? target.count : nil
        }
    }
}
