// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// `ScreenKey` is a key that was pressed, or what else a terminal tells.
enum ScreenKey: Equatable {
    case character(Unicode.Scalar)
    case enter, escape, tab, backspace, delete
    case up, down, left, right, pageUp, pageDown, home, end
    case resize
    case click(row: Int, column: Int)
    case wheelUp, wheelDown
    /// With Ctrl held: the letter, such as "c".
    case control(Unicode.Scalar)
    /// The terminal has gone.
    case gone
    case other
}
