// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// `PixelColor` is a colour, and the nearest ones that a terminal has.
struct PixelColor: Sendable, Equatable {
    let red: UInt8
    let green: UInt8
    let blue: UInt8

    /// The steps of the cube of 6 × 6 × 6 in xterm's palette, 16 to 231. The 24 greys behind it go from 8 in steps of
    /// 10.
    private static let steps = [0, 95, 135, 175, 215, 255]

    /// The number of the nearest colour in xterm's palette of 256. Its first 16 are what each person has made of them,
    /// so they are not used.
    var nearestInPalette: Int {
        let (r, g, b) = (Self.step(red), Self.step(green), Self.step(blue))
        let inCube = distance(Self.steps[r], Self.steps[g], Self.steps[b])
        let mean = (Int(red) + Int(green) + Int(blue)) / 3
        let grey = min(max((mean - 3) / 10, 0), 23)
        let level = 8 + 10 * grey
        return distance(level, level, level) < inCube ? 232 + grey : 16 + 36 * r + 6 * g + b
    }

    /// Of the eight colours and their bright forms, as xterm has them; terminals differ, but not in kind.
    var nearestOfSixteen: Int {
        var nearest = (number: 0, distance: Int.max)
        for (number, color) in Self.sixteen.enumerated() {
            let distance = distance(color.0, color.1, color.2)
            if distance < nearest.distance { nearest = (number, distance) }
        }
        return nearest.number
    }

    private static let sixteen = [
        (0, 0, 0), (205, 0, 0), (0, 205, 0), (205, 205, 0), (0, 0, 238), (205, 0, 205), (0, 205, 205), (229, 229, 229),
        (127, 127, 127), (255, 0, 0), (0, 255, 0), (255, 255, 0), (92, 92, 255), (255, 0, 255), (0, 255, 255),
        (255, 255, 255),
    ]

    private static func step(_ value: UInt8) -> Int { value < 48 ? 0 : value < 115 ? 1 : (Int(value) - 35) / 40 }

    /// Returns how far two colours are apart; the eye sees green best and blue least.
    private func distance(_ otherRed: Int, _ otherGreen: Int, _ otherBlue: Int) -> Int {
        let (r, g, b) = (Int(red) - otherRed, Int(green) - otherGreen, Int(blue) - otherBlue)
        return 2 * r * r + 4 * g * g + b * b
    }
}

/// `ColorDepth` says how many colours text can have on a terminal.
///
/// TERM and COLORTERM say so. A terminal is not asked: few answer, and those that know all colours set COLORTERM or
/// have a name of their own.
enum ColorDepth: Sendable, Equatable {
    case none
    /// The eight of ECMA-48 and their bright forms.
    case sixteen
    /// xterm's palette.
    case palette
    case direct

    init(term: String, colorTerm: String) {
        if colorTerm == "truecolor" || colorTerm == "24bit" || Self.hasPrefix(term, Self.knowingAll)
            || term.contains("direct")
        {
            self = .direct
        } else if term.contains("256") {
            self = .palette
        } else if term.isEmpty || term == "dumb" || term.contains("mono") || Self.hasPrefix(term, Self.monochrome) {
            self = .none
        } else {
            self = .sixteen
        }
    }

    private static let knowingAll = [
        "xterm-kitty", "xterm-ghostty", "ghostty", "foot", "alacritty", "wezterm", "contour",
    ]
    private static let monochrome = ["vt52", "vt100", "vt102", "vt220", "vt320", "vt420", "vt520"]

    private static func hasPrefix(_ term: String, _ names: [String]) -> Bool { names.contains { term.hasPrefix($0) } }
}
