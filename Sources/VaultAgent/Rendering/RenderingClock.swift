// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// What dates need besides the moment: the style, now, and the reader's time zone. It is given, so that rendering has no clock.
struct RenderingClock: Sendable {
    var style = DateStyle.classic
    /// Milliseconds since 1970, UTC.
    var now: Int64
    /// Seconds east of UTC at a moment given in milliseconds since 1970.
    var offset: @Sendable (Int64) -> Int

    func text(_ milliseconds: Int64) -> String {
        style.text(milliseconds, offset: offset(milliseconds), now: now, nowOffset: offset(now))
    }
}
