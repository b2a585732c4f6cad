// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// `ExifBlock` says what an Exif block says about the picture's orientation, and what kinds of things it tells besides.
struct ExifBlock {
    /// 1 to 8; nil if there is none, or another value, which all programs take for 1.
    private(set) var orientation: Int?
    private(set) var kinds: Set<MetadataKind> = []

    /// Reads the first directory in full; that is where the orientation stands. All else is only named and goes anyway,
    /// so a directory below that cannot be read is no error. Each is visited once: a loop has no effect.
    ///
    /// - Parameter view: from the TIFF header on.
    /// - Returns: nil if the header or the first directory cannot be read.
    init?(_ view: ByteView) {
        guard let tiff = TiffView(view), let entries = tiff.entries(at: tiff.firstDirectoryAt) else { return nil }
        for entry in entries {
            if let kind = TiffTag.meaning(inFirstDirectory: entry.tag) { kinds.insert(kind) }
        }
        if let entry = entries.first(where: { $0.tag == TiffTag.orientation }), let value = tiff.number(of: entry),
            (1...8).contains(value)
        {
            orientation = value
        }
        if let pointer = entries.first(where: { $0.tag == TiffTag.exifDirectory }) { readExifDirectory(tiff, pointer) }
        if tiff.nextDirectory(after: tiff.firstDirectoryAt) != nil { kinds.insert(.thumbnail) }
    }

    private mutating func readExifDirectory(_ tiff: TiffView, _ pointer: TiffView.Entry) {
        guard let at = tiff.offset(0, of: pointer), let entries = tiff.entries(at: at) else {
            kinds.insert(.cameraSettings)
            return
        }
        for entry in entries {
            if let kind = TiffTag.meaning(inExifDirectory: entry.tag) { kinds.insert(kind) }
        }
    }

    /// Orientations that turn or mirror the picture; only these are worth a block of their own.
    var turning: Int? { orientation.flatMap { $0 > 1 ? $0 : nil } }

    static let minimalByteCount = 26

    /// Makes a block that holds an orientation and nothing else: a header, one directory of one entry, and no further
    /// directory.
    static func minimal(orientation: Int) -> [UInt8] {
        let header: [UInt8] = [0x4D, 0x4D, 0, 0x2A, 0, 0, 0, 8]
        let entry: [UInt8] = [0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, UInt8(truncatingIfNeeded: orientation), 0, 0]
        return header + [0, 1] + entry + [0, 0, 0, 0]
    }
}

/// `TiffView` reads directories of a TIFF structure, which is also what an Exif block is. It follows no pointer by
/// itself.
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

    /// Reads the header; nil unless it is one of classic TIFF.
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

    /// Returns the entries of the directory at an offset; nil if the directory is not within the bytes in full, except
    /// for the pointer after it, which some writers omit.
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

    /// Returns the pointer behind a directory.
    ///
    /// - Returns: nil if there is none or it is 0.
    fileprivate func nextDirectory(after offset: Int) -> Int? {
        guard let count = u16(offset), let next = u32(offset + 2 + count * 12), next != 0 else { return nil }
        return next
    }

    /// Returns the first number of an entry of whole numbers.
    func number(of entry: Entry) -> Int? {
        guard entry.count > 0 else { return nil }
        switch entry.type {
        case 1: return view.u8(entry.valueAt)
        case 3: return u16(entry.valueAt)
        case 4, 13: return entry.count == 1 ? u32(entry.valueAt) : nil
        default: return nil
        }
    }

    /// Returns one of the offsets in an entry that points to directories.
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

/// `TiffTag` names the tags that are looked for. Sources: TIFF 6.0; Exif 3.0 (CIPA DC-008); DNG 1.7.
enum TiffTag {
    static let compression = 0x0103
    static let make = 0x010F
    static let orientation = 0x0112
    static let subDirectories = 0x014A
    fileprivate static let exifDirectory = 0x8769
    private static let gpsDirectory = 0x8825
    static let dngVersion = 0xC612

    /// Returns what an entry of the first directory tells about.
    ///
    /// - Returns: nil for what only describes how the picture is stored.
    static func meaning(inFirstDirectory tag: Int) -> MetadataKind? {
        switch tag {
        case orientation, exifDirectory: nil
        case 0x0100...0x0107, 0x0111, 0x0115...0x0119, 0x011A...0x011C, 0x0128, 0x0201, 0x0202, 0x0211...0x0214, 0xA300,
            0xC4A5:
            nil
        case gpsDirectory: .location
        case subDirectories: .thumbnail
        case 0x0132: .dates
        case 0x013B, 0x8298, 0x9C9D: .owner
        case 0x010E, 0x9C9B, 0x9C9C, 0x9C9E, 0x9C9F, 0xC68B: .comments
        case 0x000B, 0x0131: .software
        case 0x02BC: .xmp
        case 0x83BB, 0x8649: .iptc
        case 0xC62F, 0xC65D: .serialNumbers
        case 0xC634: .makerNotes
        default: .cameraSettings
        }
    }

    /// Returns what an entry of the Exif directory tells about.
    static func meaning(inExifDirectory tag: Int) -> MetadataKind? {
        switch tag {
        case 0x9000, 0x9101, 0xA000...0xA003, 0xA005: nil
        case 0x9003, 0x9004, 0x9010...0x9012, 0x9290...0x9292: .dates
        case 0x927C: .makerNotes
        case 0x9286, 0xA436: .comments
        case 0xA420, 0xA431, 0xA435: .serialNumbers
        case 0xA430, 0xA437, 0xA438: .owner
        case 0xA439...0xA43C: .software
        default: .cameraSettings
        }
    }
}
