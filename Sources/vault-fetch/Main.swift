// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import BookFetching
import CSystemShims
import CZeroingFree
import Glibc

/// `Main` makes one request to a book service and ends. It has no key of a vault and no file: what a malicious service
/// could win here is the key of the service's own account, and a wrong answer, which `vault-parse` reads. Started by
/// `vault`; it is of no use by hand.
///
/// Standard input: a `FetchOrder` and a key, each in a frame. Standard output: a `FetchAnswer` in a frame and the bytes
/// of the answer. Exit codes: 0 when there is an answer, 2 by hand, 11 where it cannot be confined, 13 for an order
/// that is none.
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
        guard CommandLine.arguments.count == 1, isatty(STDIN_FILENO) == 0 else {
            let line = "vault-fetch: error: started by vault, not by hand\n"
            unsafe line.utf8CString.withUnsafeBytes { _ = unsafe write(2, $0.baseAddress!, $0.count - 1) }
            exit(2)
        }
        // Without a clean end of libraries: a thread may still wait for a name server.
        _exit(FetchProgram.run())
    }
}
