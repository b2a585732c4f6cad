// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import CSystemShims
internal import Glibc

extension CallRule {
    /// What one request still takes once its order was read: connections, the files that say how names are looked up,
    /// a thread that looks one up. Less than a process that serves a remote: no descriptor comes over a socket, nothing
    /// is read or written at a place in a file, and no signal is handled but the two of the C library's for threads.
    static let fetching =
        sockets + looking + threads + [
            CallRule("read"), CallRule("write"), CallRule("lseek"), CallRule("close"),
            CallRule("fstat", onSome: true), CallRule("newfstatat"),
            CallRule("fcntl", .argument(1, is: UInt64(F_GETFL))), CallRule("fcntl", .argument(1, is: UInt64(F_SETFL))),
            CallRule("fcntl", .argument(1, is: UInt64(F_SETFD))),
            CallRule("recvfrom"), CallRule("sendto", .argument(3, lacks: fastOpen)),
            CallRule("sendmsg", .argument(2, lacks: fastOpen)),
            CallRule("poll", onSome: true), CallRule("ppoll"),
            CallRule("mmap", .argument(2, lacks: PROT_EXEC)), CallRule("mprotect", .argument(2, lacks: PROT_EXEC)),
            CallRule("munmap"), CallRule("mremap"), CallRule("madvise"), CallRule("brk"),
            CallRule("futex"), CallRule("sched_yield"), CallRule("clock_gettime"), CallRule("clock_nanosleep"),
            CallRule("gettimeofday"), CallRule("getrandom"), CallRule("getpid"), CallRule("gettid"),
            CallRule("rt_sigaction", .argument(0, is: 32)), CallRule("rt_sigaction", .argument(0, is: 33)),
            CallRule("rt_sigreturn"), CallRule("rt_sigprocmask"), CallRule("restart_syscall"),
            CallRule("exit"), CallRule("exit_group"),
        ]

    /// Connecting, and reading what says how names are looked up. Sockets of this machine are refused and no crime, as
    /// for a remote.
    private static let looking = network.filter { !sockets.map(\.name).contains($0.name) || $0.refusal != nil }
}

extension Sandbox {
    /// Address space for libcurl, a thread that looks a name up, and 5 MiB a few times over; in bytes.
    private static let fetchSpaceMax: rlim_t = 1 << 30
    /// The streams, a connection, a second one that is tried beside it, and what looks a name up.
    private static let fetchDescriptorMax: rlim_t = 32
    /// Processor time, in seconds; a request takes a small part of one.
    private static let fetchSecondsMax: rlim_t = 10

    /// Permanently confines this process to one request, before the first byte of a server is read and while it has one
    /// thread.
    ///
    /// As for a remote, Landlock takes the files and the list of system calls takes everything else; a kernel without
    /// either is refused.
    ///
    /// - Parameter ports: TCP goes to these alone, where the kernel can say so, and to name servers.
    /// - Returns: false if the system refuses any of it; the process must then end.
    public static func enterForFetching(ports: [UInt16]) -> Bool {
        for signal in [SIGILL, SIGTRAP, SIGSEGV, SIGBUS, SIGFPE, SIGABRT, SIGQUIT, SIGSYS, SIGXCPU] {
            Glibc.signal(signal, SIG_DFL)
        }
        // The end of a connection is an error to report.
        for signal in [SIGPIPE, SIGXFSZ] { Glibc.signal(signal, SIG_IGN) }
        closefrom(STDERR_FILENO + 1)
        let isLimited =
            limit(RLIMIT_CORE, to: 0) && limit(RLIMIT_FSIZE, to: 0) && limit(RLIMIT_AS, to: fetchSpaceMax)
            && limit(RLIMIT_NOFILE, to: fetchDescriptorMax)
            && limit(RLIMIT_CPU, to: fetchSecondsMax, hard: fetchSecondsMax + 1)
        guard vs_no_new_privs() == 0, vs_not_dumpable() == 0, isLimited, restrictToNetwork(ports),
            let filter = CallFilter(forFetching: CallFilter.nativeArchitecture)
        else { return false }
        return filter.load()
    }
}
