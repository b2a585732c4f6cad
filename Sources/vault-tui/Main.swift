// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import CSystemShims
import CZeroingFree
import Glibc
import NoteScreen

/// `Main` shows the notes of an open vault on a terminal. It has no key: it asks the agent, as `vault` does, and is a
/// program of its own so that no other command loads ncurses. Started by `vault tui`; it is of no use by hand.
///
/// Arguments: the vault's directory and how dates are written. Exit codes: 0, 2 by hand, 3 when the vault is locked,
/// 11 where memory cannot be kept from other processes.
@main
enum Main {
    static func main() {
        #if DEBUG
            // A sanitizer has an allocator of its own.
            let wipes = wiping_memory_is_linked() >= 0
        #else
            let wipes = wiping_memory_is_linked() == 1
        #endif
        guard wipes, vs_not_dumpable() == 0 else { exit(11) }
        guard CommandLine.arguments.count == 3 else {
            let line = "vault-tui: error: started by vault tui, not by hand\n"
            unsafe line.utf8CString.withUnsafeBytes { _ = unsafe write(2, $0.baseAddress!, $0.count - 1) }
            exit(2)
        }
        exit(ScreenProgram.run(directory: CommandLine.arguments[1], dates: CommandLine.arguments[2]))
    }
}
