// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// Lines of half blocks as pixels; nil for anything but blocks, blanks, line feeds and colours.
struct BlockDecoder {
    /// Rows of cells; each has what the upper and the lower half show.
    private(set) var rows: [[(upper: SampleColor?, lower: SampleColor?)]] = []

    init?(_ bytes: [UInt8]) {
        var row: [(upper: SampleColor?, lower: SampleColor?)] = []
        var (text, behind): (SampleColor?, SampleColor?) = (nil, nil)
        var rest = String(decoding: bytes, as: UTF8.self).unicodeScalars[...]
        while let scalar = rest.popFirst() {
            switch scalar {
            case "\u{1B}":
                guard rest.popFirst() == "[" else { return nil }
                let parts = String(String.UnicodeScalarView(rest.prefix { $0 != "m" })).split(separator: ";").map {
                    Int($0)
                }
                rest = rest.drop { $0 != "m" }.dropFirst()
                guard !parts.contains(nil), Self.apply(parts.compactMap { $0 }, &text, &behind) else { return nil }
            case "\u{2580}": row.append((text, behind))
            case "\u{2584}": row.append((behind, text))
            case " ": row.append((behind, behind))
            case "\n":
                guard text == nil, behind == nil else { return nil }
                rows.append(row)
                row = []
            default: return nil
            }
        }
        guard row.isEmpty else { return nil }
    }

    private static func apply(_ parts: [Int], _ text: inout SampleColor?, _ behind: inout SampleColor?) -> Bool {
        switch (parts.first ?? -1, parts.count) {
        case (0, 1): (text, behind) = (nil, nil)
        case (38, 5) where parts[1] == 2: text = SampleColor(red: parts[2], green: parts[3], blue: parts[4])
        case (48, 5) where parts[1] == 2: behind = SampleColor(red: parts[2], green: parts[3], blue: parts[4])
        case (38, 3) where parts[1] == 5: text = paletteColor(parts[2])
        case (48, 3) where parts[1] == 5: behind = paletteColor(parts[2])
        case (30...37, 1): text = sixteen(parts[0] - 30)
        case (90...97, 1): text = sixteen(parts[0] - 82)
        case (40...47, 1): behind = sixteen(parts[0] - 40)
        case (100...107, 1): behind = sixteen(parts[0] - 92)
        default: return false
        }
        return true
    }

    /// xterm's palette above its first 16.
    private static func paletteColor(_ number: Int) -> SampleColor? {
        if (232...255).contains(number) {
            let level = 8 + (number - 232) * 10
            return SampleColor(red: level, green: level, blue: level)
        }
        guard (16...231).contains(number) else { return nil }
        let steps = [0, 95, 135, 175, 215, 255]
        let place = number - 16
        return SampleColor(red: steps[place / 36], green: steps[place / 6 % 6], blue: steps[place % 6])
    }

    /// The eight colours are made of three bits; the bright ones are told apart by brightness alone.
    private static func sixteen(_ number: Int) -> SampleColor {
        let full = number < 8 ? 205 : 255
        let low = number < 8 ? 0 : number == 8 ? 127 : 0
        if number == 8 { return SampleColor(red: 127, green: 127, blue: 127) }
        return SampleColor(
            red: number & 1 != 0 ? full : low, green: number & 2 != 0 ? full : low, blue: number & 4 != 0 ? full : low)
    }
}
