// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// The tags that are looked for. Sources: TIFF 6.0; Exif 3.0 (CIPA DC-008); DNG 1.7.
enum TiffTag {
    static let compression = 0x0103
    static let make = 0x010F
    static let orientation = 0x0112
    static let subDirectories = 0x014A
    static let exifDirectory = 0x8769
    static let gpsDirectory = 0x8825
    static let dngVersion = 0xC612

    /// What an entry of the first directory tells about.
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

    /// What an entry of the Exif directory tells about.
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
