// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// Builds TIFF structures in either byte order, for Exif blocks with all that a camera writes.
struct TiffFixture {
    struct Entry {
        var tag: Int
        var type: Int
        var count: Int
        /// The value, or what the four bytes point to if it is longer.
        var value: [UInt8]
    }

    var isBigEndian = true

    func u16(_ value: Int) -> [UInt8] { isBigEndian ? be16(value) : le16(value) }
    func u32(_ value: Int) -> [UInt8] { isBigEndian ? be32(value) : le32(value) }
    var header: [UInt8] { text(isBigEndian ? "MM" : "II") + u16(42) + u32(8) }

    func short(_ tag: Int, _ value: Int) -> Entry { Entry(tag: tag, type: 3, count: 1, value: u16(value)) }
    func long(_ tag: Int, _ value: Int) -> Entry { Entry(tag: tag, type: 4, count: 1, value: u32(value)) }
    func ascii(_ tag: Int, _ value: String) -> Entry {
        Entry(tag: tag, type: 2, count: value.utf8.count + 1, value: text(value) + [0])
    }

    /// A directory and its long values behind it.
    func directory(_ entries: [Entry], at offset: Int, next: Int = 0) -> [UInt8] {
        var table = u16(entries.count)
        var values: [UInt8] = []
        let valuesAt = offset + 2 + entries.count * 12 + 4
        for entry in entries {
            table += u16(entry.tag) + u16(entry.type) + u32(entry.count)
            if entry.value.count <= 4 {
                table += entry.value + zeros(4 - entry.value.count)
            } else {
                table += u32(valuesAt + values.count)
                values += entry.value
            }
        }
        return table + u32(next) + values
    }

    /// A block with a place, serial numbers, names, dates, notes of the maker and a thumbnail.
    func full(orientation: Int?) -> [UInt8] {
        let exifAt = 400
        let gpsAt = 800
        let thumbnailAt = 1000
        var first = [
            ascii(0x010F, "SecretMake"), ascii(0x0131, "SecretSoftware"), ascii(0x0132, "2020:01:02 03:04:05"),
            ascii(0x013B, "SecretArtist"),
        ]
        if let orientation { first.insert(short(0x0112, orientation), at: 1) }
        first += [long(0x8769, exifAt), long(0x8825, gpsAt)]
        let exif = [
            ascii(0x9003, "2020:01:02 03:04:06"),
            Entry(tag: 0x927C, type: 7, count: 16, value: text("SecretMakerNote!")),
            ascii(0xA420, "SecretImageID"), ascii(0xA430, "SecretOwner"), ascii(0xA431, "SecretBody"),
            ascii(0xA435, "SecretLens"),
            Entry(tag: 0x9286, type: 7, count: 14, value: text("SecretComment!")),
        ]
        let gps = [ascii(1, "N"), Entry(tag: 2, type: 5, count: 3, value: text("SecretLatitude") + zeros(10))]
        let thumbnail = [long(0x0201, 1100), long(0x0202, 14)]
        var block = header + directory(first, at: 8, next: thumbnailAt)
        for (at, part) in [
            (exifAt, directory(exif, at: exifAt)), (gpsAt, directory(gps, at: gpsAt)),
            (thumbnailAt, directory(thumbnail, at: thumbnailAt)),
        ] {
            block += zeros(at - block.count) + part
        }
        return block + zeros(1100 - block.count) + text("SecretThumb!!!")
    }
}
