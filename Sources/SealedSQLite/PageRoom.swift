// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import Glibc

/// `PageRoom` is room on the disk, behind the end of the database file, for the pages that the log holds and the file
/// does not have yet.
///
/// What a full disk is freed with is an emptied log, and a log can be emptied only into pages for which there is room.
/// So each commit lays the room for its pages first, and one for which there is none fails like any write. Spec:
/// docs/format.md §14.
final class PageRoom {
    private let file: RawFile
    /// Up to where there is room, in bytes; 0 while that is not known.
    private var end = 0
    /// How many pages the database has with the commit that is being written, and with the last durable one.
    private var (asked, kept) = (0, 0)
    /// Asked for at once on a disk that has plenty, 64 times as much: a file that grows page by page is laid in few
    /// pieces.
    private static let aheadByteCount = 64 * PageFile.pageByteCount
    private static let plenty = 64

    /// Until the file system has said that it promises none.
    private var isPromised = true

    init(_ file: RawFile) { self.file = file }

    /// Lays room for a database of `count` pages; 0 says nothing. False when the disk has none.
    func lay(forPages count: Int) -> Bool {
        guard count > 0, isPromised else { return true }
        let needed = count * PageFile.pageByteCount
        asked = count
        guard needed > end, let size = file.knownByteCount else { return true }
        end = max(end, size)
        guard needed > end else { return true }
        let free = file.freeByteCount
        // Without asking: a file system may keep what it gave before it had no more.
        guard free >= needed - end else { return refuse(ENOSPC) }
        let hasPlenty = free / Self.plenty > Self.aheadByteCount
        for goal in hasPlenty ? [needed + Self.aheadByteCount, needed] : [needed] {
            switch file.layRoom(from: end, to: goal) {
            case .laid:
                end = goal
                return true
            case .never:
                isPromised = false
                return true
            case .refused(let reason):
                takeBack(from: goal)
                if goal == needed { return refuse(reason) }
            }
        }
        return true
    }

    /// The log is durable: what was asked for is needed until the log is emptied.
    func keep() { kept = asked }

    /// Gives back what a commit had asked for that failed then.
    func giveBack() {
        guard asked != kept else { return }
        asked = kept
        takeBack(from: end)
    }

    private func refuse(_ reason: Int32) -> Bool {
        asked = kept
        return file.refuse(reason)
    }

    /// Cuts the room behind the file's end, of which there is some up to an offset at most, and lays again what durable
    /// commits need. The file stays as long as it is.
    private func takeBack(from reached: Int) {
        guard isPromised, let size = file.knownByteCount, size > 0, reached > size, file.truncate(to: size) else {
            return
        }
        end = size
        let needed = kept * PageFile.pageByteCount
        if needed > size, file.layRoom(from: size, to: needed) == .laid { end = needed }
    }

    /// The file was cut to what it holds, and the room behind its end went with that.
    func cut() { (end, asked, kept) = (0, 0, 0) }
}
