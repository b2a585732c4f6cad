// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import Glibc

/// Ctrl-C and Ctrl-\ reach every process in the foreground. While an editor or a pager has the terminal, they are meant for it.
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
