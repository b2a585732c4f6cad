// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import Glibc

/// `TerminalModes` remembers the terminal as it was before an editor changed it.
struct TerminalModes {
    private var saved = termios()
    private let isKnown: Bool

    /// Leaves the second screen, shows the cursor, plain letters and keys, no mouse and no marks around pasted text.
    private static let plain =
        "\u{1B}[?1049l\u{1B}[?25h\u{1B}[0m\u{1B}[?1l\u{1B}>\u{1B}[?1000l\u{1B}[?1002l\u{1B}[?1006l\u{1B}[?2004l"

    init() { isKnown = unsafe tcgetattr(0, &saved) == 0 }

    /// Whether the terminal went away: then nobody left the editor, it was hung up on.
    var isGone: Bool {
        var modes = termios()
        guard isKnown, unsafe tcgetattr(0, &modes) != 0 else { return false }
        return errno == EIO
    }

    /// Sets the terminal's modes back, unless this process runs in the background.
    ///
    /// - Parameter wasKilled: the editor could not tidy up the screen itself.
    func restore(wasKilled: Bool) {
        // In the background a change of modes would stop us.
        guard isKnown, tcgetpgrp(0) == getpgrp() else { return }
        var modes = saved
        unsafe tcsetattr(0, TCSANOW, &modes)
        if wasKilled && isatty(Streams.output) == 1 { Streams.writeAll(Array(Self.plain.utf8), to: Streams.output) }
    }
}
