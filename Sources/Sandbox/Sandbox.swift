// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import CSystemShims
internal import Glibc

/// `Sandbox` permanently takes from this process everything that decoding does not need: files, sockets, keys, other
/// processes.
///
/// Two walls, each of which holds alone for most of it: resource limits that cannot be raised again, and a list of the
/// system calls that remain (`CallFilter`). A process that makes another call ends at once by SIGSYS, before the kernel
/// has looked at the call's arguments.
///
/// Memory is sized for the largest file: 16 MiB of Windows-1252 become up to 48 MiB of text, held a few times over, and
/// a progressive photo keeps the coefficients of all of its pixels.
public enum Sandbox {
    /// Address space, in bytes.
    private static let addressSpaceMax: rlim_t = 1 << 30

    /// Permanently confines this process: limits, privileges, descriptors and system calls. Call it before
    /// the first byte of input is read, and in a process that has one thread.
    ///
    /// - Returns: false if the system refuses a limit or the filter; the process must then end without reading
    ///   anything.
    public static func enter(for work: Workload) -> Bool {
        for signal in [SIGILL, SIGTRAP, SIGSEGV, SIGBUS, SIGFPE, SIGABRT, SIGQUIT, SIGSYS, SIGPIPE, SIGXCPU, SIGXFSZ] {
            // Swift's own report of a crash would print memory, and so perhaps text of a note.
            Glibc.signal(signal, SIG_DFL)
        }
        // A caller's thread may have blocked signals; the limit on processor time would then be a request.
        var none = sigset_t()
        guard unsafe sigemptyset(&none) == 0, unsafe sigprocmask(SIG_SETMASK, &none, nil) == 0 else { return false }
        closefrom(STDERR_FILENO + 1)
        guard vs_no_new_privs() == 0, vs_not_dumpable() == 0 else { return false }
        guard limitResources(for: work), let filter = CallFilter(for: work) else { return false }
        return filter.load()
    }

    /// Moves the limit on processor time on, so that many inputs may take long, but not one. Without effect for other
    /// work.
    public static func allowMoreTime(for work: Workload) {
        guard work.isRenewed else { return }
        var usage = rusage()
        guard unsafe getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage) == 0 else { return }
        let used = rlim_t(clamping: usage.ru_utime.tv_sec + usage.ru_stime.tv_sec)
        _ = limit(RLIMIT_CPU, to: min(used + work.secondsPerInput, work.secondsMax), hard: work.secondsMax)
    }

    private static func limitResources(for work: Workload) -> Bool {
        limit(RLIMIT_CORE, to: 0)
            && limit(RLIMIT_FSIZE, to: 0)
            && limit(__RLIMIT_NPROC, to: 0)
            && limit(RLIMIT_AS, to: addressSpaceMax)
            // The open descriptors stay open; a new file, socket or pipe would need a number below the limit.
            && limit(RLIMIT_NOFILE, to: 0)
            && limit(RLIMIT_CPU, to: work.secondsPerInput, hard: work.secondsMax)
    }

    static func limit(_ resource: __rlimit_resource, to soft: rlim_t, hard: rlim_t? = nil) -> Bool {
        var limits = rlimit(rlim_cur: soft, rlim_max: hard ?? soft)
        return unsafe setrlimit(__rlimit_resource_t(resource.rawValue), &limits) == 0
    }
}
