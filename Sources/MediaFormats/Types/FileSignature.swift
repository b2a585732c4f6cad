// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// Documents, archives and other files that say what they are in their first bytes; and tar, which says it at byte 257.
enum FileSignature {
    static func type(of view: ByteView) -> MediaType? {
        if view.has("%PDF-"), let digit = view.u8(5), (0x31...0x39).contains(digit) {
            return .file("application/pdf", "pdf")
        }
        if view.has([0x50, 0x4B, 3, 4]) { return ZipMembers.type(of: view) }
        // The end of the list of members at the start: an archive without any.
        if view.has([0x50, 0x4B, 5, 6]) { return ZipMembers.zip }
        if view.has("SQLite format 3\0") { return .file("application/vnd.sqlite3", "sqlite") }
        if view.has([0x7F, 0x45, 0x4C, 0x46]), let bits = view.u8(4), (1...2).contains(bits), let order = view.u8(5),
            (1...2).contains(order)
        {
            return .file("application/x-executable", "elf")
        }
        return compressed(view) ?? (isTar(view) ? .file("application/x-tar", "tar") : nil)
    }

    private static func compressed(_ view: ByteView) -> MediaType? {
        // Only deflate was ever used, and three bits of the flags are reserved.
        if view.has([0x1F, 0x8B, 8]), let flags = view.u8(3), flags & 0xE0 == 0 {
            return .file("application/gzip", "gz")
        }
        if view.has([0xFD, 0x37, 0x7A, 0x58, 0x5A, 0]) { return .file("application/x-xz", "xz") }
        if view.has([0x28, 0xB5, 0x2F, 0xFD]) { return .file("application/zstd", "zst") }
        if view.has([0x37, 0x7A, 0xBC, 0xAF, 0x27, 0x1C]) { return .file("application/x-7z-compressed", "7z") }
        return nil
    }

    /// The checksum is the sum of the header's bytes with its own field taken as eight spaces.
    private static func isTar(_ view: ByteView) -> Bool {
        guard view.has("ustar", at: 257), let header = view.view(0, 512), let field = view.view(148, 8) else {
            return false
        }
        let digits = field.slice.drop { $0 == UInt8(ascii: " ") }.prefix {
            (UInt8(ascii: "0")...UInt8(ascii: "7")).contains($0)
        }
        guard !digits.isEmpty else { return false }
        let stored = digits.reduce(0) { $0 << 3 | Int($1 & 7) }
        let sum = header.slice.reduce(0) { $0 + Int($1) } - field.slice.reduce(0) { $0 + Int($1) } + 8 * 0x20
        return stored == sum
    }
}
