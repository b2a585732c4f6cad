// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import CSystemShims
import CZeroingFree
import Glibc
import RemoteStores

/// `Main` carries sealed files to one remote and back. It has no key and no vault: what a malicious store could win
/// here is the remote's credential, and that nothing is synced. Started by `vault-agent` with one end of a socket pair
/// as descriptor 3; it is of no use by hand. For a remote that rclone reaches it starts itself once more, with a
/// listening socket: that process confines itself and becomes rclone.
///
/// Exit codes: 0 when the agent has closed its end, 2 by hand, 11 where it cannot be confined or was not told what to
/// do, 13 for a malformed packet.
@main
enum Main {
    static let channel: Int32 = 3

    static func main() {
        #if DEBUG
            // A sanitizer has an allocator of its own.
            let wipes = wiping_memory_is_linked() >= 0
        #else
            let wipes = wiping_memory_is_linked() == 1
        #endif
        guard wipes, vs_not_dumpable() == 0 else { exit(11) }
        if RcloneGuard.isAskedFor {
            let words = CommandLine.arguments
            if words.count == 3, let parent = Int32(words[2]) { RcloneGuard.run(words[1], parent: parent) }
            exit(11)
        }
        var kind: Int32 = 0
        var byteCount = socklen_t(MemoryLayout<Int32>.size)
        guard unsafe getsockopt(channel, SOL_SOCKET, SO_TYPE, &kind, &byteCount) == 0,
            kind == Int32(SOCK_SEQPACKET.rawValue)
        else {
            let line = "vault-sync: error: started by vault-agent, not by hand\n"
            unsafe line.utf8CString.withUnsafeBytes { _ = unsafe write(2, $0.baseAddress!, $0.count - 1) }
            exit(2)
        }
        guard let service = SyncService(channel: channel) else { exit(11) }
        exit(service.run() ? 0 : 13)
    }
}
