// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// A small picture as pixels.
public struct PicturePixels: Sendable, Equatable {
    /// Largest width and height, in pixels.
    public static let sideMax = 1024

    public let width: Int
    public let height: Int
    /// Rows from the top, pixels from the left: red, green, blue, alpha; not premultiplied.
    public let rgba: [UInt8]

    /// - Parameters:
    ///   - width: 1…1024, as the height.
    ///   - rgba: 4 × width × height bytes.
    public init(width: Int, height: Int, rgba: [UInt8]) {
        precondition(
            (1...Self.sideMax).contains(width) && (1...Self.sideMax).contains(height), "a side is 1 to 1024 pixels")
        precondition(rgba.count == 4 * width * height, "there are four bytes for each pixel")
        self.width = width
        self.height = height
        self.rgba = rgba
    }
}
