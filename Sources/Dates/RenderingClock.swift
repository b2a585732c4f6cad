// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// What dates need besides the moment: the style, now, and the reader's time zone. It is given, so that rendering has
/// no clock.
public struct RenderingClock: Sendable {
    public var style = DateStyle.classic
    /// Milliseconds since 1970, UTC.
    public var now: Int64
    /// Seconds east of UTC at a moment given in milliseconds since 1970.
    public var offset: @Sendable (Int64) -> Int

    public init(style: DateStyle = .classic, now: Int64, offset: @escaping @Sendable (Int64) -> Int) {
        (self.style, self.now, self.offset) = (style, now, offset)
    }

    public func text(_ milliseconds: Int64) -> String {
        style.text(milliseconds, offset: offset(milliseconds), now: now, nowOffset: offset(now))
    }
}
