// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import CSystemShims
internal import Glibc
internal import SyncProtocol

/// `FolderWatch` hears of new names in folders by inotify(7). A hint and nothing more: what it misses is found by
/// asking.
final class FolderWatch {
    let descriptor: Int32
    /// Whether folders may have come that are not watched yet.
    var wantsFolders = true
    /// Names that this process is about to make: no news.
    private var expected: [String: Int] = [:]
    private var watched: Set<UInt64> = []

    /// Bits of an event's mask, from linux/inotify.h.
    private static let (closedAfterWriting, movedHere, created, isFolder): (UInt32, UInt32, UInt32, UInt32) =
        (0x8, 0x80, 0x100, 0x4000_0000)
    /// The folder went, its file system went, or there were more events than the kernel keeps.
    private static let lost: UInt32 = 0x400 | 0x2000 | 0x4000 | 0x8000

    init?() {
        descriptor = vs_inotify()
        guard descriptor >= 0 else { return nil }
    }

    deinit { close(descriptor) }

    func expect(_ name: String) {
        // Where the file system tells of nothing they would pile up.
        if expected.count > 1024 { expected = [:] }
        expected[name, default: 0] += 1
    }

    /// Watches a folder, unless it does already.
    func follow(_ folder: PassedFile) {
        guard let inode = FileStatus(descriptor: folder.descriptor)?.inode, !watched.contains(inode),
            vs_inotify_add(descriptor, folder.descriptor) == 0
        else { return }
        watched.insert(inode)
    }

    /// Takes all events that are there.
    ///
    /// - Returns: whether one of them is news: a name of ours that came whole, or a folder, or too many to tell.
    func takeEvents() -> Bool {
        var isNews = false
        var buffer = [UInt8](repeating: 0, count: 4096)
        while true {
            let got = unsafe read(descriptor, &buffer, buffer.count)
            if got < 0 && errno == EINTR { continue }
            guard got > 0 else { return isNews }
            for event in Self.events(buffer[..<got]) where isNewsOf(event.mask, event.name) { isNews = true }
        }
    }

    private func isNewsOf(_ mask: UInt32, _ name: String) -> Bool {
        guard mask & Self.lost == 0 else {
            watched = []
            wantsFolders = true
            return true
        }
        let isNewFolder = mask & Self.isFolder != 0 && mask & (Self.created | Self.movedHere) != 0
        let isWhole = mask & Self.isFolder == 0 && mask & (Self.closedAfterWriting | Self.movedHere) != 0
        if isNewFolder { wantsFolders = true }
        guard isNewFolder || isWhole && StoreArea.allCases.contains(where: { StoreName($0, name) != nil }) else {
            return false
        }
        guard let count = expected[name] else { return true }
        expected[name] = count > 1 ? count - 1 : nil
        return false
    }

    /// Reads `struct inotify_event`: watch, mask, cookie and length of the name with zeros behind it, four bytes each.
    private static func events(_ bytes: ArraySlice<UInt8>) -> [(mask: UInt32, name: String)] {
        var events: [(mask: UInt32, name: String)] = []
        var rest = bytes
        func number(_ offset: Int) -> UInt32 {
            let four = rest.dropFirst(offset).prefix(4)
            return unsafe four.withUnsafeBytes { unsafe $0.loadUnaligned(as: UInt32.self) }
        }
        while rest.count >= 16 {
            let (mask, count) = (number(4), Int(number(12)))
            guard rest.count - 16 >= count else { break }
            let name = rest.dropFirst(16).prefix(count).prefix { $0 != 0 }
            events.append((mask, String(decoding: name, as: UTF8.self)))
            rest = rest.dropFirst(16 + count)
        }
        return events
    }
}
