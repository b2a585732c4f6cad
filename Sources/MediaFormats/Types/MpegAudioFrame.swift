// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// The header of one frame of MPEG audio. Source: ISO/IEC 11172-3 section 2.4.1.3; ISO/IEC 13818-3 for the lower rates.
struct MpegAudioFrame {
    /// 1, 2, or 3 for what is called 2.5.
    let version: Int
    let layer: Int
    let sampleRate: Int
    let byteCount: Int

    /// - Returns: nil for no sync word, a reserved value, or the free format, whose length cannot be told.
    init?(_ view: ByteView, at offset: Int) {
        guard let header = view.be32(offset), header >> 21 == 0x7FF else { return nil }
        let versionBits = (header >> 19) & 3
        let layerBits = (header >> 17) & 3
        let rateIndex = (header >> 12) & 15
        let sampleIndex = (header >> 10) & 3
        guard versionBits != 1, layerBits != 0, (1...14).contains(rateIndex), sampleIndex != 3, header & 3 != 2 else {
            return nil
        }
        version = versionBits == 3 ? 1 : versionBits == 2 ? 2 : 3
        layer = 4 - layerBits
        sampleRate = [44_100, 48_000, 32_000][sampleIndex] >> (version - 1)
        let bitRate = Self.kilobits(version, layer)[rateIndex - 1] * 1000
        let padding = (header >> 9) & 1
        switch layer {
        case 1: byteCount = (12 * bitRate / sampleRate + padding) * 4
        case 3 where version > 1: byteCount = 72 * bitRate / sampleRate + padding
        default: byteCount = 144 * bitRate / sampleRate + padding
        }
    }

    private static func kilobits(_ version: Int, _ layer: Int) -> [Int] {
        switch (version, layer) {
        case (1, 1): [32, 64, 96, 128, 160, 192, 224, 256, 288, 320, 352, 384, 416, 448]
        case (1, 2): [32, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384]
        case (1, _): [32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320]
        case (_, 1): [32, 48, 56, 64, 80, 96, 112, 128, 144, 160, 176, 192, 224, 256]
        default: [8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160]
        }
    }
}
