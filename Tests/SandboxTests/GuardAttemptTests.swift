// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Glibc
import Testing

/// What is left to rclone, a program that is not ours, and to the process beside it, shown by trying.
struct GuardAttemptTests {
    private static let program = Result { try AttemptRun("all", mode: "program") }
    private static let passed = Result { try AttemptRun("all", mode: "passed") }

    /// What it may do: look at files without opening them, use what it has, memory of its own, connections, threads.
    private static let left: Set = [
        "open-path", "reopen-output", "memfd", "stat", "statx", "access", "readlink", "chdir", "inotify", "dup", "dup3",
        "fcntl-dupfd", "fcntl-setfl", "close-input", "read-held", "pread-input", "mmap-input", "sendfile", "splice",
        "fstat-input", "ftruncate-input", "ioctl-fionread", "pipe", "eventfd", "epoll", "timerfd", "socket-inet",
        "socket-inet6", "connect-agent", "receive-descriptor", "prctl-dumpable", "prctl-seccomp",
        "raise-files", "raise-memory", "raise-processes", "setresuid", "capset", "sigaction", "mmap-exec",
        "mmap-write-exec", "mprotect-exec", "pkey-mprotect-exec", "aio", "landlock", "uname", "getuid",
    ]

    @Test(arguments: AttemptRun.names.map(\.name)) func X68WhatRcloneNeedsNotIsRefused(name: String) throws {
        switch try Self.program.get().outcomes[name] {
        case .returned(let value, _):
            // `connect-agent` is given a socket of this machine's, which it could not make.
            if !Self.left.contains(name) { #expect(value < 0, "\(name)") }
        case .signal(let signal):
            // A write into a file ends it; so does another processor's table of calls.
            #expect([SIGSYS, SIGXFSZ].contains(signal) && !Self.left.contains(name), "\(name): \(signal)")
        default: Issue.record("\(name) was not tried")
        }
    }

    @Test func X68RcloneReachesNoOtherProcessNoProgramAndNoSocketOfThisMachine() throws {
        let outcomes = try Self.program.get().outcomes
        for name in [
            "exec", "execveat", "ptrace-parent", "read-parent", "write-parent", "kill-parent", "tgkill-parent",
            "pidfd-open", "limit-parent", "socket-unix", "socket-netlink", "socket-vsock", "bind", "open-write",
            "open-new",
            "open-parent-memory", "unlink", "rename", "chmod", "mount", "clone-namespace", "unshare", "keyctl", "bpf",
            "fork", "setsid", "socketpair", "socket-mptcp",
        ] {
            guard case .returned(-1, _) = outcomes[name] else {
                Issue.record("\(name): \(String(describing: outcomes[name]))")
                continue
            }
        }
    }

    private static let leftBesideIt: Set = [
        "stat", "statx", "fcntl-setfl", "close-input", "read-held", "write-held", "write-input", "pread-input",
        "fstat-input", "mmap-input", "receive-descriptor", "sigaction", "ioctl-fionread", "pipe", "eventfd",
        "socketpair",
        "uname",
    ]

    /// The process beside it has no file and no socket that it did not get.
    @Test(arguments: AttemptRun.names.map(\.name)) func X68WhatSpeaksToRcloneHasNothingElse(name: String) throws {
        let outcome = try Self.passed.get().outcomes[name]
        switch name {
        case "connect-agent": #expect(outcome == .returned(-1, errno: EINPROGRESS))
        case "send-to-agent": #expect(outcome == .returned(-1, errno: EOPNOTSUPP))
        case _ where Self.leftBesideIt.contains(name):
            guard case .returned = outcome else {
                Issue.record("\(name): \(String(describing: outcome))")
                return
            }
        default: #expect(outcome == .signal(SIGSYS), "\(name)")
        }
    }
}
