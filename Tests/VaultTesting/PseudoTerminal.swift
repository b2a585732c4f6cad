// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import Glibc

/// A terminal without a screen: what a program on it shows is read from `master`, what is written there is typed.
public struct PseudoTerminal: Sendable {
    public struct NotOpened: Error {}

    /// The caller closes it.
    public let master: Int32
    /// The terminal's device.
    public let path: String

    public init() throws {
        let master = unsafe open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
        // ioctl_tty(2): TIOCSPTLCK unlocks the other end, TIOCGPTN tells its number. The C library's own calls are not
        // visible to Swift.
        var locked: Int32 = 0
        var number: Int32 = 0
        guard master >= 0, unsafe ioctl(master, 0x4004_5431, &locked) == 0,
            unsafe ioctl(master, 0x8004_5430, &number) == 0
        else { throw NotOpened() }
        self.master = master
        path = "/dev/pts/\(number)"
    }

    /// Tells the terminal how large its window is.
    public func resize(columns: UInt16, rows: UInt16 = 24) {
        var size = winsize(ws_row: rows, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
        _ = unsafe ioctl(master, UInt(TIOCSWINSZ), &size)
    }
}
