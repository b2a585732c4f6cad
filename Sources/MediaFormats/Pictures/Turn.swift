// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// Turns and mirrorings one after the other, which together are always one of the eight orientations of Exif.
///
/// It is kept as: mirror left to right or not, then turn clockwise by quarters.
struct Turn {
    private var isMirrored = false
    private var quarters = 0

    /// - Parameter quarters: clockwise.
    mutating func rotate(_ quarters: Int) { self.quarters = (self.quarters + quarters) & 3 }

    /// A mirror moves to the front of a turn by turning the other way; top to bottom is left to right and a half turn.
    mutating func mirror(isTopToBottom: Bool) {
        quarters = ((isTopToBottom ? 2 : 0) - quarters) & 3
        isMirrored.toggle()
    }

    var orientation: Int { isMirrored ? [2, 7, 4, 5][quarters] : [1, 6, 3, 8][quarters] }
}
