// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import CSystemShims
import CZeroingFree
import Glibc
import WebServer

/// `Main` serves the vault's page to one browser on this machine. It has no key and no file, and cannot connect
/// anywhere. Started by `vault web`; it is of no use by hand.
///
/// Descriptors: 3 the socket to `vault`, 4 the socket that listens, 5 the one that says whose a connection is. Exit
/// codes: 0 when the vault was locked or `vault` has gone, 2 by hand, 11 where it cannot be confined.
@main
enum Main {
    static func main() {
        #if DEBUG
            // A sanitizer has an allocator of its own.
            let isSanitized = wiping_memory_is_linked() == 0
        #else
            let isSanitized = false
        #endif
        let wipes = isSanitized || wiping_memory_is_linked() == 1
        guard wipes, vs_not_dumpable() == 0 else { exit(11) }
        var kind: Int32 = 0
        var byteCount = socklen_t(MemoryLayout<Int32>.size)
        guard unsafe getsockopt(3, SOL_SOCKET, SO_TYPE, &kind, &byteCount) == 0,
            kind == Int32(SOCK_SEQPACKET.rawValue)
        else {
            let line = "vault-web: error: started by vault web, not by hand\n"
            unsafe line.utf8CString.withUnsafeBytes { _ = unsafe write(2, $0.baseAddress!, $0.count - 1) }
            exit(2)
        }
        guard let server = WebServer(channel: 3, listener: 4, diagnosis: 5) else { exit(11) }
        exit(server.run(isSanitized: isSanitized))
    }
}
