// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import Glibc

extension CallRule {
    static func rules(for access: StoreAccess) -> [CallRule] {
        switch access {
        case .folder: storing + folder
        case .network: storing + network + threads
        case .passedConnections: storing + connected
        }
    }

    /// Flags of clone(2): memory that is shared, a thread; and those for namespaces of its own.
    private static let (thread, namespaces): (UInt64, UInt64) = (0x1_0100, 0x7E02_0080)
    /// O_PATH: it opens what Landlock forbids, though nothing can be read by it.
    private static let pathAlone: Int32 = 0x20_0000
    /// MSG_FASTOPEN: it connects, and Landlock does not look.
    static let fastOpen: Int32 = 0x2000_0000
    /// Families of sockets.
    private static let (unix, internet, internet6, netlink): (UInt64, UInt64, UInt64, UInt64) = (1, 2, 10, 16)

    /// What each kind of remote needs: open files, the socket to the agent, memory that is never executed, time.
    private static let storing = [
        CallRule("read"), CallRule("pread64"), CallRule("write"), CallRule("pwrite64"), CallRule("lseek"),
        CallRule("fstat", onSome: true), CallRule("newfstatat"), CallRule("statx"), CallRule("close"),
        CallRule("fcntl", .argument(1, is: UInt64(F_GETFL))), CallRule("fcntl", .argument(1, is: UInt64(F_SETFL))),
        CallRule("fcntl", .argument(1, is: UInt64(F_GETFD))), CallRule("fcntl", .argument(1, is: UInt64(F_SETFD))),
        CallRule("recvmsg"), CallRule("recvfrom"),
        CallRule("sendto", .argument(3, lacks: fastOpen)), CallRule("sendmsg", .argument(2, lacks: fastOpen)),
        CallRule("poll", onSome: true), CallRule("ppoll"),
        // Files may be mapped to be read: the C library does with what says where modules of name services are. These
        // themselves cannot be opened, and it goes on without them.
        CallRule("mmap", .argument(2, lacks: PROT_EXEC)),
        CallRule("mprotect", .argument(2, lacks: PROT_EXEC)),
        CallRule("munmap"), CallRule("mremap"), CallRule("madvise"), CallRule("brk"),
        CallRule("futex"), CallRule("sched_yield"), CallRule("clock_gettime"), CallRule("clock_nanosleep"),
        CallRule("gettimeofday"), CallRule("getrandom"), CallRule("getpid"), CallRule("gettid"),
        CallRule("rt_sigreturn"), CallRule("rt_sigprocmask"), CallRule("rt_sigaction"), CallRule("restart_syscall"),
        CallRule("exit"), CallRule("exit_group"),
    ]

    /// Files below the one folder; Landlock refuses all others.
    private static let folder = [
        CallRule("openat", .argument(2, lacks: pathAlone)), CallRule("mkdirat"), CallRule("unlinkat"),
        CallRule("renameat", onSome: true),
        CallRule("renameat2"), CallRule("fsync"), CallRule("getdents64"), CallRule("dup"),
        CallRule("inotify_init1"), CallRule("inotify_add_watch"),
    ]

    /// TCP and UDP, named or the family's usual one: Landlock knows no ports of MPTCP, which falls back to TCP.
    static let sockets = [internet, internet6].flatMap { family in
        [0, UInt64(IPPROTO_TCP), UInt64(IPPROTO_UDP)].map { protocolNumber in
            CallRule("socket", .argument(0, is: family), .argument(2, is: protocolNumber))
        }
    }

    /// Connections to a program that another process has confined: nothing else can be reached by them.
    ///
    /// Debian's libcurl connects what is connected once more: it is told to wait for that, and finds that it is.
    private static let connected = [
        CallRule("connect", refusing: EINPROGRESS),
        CallRule("getsockname"), CallRule("getpeername"), CallRule("getsockopt"), CallRule("setsockopt"),
        CallRule("socketpair", .argument(0, is: unix), CallRule.Condition(argument: 1, mask: 0xF, value: 1)),
        CallRule("ioctl", .argument(1, is: 0x541B)), CallRule("eventfd2"), CallRule("pipe2"),
        CallRule("sysinfo"), CallRule("uname"), CallRule("mlock"), CallRule("munlock"),
    ]

    /// Connections, and files that are only read.
    ///
    /// A socket of this machine's would reach an agent, a message bus, a key agent: asking for one is refused and no
    /// crime, because the C library asks for name services there. So it is for netlink.
    static let network =
        sockets + [
            CallRule("socket", .argument(0, is: unix), refusing: EAFNOSUPPORT),
            CallRule("socket", .argument(0, is: netlink), refusing: EAFNOSUPPORT),
            // A pair of streams is connected for good; a datagram socket could send to others.
            CallRule("socketpair", .argument(0, is: unix), CallRule.Condition(argument: 1, mask: 0xF, value: 1)),
            CallRule("connect"), CallRule("getsockname"), CallRule("getpeername"), CallRule("getsockopt"),
            CallRule("setsockopt"), CallRule("sendmmsg", .argument(3, lacks: fastOpen)),
            // A name is asked for so over TCP, where its answer is too long for a datagram.
            CallRule("writev"),
            CallRule("ioctl", .argument(1, is: 0x541B)),
            // Tokens are got after the start, and go into locked memory.
            CallRule("mlock"), CallRule("munlock"),
            CallRule("openat", .argument(2, lacks: O_WRONLY | O_RDWR | O_CREAT | O_TRUNC | pathAlone)),
            CallRule("uname"),
        ]

    /// libcurl looks each name up on a thread of its own.
    static let threads = [
        CallRule("clone", CallRule.Condition(argument: 0, mask: thread | namespaces, value: thread)),
        // Its flags lie in memory, where no filter sees them; the C library falls back on the other.
        CallRule("clone3", refusing: ENOSYS),
        CallRule("set_robust_list"), CallRule("rseq"), CallRule("sched_getaffinity"),
        // The C library asks how much memory there is before it sorts many addresses; a newer libcurl wakes itself so.
        CallRule("sysinfo"), CallRule("eventfd2"), CallRule("pipe2"),
        CallRule("prlimit64", .argument(0, is: 0), .argument(2, is: 0)),
    ]
}
