// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// `BlockColors` writes the colours that a terminal draws text with; told anew only when they change (SGR).
struct BlockColors {
    private let depth: ColorDepth
    private var text: Code?
    private var behind: Code?

    /// `Code` is a colour as the terminal numbers it.
    private enum Code: Equatable {
        case sixteen(Int)
        case palette(Int)
        case direct(PixelColor)
    }

    init(depth: ColorDepth) { self.depth = depth }

    mutating func set(text newText: PixelColor, behind newBehind: PixelColor?, _ bytes: inout [UInt8]) {
        let (newText, newBehind) = (code(newText), newBehind.map { code($0) })
        if behind != nil && newBehind == nil { reset(&bytes) }
        if newText != text { bytes += Self.sequence(newText, base: 30).utf8 }
        if let newBehind, newBehind != behind { bytes += Self.sequence(newBehind, base: 40).utf8 }
        (text, behind) = (newText, newBehind)
    }

    /// Goes back to the terminal's own colours.
    mutating func reset(_ bytes: inout [UInt8]) {
        guard text != nil || behind != nil else { return }
        bytes += "\u{1B}[0m".utf8
        (text, behind) = (nil, nil)
    }

    private func code(_ color: PixelColor) -> Code {
        switch depth {
        case .direct: .direct(color)
        case .palette: .palette(color.nearestInPalette)
        case .sixteen, .none: .sixteen(color.nearestOfSixteen)
        }
    }

    /// Returns the sequence that sets a colour.
    ///
    /// - Parameter base: 30 for text, 40 for what is behind it.
    private static func sequence(_ code: Code, base: Int) -> String {
        switch code {
        case .sixteen(let number): "\u{1B}[\(number < 8 ? base + number : base + 52 + number)m"
        case .palette(let number): "\u{1B}[\(base + 8);5;\(number)m"
        case .direct(let color): "\u{1B}[\(base + 8);2;\(color.red);\(color.green);\(color.blue)m"
        }
    }
}
