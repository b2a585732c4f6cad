// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import CSystemShims
import CZeroingFree
import Glibc
import VaultAgent

/// `Main` holds the unlocked vault. Started by `vault` with one end of a socket pair as descriptor 3; it is of no use
/// by hand.
@main
struct Main {
    static let channel: Int32 = 3

    static func main() {
        #if DEBUG
            // A sanitizer has an allocator of its own.
            let wipes = wiping_memory_is_linked() >= 0
        #else
            let wipes = wiping_memory_is_linked() == 1
        #endif
        guard wipes, Hardening.apply() else { exit(11) }
        guard Hardening.librariesAreSound else { exit(11) }
        if SealedFileOpening.isWanted(CommandLine.arguments) { exit(SealedFileOpening.run(CommandLine.arguments)) }
        var kind: Int32 = 0
        var byteCount = socklen_t(MemoryLayout<Int32>.size)
        guard unsafe getsockopt(channel, SOL_SOCKET, SO_TYPE, &kind, &byteCount) == 0 else {
            let line = "vault-agent: error: started by vault, not by hand\nvault-agent: hint: vault unlock\n"
            unsafe line.utf8CString.withUnsafeBytes { _ = unsafe write(2, $0.baseAddress!, $0.count - 1) }
            exit(2)
        }
        exit(AgentServer(channel: channel).run() ? 0 : 9)
    }
}
