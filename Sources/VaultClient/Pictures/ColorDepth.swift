// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// How many colours text can have on a terminal.
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
