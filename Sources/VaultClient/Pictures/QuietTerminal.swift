// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import CSystemShims
internal import Glibc

/// `QuietTerminal` is a terminal that hands over each byte at once and shows none of them, while no signal can come
/// between.
///
/// Every signal that can be held waits until the terminal is as it was, Ctrl-C and Ctrl-Z among them; that takes no
/// longer than an answer may. Only SIGKILL and SIGSTOP act at once, and nobody can prevent what they leave behind.
struct QuietTerminal: ~Copyable {
    private let descriptor: Int32
    private let before: termios
    private let mask: sigset_t

    /// Makes a terminal quiet, and blocks all signals; nil for what is not a terminal, and then nothing was changed.
    /// The parts are set last: only a whole one is put back.
    init?(_ descriptor: Int32) {
        var before = termios()
        guard unsafe tcgetattr(descriptor, &before) == 0 else { return nil }
        var (all, mask) = (sigset_t(), sigset_t())
        unsafe sigfillset(&all)
        guard unsafe pthread_sigmask(SIG_BLOCK, &all, &mask) == 0 else { return nil }
        var quiet = before
        quiet.c_lflag &= ~UInt32(ICANON | ECHO | ECHONL | IEXTEN)
        // Ctrl-C must not throw away the part of an answer that is in.
        quiet.c_lflag |= UInt32(NOFLSH)
        Self.setAtOnce(&quiet)
        // Not drained first: output that was stopped with Ctrl-S would hold us for ever.
        guard unsafe tcsetattr(descriptor, TCSANOW, &quiet) == 0 else {
            unsafe pthread_sigmask(SIG_SETMASK, &mask, nil)
            return nil
        }
        self.descriptor = descriptor
        self.before = before
        self.mask = mask
    }

    deinit {
        var modes = before
        unsafe tcsetattr(descriptor, TCSANOW, &modes)
        var signals = mask
        unsafe pthread_sigmask(SIG_SETMASK, &signals, nil)
    }

    /// Whether keys wait that were typed before.
    var hasTypedAhead: Bool {
        var count: Int32 = 0
        return unsafe ioctl(descriptor, UInt(FIONREAD), &count) != 0 || count > 0
    }

    /// Throws away what was sent and not read.
    func dropInput() { tcflush(descriptor, TCIFLUSH) }

    /// Lets a read return as soon as there is one byte.
    private static func setAtOnce(_ modes: inout termios) {
        unsafe withUnsafeMutableBytes(of: &modes.c_cc) { characters in
            unsafe characters[Int(VMIN)] = 1
            unsafe characters[Int(VTIME)] = 0
        }
    }
}
