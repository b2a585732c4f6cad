// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import CSystemShims
internal import Glibc

extension CallRule {
    /// What the page's server still does once it listens: accept, read, write, wait. It opens, connects, starts and
    /// makes nothing but pipes.
    static let serving = [
        CallRule("read"), CallRule("readv"), CallRule("write"), CallRule("writev"), CallRule("close"),
        CallRule("accept4"), CallRule("shutdown"), CallRule("getsockopt"), CallRule("getsockname"),
        CallRule("getpeername"),
        // TCP_NODELAY and the like of connections that were accepted.
        CallRule("setsockopt", .argument(1, is: UInt64(SOL_SOCKET))),
        CallRule("setsockopt", .argument(1, is: UInt64(IPPROTO_TCP)), .argument(2, is: UInt64(TCP_NODELAY))),
        CallRule("recvfrom"), CallRule("recvmsg"),
        CallRule("sendto", .argument(3, lacks: fastOpen)), CallRule("sendmsg", .argument(2, lacks: fastOpen)),
        CallRule("pipe2"), CallRule("poll", onSome: true), CallRule("ppoll"),
        CallRule("epoll_ctl"), CallRule("epoll_wait", onSome: true), CallRule("epoll_pwait"),
        CallRule("timerfd_settime"),
        CallRule("fcntl", .argument(1, is: UInt64(F_GETFL))), CallRule("fcntl", .argument(1, is: UInt64(F_SETFL))),
        CallRule("fcntl", .argument(1, is: UInt64(F_SETFD))), CallRule("fcntl", .argument(1, is: UInt64(F_GETFD))),
        CallRule("mmap", .argument(2, lacks: PROT_EXEC), .argument(3, has: MAP_ANONYMOUS)),
        CallRule("mprotect", .argument(2, lacks: PROT_EXEC)),
        CallRule("munmap"), CallRule("mremap"), CallRule("madvise"), CallRule("mlock"), CallRule("munlock"),
        CallRule("brk"),
        CallRule("futex"), CallRule("sched_yield"), CallRule("clock_gettime"), CallRule("clock_nanosleep"),
        CallRule("gettimeofday"), CallRule("getrandom"), CallRule("getpid"), CallRule("gettid"), CallRule("getuid"),
        CallRule("rt_sigreturn"), CallRule("rt_sigprocmask"), CallRule("restart_syscall"),
        CallRule("exit"), CallRule("exit_group"),
    ]
}

extension Sandbox {
    /// Address space for the server, its threads and a text of 16 MiB a few times over; in bytes.
    private static let webSpaceMax: rlim_t = 2 << 30
    /// 32 connections, and pipes and agents for each.
    private static let webDescriptorMax: rlim_t = 256

    /// Takes files, programs and outgoing connections from this process and its future threads: the first half, while
    /// there is one thread.
    ///
    /// - Parameter isSanitized: the shadow of a sanitizer takes terabytes of addresses.
    /// - Returns: false if the system refuses any of it; the process must then end.
    public static func enterForWeb(isSanitized: Bool = false) -> Bool {
        for signal in [SIGILL, SIGTRAP, SIGSEGV, SIGBUS, SIGFPE, SIGABRT, SIGQUIT, SIGSYS] {
            Glibc.signal(signal, SIG_DFL)
        }
        // A reader that went away is an error to report.
        for signal in [SIGPIPE, SIGXFSZ] { Glibc.signal(signal, SIG_IGN) }
        return vs_no_new_privs() == 0 && vs_not_dumpable() == 0 && limit(RLIMIT_CORE, to: 0)
            && limit(RLIMIT_FSIZE, to: 0) && (isSanitized || limit(RLIMIT_AS, to: webSpaceMax))
            && limit(RLIMIT_NOFILE, to: webDescriptorMax) && vs_landlock_nothing() == 0
    }

    /// Leaves all threads of this process the calls of a server that listens already: the second half, before the first
    /// byte of a connection is read.
    public static func closeForWeb() -> Bool { CallFilter(rules: CallRule.serving)?.load() ?? false }
}
