// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// What an Exif block says about the picture's orientation, and what kinds of things it tells besides.
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

    /// A block that holds an orientation and nothing else: a header, one directory of one entry, and no further
    /// directory.
    static func minimal(orientation: Int) -> [UInt8] {
        let header: [UInt8] = [0x4D, 0x4D, 0, 0x2A, 0, 0, 0, 8]
        let entry: [UInt8] = [0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, UInt8(truncatingIfNeeded: orientation), 0, 0]
        return header + [0, 1] + entry + [0, 0, 0, 0]
    }
}
