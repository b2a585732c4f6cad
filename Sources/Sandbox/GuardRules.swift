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
            "pidfd_send_signal", "kcmp", "kill", "tkill", "rt_sigqueueinfo", "rt_tgsigqueueinfo", "perf_event_open", "bpf",
            "userfaultfd", "io_uring_setup", "io_uring_enter", "io_uring_register", "keyctl", "add_key", "request_key",
            "mount", "umount2", "pivot_root", "chroot", "setns", "unshare", "fsopen", "fsmount", "fsconfig", "move_mount",
            "open_tree", "mount_setattr", "swapon", "swapoff", "reboot", "kexec_load", "init_module", "finit_module",
            "delete_module", "acct", "quotactl", "syslog", "settimeofday", "clock_settime", "sethostname",
            "setdomainname", "name_to_handle_at", "open_by_handle_at", "personality", "execveat", "memfd_secret",
            "fchmod", "fchmodat", "fchown", "fchownat", "setxattr", "lsetxattr", "fsetxattr", "removexattr", "utimensat",
            "inotify_add_watch", "fanotify_init", "vhangup", "setpriority", "sched_setscheduler", "shmget", "shmat",
            "msgget", "semget", "mq_open", "bind", "listen",
        ].map { CallRule($0, refusing: EPERM) }
        + ["chmod", "chown", "lchown", "utime", "utimes", "futimesat", "ioperm", "iopl", "create_module", "kexec_file_load"]
        .map { CallRule($0, refusing: EPERM, onSome: true) }
        // Of this machine, of the kernel's, of other machines on this one, and the one whose ports Landlock does not know.
        + [AF_UNIX, AF_NETLINK, AF_PACKET, 31, 38, 40].map {
            CallRule("socket", .argument(0, is: UInt64($0)), refusing: EAFNOSUPPORT)
        }
        + [CallRule("socket", .argument(2, is: 262), refusing: EAFNOSUPPORT)]
        // Threads stay; a process of its own would end with nobody.
        + [CallRule("clone3", refusing: ENOSYS), CallRule("fork", refusing: EPERM, onSome: true)]
        + [CallRule("vfork", refusing: EPERM, onSome: true)]
        + namespaceBits.map { CallRule("clone", .argument(0, has: $0), refusing: EPERM) }
        // Its own limits alone: the number of any other process has a bit.
        + (0..<22).map { CallRule("prlimit64", .argument(0, has: 1 << $0), refusing: EPERM) }

    /// CLONE_NEWTIME, _NEWNS, _NEWCGROUP, _NEWUTS, _NEWIPC, _NEWUSER, _NEWPID and _NEWNET.
    private static let namespaceBits: [Int32] = [
        0x80, 0x2_0000, 0x200_0000, 0x400_0000, 0x800_0000, 0x1000_0000, 0x2000_0000, 0x4000_0000,
    ]
}

extension Sandbox {
    private static let guardedDescriptorMax: rlim_t = 256

    /// Confines this process for good to one program that it is about to become: it can run nothing else, reads only
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
        var folders: [UnsafePointer<CChar>?] = unsafe (resolverFolders + ["/usr/share/mime", "/usr/share/zoneinfo"])
            .map { unsafe UnsafePointer(strdup($0)) }
        unsafe folders.append(nil)
        defer { unsafe folders.forEach { unsafe free(UnsafeMutablePointer(mutating: $0)) } }
        guard vs_no_new_privs() == 0, isLimited, unsafe vs_landlock_program(program, folders) == 0,
            let filter = CallFilter(forGuarded: CallFilter.nativeArchitecture)
        else { return false }
        return filter.load()
    }
}
