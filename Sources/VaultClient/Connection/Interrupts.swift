// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import CSystemShims
internal import Glibc

/// `Interrupts` takes Ctrl-C while a request runs: the signal waits until it is asked for, so no handler and no shared
/// state is needed.
enum Interrupts {
    /// Holds SIGINT back.
    ///
    /// - Returns: false when it was held already, so that the caller leaves the release to the one who held it first.
    @discardableResult
    static func hold() -> Bool {
        var signals = set()
        var before = sigset_t()
        unsafe sigprocmask(SIG_BLOCK, &signals, &before)
        return unsafe sigismember(&before, SIGINT) == 0
    }

    /// Lets SIGINT act again; one that waits ends the process now.
    static func release() {
        var signals = set()
        unsafe sigprocmask(SIG_UNBLOCK, &signals, nil)
    }

    /// Takes a SIGINT that waits; whether there was one.
    static func take() -> Bool {
        var signals = set()
        var atOnce = timespec()
        return unsafe sigtimedwait(&signals, nil, &atOnce) == SIGINT
    }

    private static func set() -> sigset_t {
        var signals = sigset_t()
        unsafe sigemptyset(&signals)
        unsafe sigaddset(&signals, SIGINT)
        return signals
    }
}

/// Ctrl-C and Ctrl-\ reach every process in the foreground. While an editor or a pager has the terminal, they are meant
/// for it.
struct TerminalSignals {
    private let interrupt: sighandler_t?
    private let quit: sighandler_t?

    /// Ignores both here.
    static func leaveToChild() -> TerminalSignals {
        TerminalSignals(interrupt: signal(SIGINT, SIG_IGN), quit: signal(SIGQUIT, SIG_IGN))
    }

    func restore() {
        signal(SIGINT, interrupt)
        signal(SIGQUIT, quit)
    }
}
