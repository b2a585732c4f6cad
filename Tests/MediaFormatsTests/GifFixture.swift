// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// Builds GIF files block by block.
enum GifFixture {
    static let start = text("GIF89a") + le16(320) + le16(200) + [0x80, 0, 0] + zeros(6)
    static let timing: [UInt8] = [0x21, 0xF9, 4, 0, 8, 0, 0, 0]
    static let frame: [UInt8] =
        [0x2C] + zeros(4) + le16(320) + le16(200) + [0x80] + zeros(6) + [2, 3, 0x3B, 0x21, 0xFE, 2, 7, 8, 0]
    static let loop = [0x21, 0xFF, 11] + text("NETSCAPE2.0") + [3, 1, 5, 0, 0]
    static let profile = [0x21, 0xFF, 11] + text("ICCRGBG1012") + [4, 1, 2, 3, 4, 0]
    static let comment = [0x21, 0xFE, 13] + text("SecretComment") + [0]

    /// XMP stands there as it is; the tail makes a program that reads it as blocks end where it ends.
    static let xmp =
        [0x21, 0xFF, 11] + text("XMP DataXMP<x:SecretXMP/>") + [1] + (0...255).reversed().map { UInt8($0) } + [0]

    static let plain = start + loop + profile + timing + frame + timing + frame + [0x3B]
    static let rich =
        start + comment + loop + xmp + profile + timing + comment + frame + timing + frame + [0x21, 0xFF, 11]
        + text("SECRETAPP10") + [1, 9, 0] + [
            0x3B
        ]
        + text("SecretTail")
}
