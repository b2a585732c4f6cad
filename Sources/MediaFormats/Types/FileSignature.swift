// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// `FileSignature` knows documents, archives and other files that say what they are in their first bytes; and tar,
/// which says it at byte 257.
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

    /// Returns whether a file is a tar with a valid checksum, which is the sum of the header's bytes with its own field
    /// taken as eight spaces.
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

/// `ZipMembers` knows documents that are zip archives, by their first members.
private enum ZipMembers {
    static let zip = MediaType.file("application/zip", "zip")

    static func type(of view: ByteView) -> MediaType? {
        guard let first = name(of: view, at: 0) else { return zip }
        if first.elementsEqual("mimetype".utf8) { return declared(view) ?? zip }
        let isPackage = ["[Content_Types].xml", "_rels/", "docProps/", "word/", "xl/", "ppt/"].contains {
            first.starts(with: $0.utf8)
        }
        return isPackage ? office(view) ?? zip : zip
    }

    /// Returns the type of OpenDocument and EPUB: the first member is stored as it is and holds the media type.
    private static func declared(_ view: ByteView) -> MediaType? {
        guard view.le16(8) == 0, let byteCount = view.le32(18), let nameCount = view.le16(26),
            let extraCount = view.le16(28),
            let content = view.view(30 + nameCount + extraCount, byteCount)
        else { return nil }
        let types = [
            MediaType.file("application/epub+zip", "epub"), .file("application/vnd.oasis.opendocument.text", "odt"),
            .file("application/vnd.oasis.opendocument.spreadsheet", "ods"),
            .file("application/vnd.oasis.opendocument.presentation", "odp"),
            .file("application/vnd.oasis.opendocument.graphics", "odg"),
        ]
        return types.first { content.slice.elementsEqual($0.name.utf8) }
    }

    /// Returns the type of Office Open XML: which of three folders is met first among the members in view.
    private static func office(_ view: ByteView) -> MediaType? {
        let prefix = "application/vnd.openxmlformats-officedocument."
        for at in 0..<max(view.count - 30, 0) where view.has([0x50, 0x4B, 3, 4], at: at) {
            guard let name = name(of: view, at: at) else { continue }
            if name.starts(with: "word/".utf8) { return .file(prefix + "wordprocessingml.document", "docx") }
            if name.starts(with: "xl/".utf8) { return .file(prefix + "spreadsheetml.sheet", "xlsx") }
            if name.starts(with: "ppt/".utf8) { return .file(prefix + "presentationml.presentation", "pptx") }
        }
        return nil
    }

    private static func name(of view: ByteView, at offset: Int) -> ArraySlice<UInt8>? {
        guard let byteCount = view.le16(offset + 26) else { return nil }
        return view.view(offset + 30, byteCount)?.slice
    }
}
