// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Glibc
import Testing

/// What is left to a process that serves a remote, shown by trying: nothing of this machine but one folder, or sockets.
struct StoreAttemptTests {
    private static let folder = Result { try AttemptRun("all", mode: "folder") }
    private static let network = Result { try AttemptRun("all", mode: "network") }

    /// What the kernel refuses, and with which errno: files by Landlock, sockets of this machine and flags that no
    /// filter sees by the filter.
    private static let refusedInFolder: [String: Int32] = [
        "open-read": EACCES, "open-write": EACCES, "open-new": EACCES, "open-tmpfile": EACCES,
        "open-own-memory": EACCES, "open-terminal": EACCES, "open-parent-memory": EACCES, "unlink": EACCES,
        "rename": EACCES, "mkdir": EACCES, "send-to-agent": EOPNOTSUPP,
    ]
    private static let refusedInNetwork: [String: Int32] = [
        "open-read": EACCES, "open-parent-memory": EACCES, "socket-unix": EAFNOSUPPORT, "socket-netlink": EAFNOSUPPORT,
        "clone3": ENOSYS, "send-to-agent": EOPNOTSUPP,
    ]

    /// What it does with its own descriptors, and what it may ask about files without opening them.
    private static let leftToBoth: Set = [
        "stat", "statx", "fcntl-setfl", "close-input", "read-held", "write-held", "write-input", "pread-input",
        "fstat-input", "mmap-input", "receive-descriptor", "sigaction",
    ]
    /// Its own output opened once more; a watch, which tells that a file changes and no more.
    private static let leftToFolder: Set = ["dup", "inotify", "reopen-output"]
    /// `connect-agent` is given a socket that is not connected, which the real process cannot have.
    private static let leftToNetwork: Set = [
        "socket-inet", "socket-inet6", "socketpair", "pipe", "eventfd", "connect-agent", "ioctl-fionread", "uname",
    ]

    @Test(arguments: AttemptRun.names.map(\.name)) func X62WhatAFolderNeedsNotIsGone(name: String) throws {
        let outcome = try Self.folder.get().outcomes[name]
        check(outcome, name, Self.refusedInFolder, Self.leftToBoth.union(Self.leftToFolder))
    }

    @Test(arguments: AttemptRun.names.map(\.name)) func X62WhatANetworkNeedsNotIsGone(name: String) throws {
        let outcome = try Self.network.get().outcomes[name]
        check(outcome, name, Self.refusedInNetwork, Self.leftToBoth.union(Self.leftToNetwork))
    }

    private func check(_ outcome: AttemptOutcome?, _ name: String, _ refused: [String: Int32], _ left: Set<String>) {
        if let errno = refused[name] {
            #expect(outcome == .returned(-1, errno: errno))
        } else if left.contains(name) {
            guard case .returned = outcome else {
                Issue.record("\(name) is said to be left: \(String(describing: outcome))")
                return
            }
        } else {
            #expect(outcome == .signal(SIGSYS))
        }
    }

    @Test func whatMattersMostEndsTheProcess() throws {
        for run in [try Self.folder.get(), try Self.network.get()] {
            for name in ["fork", "exec", "ptrace-parent", "read-parent", "kill-parent", "mmap-exec", "keyctl", "bpf"] {
                #expect(run.outcomes[name] == .signal(SIGSYS), "\(name)")
            }
        }
        #expect(try Self.network.get().outcomes["open-write"] == .signal(SIGSYS))
        #expect(try Self.folder.get().outcomes["socket-inet"] == .signal(SIGSYS))
    }
}
