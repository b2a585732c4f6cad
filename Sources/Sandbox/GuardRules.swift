// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import CSystemShims
internal import Glibc

extension CallRule {
    /// What a program that is not ours is refused, though it may go on: it asks for some of it without a need.
    ///
    /// Landlock takes its files and every other program. These take other processes, the kernel's keys, namespaces and
    /// mounts, sockets of this machine, and names and rights of files, of which Landlock knows nothing.
    static let forbidden =
        [
            "ptrace", "process_vm_readv", "process_vm_writev", "process_madvise", "pidfd_open", "pidfd_getfd",
            "pidfd_send_signal", "kcmp", "kill", "tkill", "rt_sigqueueinfo", "rt_tgsigqueueinfo", "perf_event_open",
            "bpf",
            "userfaultfd", "io_uring_setup", "io_uring_enter", "io_uring_register", "keyctl", "add_key", "request_key",
            "mount", "umount2", "pivot_root", "chroot", "setns", "unshare", "fsopen", "fsmount", "fsconfig",
            "move_mount",
            "open_tree", "mount_setattr", "swapon", "swapoff", "reboot", "kexec_load", "init_module", "finit_module",
            "delete_module", "acct", "quotactl", "syslog", "settimeofday", "clock_settime", "sethostname",
            "setdomainname", "name_to_handle_at", "open_by_handle_at", "personality", "execveat", "memfd_secret",
            "fchmod", "fchmodat", "fchown", "fchownat", "setxattr", "lsetxattr", "fsetxattr", "removexattr",
            "utimensat",
            "inotify_add_watch", "fanotify_init", "vhangup", "setpriority", "sched_setscheduler", "shmget", "shmat",
            "msgget", "semget", "mq_open", "bind", "listen",
        ].map { CallRule($0, refusing: EPERM) }
        + [
            "chmod", "chown", "lchown", "utime", "utimes", "futimesat", "ioperm", "iopl", "create_module",
            "kexec_file_load",
        ]
        .map { CallRule($0, refusing: EPERM, onSome: true) }
        // Threads stay; a process of its own would outlive the one that has started it.
        + [CallRule("clone", Condition(argument: 0, mask: thread, value: 0), refusing: EPERM)]
        + namespaceBits.map { CallRule("clone", Condition(argument: 0, mask: $0, value: $0), refusing: EPERM) }
        + [CallRule("clone3", refusing: ENOSYS), CallRule("fork", refusing: EPERM, onSome: true)]
        + [CallRule("vfork", refusing: EPERM, onSome: true), CallRule("setsid", refusing: EPERM)]
        + [CallRule("prctl", .low(0, is: 1), refusing: EPERM), CallRule("socketpair", refusing: EPERM)]
        // Signals by a file whose owner is another process: F_SETOWN, F_SETSIG, F_SETOWN_EX, FIOSETOWN, SIOCSPGRP.
        + [8, 10, 15].map { CallRule("fcntl", .low(1, is: $0), refusing: EPERM) }
        + [0x8901, 0x8902].map { CallRule("ioctl", .low(1, is: $0), refusing: EPERM) }
        // IPv4 and IPv6 alone: every other family has another bit, or is 0 or 8. The kernel looks at 32 of them.
        + (0..<32).filter { ![1, 3].contains($0) }.map {
            CallRule("socket", Condition(argument: 0, mask: 1 << $0, value: 1 << $0), refusing: EAFNOSUPPORT)
        }
        + [0, 8].map { CallRule("socket", .low(0, is: $0), refusing: EAFNOSUPPORT) }
        // Multipath TCP and all that is numbered above 255: Landlock knows no ports of it.
        + (8..<32).map {
            CallRule("socket", Condition(argument: 2, mask: 1 << $0, value: 1 << $0), refusing: EPROTONOSUPPORT)
        }
        // Its own limits alone: the number of any other process has a bit.
        + (0..<32).map { CallRule("prlimit64", Condition(argument: 0, mask: 1 << $0, value: 1 << $0), refusing: EPERM) }

    /// Signals go to this process's own threads: any other number differs in a bit.
    static func ownSignals(_ process: Int32) -> [CallRule] {
        (0..<32).map { bit in
            let mask: UInt64 = 1 << UInt64(bit)
            return CallRule(
                "tgkill", Condition(argument: 0, mask: mask, value: ~UInt64(UInt32(bitPattern: process)) & mask),
                refusing: EPERM)
        }
    }

    /// CLONE_THREAD.
    private static let thread: UInt64 = 0x1_0000
    /// CLONE_NEWTIME, _NEWNS, _NEWCGROUP, _NEWUTS, _NEWIPC, _NEWUSER, _NEWPID and _NEWNET.
    private static let namespaceBits: [UInt64] = [
        0x80, 0x2_0000, 0x200_0000, 0x400_0000, 0x800_0000, 0x1000_0000, 0x2000_0000, 0x4000_0000,
    ]
}

extension CallRule.Condition {
    /// The kernel looks at the lower half of such an argument: the other half must not hide it from a rule that
    /// forbids.
    fileprivate static func low(_ argument: UInt32, is value: UInt64) -> CallRule.Condition {
        CallRule.Condition(argument: argument, mask: 0xFFFF_FFFF, value: value)
    }
}

extension Sandbox {
    private static let guardedDescriptorMax: rlim_t = 256
    /// Memory that it may write to, in bytes.
    private static let guardedDataMax: rlim_t = 1 << 30

    /// Permanently confines this process to one program that it is about to become: it can run no other, reads only
    /// what says how names are looked up and which certificates count, writes no file, and ends with its parent.
    ///
    /// - Parameters:
    ///   - program: a descriptor of it, opened for its path.
    ///   - parent: the process that has started this one.
    /// - Returns: false if the system refuses any of it; the process must then end.
    public static func enter(forProgram program: Int32, of parent: Int32) -> Bool {
        guard vs_end_with_parent(parent) == 0 else { return false }
        let isLimited =
            limit(RLIMIT_CORE, to: 0) && limit(RLIMIT_FSIZE, to: 0) && limit(RLIMIT_NOFILE, to: guardedDescriptorMax)
            && limit(RLIMIT_DATA, to: guardedDataMax)
        var folders: [UnsafePointer<CChar>?] = unsafe (resolverFolders + ["/usr/share/mime", "/usr/share/zoneinfo"])
            .map { unsafe UnsafePointer(strdup($0)) }
        unsafe folders.append(nil)
        defer { unsafe folders.forEach { unsafe free(UnsafeMutablePointer(mutating: $0)) } }
        guard vs_no_new_privs() == 0, isLimited, unsafe vs_landlock_program(program, folders) == 0,
            let filter = CallFilter(forGuarded: getpid())
        else { return false }
        return filter.load()
    }
}
