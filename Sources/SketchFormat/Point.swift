// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// One place of the pen on the canvas.
///
/// Coordinates are whole hundredths of a unit, so that what is written is read back as the same number.
public struct Point: Sendable, Hashable {
    /// Coordinates that a sketch may hold, in hundredths: a pen may run over the canvas's edge, but not without end.
    public static let coordinates: ClosedRange<Int32> = -3_276_800...6_553_600

    /// From the left edge, in hundredths of a unit.
    public let x: Int32
    /// From the top edge, in hundredths of a unit.
    public let y: Int32
    /// In 1/255; 255 where the device knows none.
    public let pressure: UInt8
    /// Milliseconds since the sketch was begun, where the device said so.
    public let time: UInt32?

    public init(x: Int32, y: Int32, pressure: UInt8 = 255, time: UInt32? = nil) {
        self.x = x
        self.y = y
        self.pressure = pressure
        self.time = time
    }
}
