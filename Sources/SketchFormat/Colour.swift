// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// A colour as a sketch holds it: red, green, blue and opacity, eight bits each, sRGB, not premultiplied.
public struct Colour: Sendable, Hashable {
    public let red: UInt8
    public let green: UInt8
    public let blue: UInt8
    /// 0 is clear, 255 is solid.
    public let alpha: UInt8

    public static let black = Colour(red: 0, green: 0, blue: 0)
    public static let white = Colour(red: 255, green: 255, blue: 255)

    public init(red: UInt8, green: UInt8, blue: UInt8, alpha: UInt8 = 255) {
        self.red = red
        self.green = green
        self.blue = blue
        self.alpha = alpha
    }

    /// The opacity in thousandths, as it is written. Neighbours differ by almost four, so that each has one text.
    var alphaThousandths: Int { (Int(alpha) * 1000 + 127) / 255 }

    /// - Returns: nil for a number of thousandths that no opacity is written as.
    static func alpha(thousandths: Int) -> UInt8? {
        guard let alpha = UInt8(exactly: (thousandths * 255 + 500) / 1000) else { return nil }
        return Colour(red: 0, green: 0, blue: 0, alpha: alpha).alphaThousandths == thousandths ? alpha : nil
    }
}
