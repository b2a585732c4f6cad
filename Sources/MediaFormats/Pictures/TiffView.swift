// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// Reads directories of a TIFF structure, which is also what an Exif block is. It follows no pointer by itself.
struct TiffView {
    struct Entry {
        let tag: Int
        let type: Int
        let count: Int
        /// Where the four bytes of the value, or of its offset, stand.
        let valueAt: Int
    }

    let view: ByteView
    let isBigEndian: Bool
    let firstDirectoryAt: Int

    /// - Returns: nil without a header of classic TIFF.
    init?(_ view: ByteView) {
        if view.has([0x49, 0x49, 0x2A, 0]) {
            isBigEndian = false
        } else if view.has([0x4D, 0x4D, 0, 0x2A]) {
            isBigEndian = true
        } else {
            return nil
        }
        guard let at = view.number(4, byteCount: 4, isBigEndian: isBigEndian) else { return nil }
        self.view = view
        firstDirectoryAt = at
    }

    private func u16(_ at: Int) -> Int? { view.number(at, byteCount: 2, isBigEndian: isBigEndian) }
    private func u32(_ at: Int) -> Int? { view.number(at, byteCount: 4, isBigEndian: isBigEndian) }

    /// - Returns: nil if the directory is not within the bytes in full, except for the pointer behind it, which some
    ///   omit.
    func entries(at offset: Int) -> [Entry]? {
        guard offset >= 8, let count = u16(offset), view.view(offset + 2, count * 12) != nil else { return nil }
        var entries: [Entry] = []
        entries.reserveCapacity(count)
        for index in 0..<count {
            let at = offset + 2 + index * 12
            guard let tag = u16(at), let type = u16(at + 2), let count = u32(at + 4) else { return nil }
            entries.append(Entry(tag: tag, type: type, count: count, valueAt: at + 8))
        }
        return entries
    }

    /// The pointer behind a directory.
    ///
    /// - Returns: nil if there is none or it is 0.
    func nextDirectory(after offset: Int) -> Int? {
        guard let count = u16(offset), let next = u32(offset + 2 + count * 12), next != 0 else { return nil }
        return next
    }

    /// The first number of an entry of whole numbers.
    func number(of entry: Entry) -> Int? {
        guard entry.count > 0 else { return nil }
        switch entry.type {
        case 1: return view.u8(entry.valueAt)
        case 3: return u16(entry.valueAt)
        case 4, 13: return entry.count == 1 ? u32(entry.valueAt) : nil
        default: return nil
        }
    }

    /// One of the offsets in an entry that points to directories.
    func offset(_ index: Int, of entry: Entry) -> Int? {
        guard entry.type == 4 || entry.type == 13, index >= 0, index < entry.count else { return nil }
        guard entry.count > 1 else { return u32(entry.valueAt) }
        guard let table = u32(entry.valueAt) else { return nil }
        return u32(table + index * 4)
    }

    func text(of entry: Entry, startsWith text: String) -> Bool {
        guard entry.type == 2, entry.count >= text.utf8.count else { return false }
        guard entry.count > 4 else { return view.has(text, at: entry.valueAt) }
        guard let at = u32(entry.valueAt) else { return false }
        return view.has(text, at: at)
    }
}
