// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import CSystemShims
import Glibc

/// Limits that the process sets on itself before it reads the first byte, and cannot lift again.
///
/// Memory is sized for the largest file: 16 MiB of Windows-1252 become up to 48 MiB of text, held a few times over.
enum Confinement {
    /// Address space, in bytes.
    private static let addressSpaceMax: rlim_t = 1 << 30
    /// Processor time for one file, in seconds; the slowest known file of 16 MiB takes about three.
    private static let secondsPerFile: rlim_t = 60
    private static let secondsMax: rlim_t = 24 * 3600

    /// - Returns: false if the system refuses one of the limits.
    static func enter() -> Bool {
        for signal in [SIGILL, SIGTRAP, SIGSEGV, SIGBUS, SIGFPE, SIGABRT, SIGQUIT, SIGSYS, SIGPIPE, SIGXCPU, SIGXFSZ] {
            // Swift's own report of a crash would print memory, and so perhaps text of a note.
            Glibc.signal(signal, SIG_DFL)
        }
        // A caller's thread may have blocked signals; the limit on processor time would then be a request.
        var none = sigset_t()
        guard unsafe sigemptyset(&none) == 0, unsafe sigprocmask(SIG_SETMASK, &none, nil) == 0 else { return false }
        closefrom(STDERR_FILENO + 1)
        guard vs_no_new_privs() == 0, vs_not_dumpable() == 0 else { return false }
        return limit(RLIMIT_CORE, to: 0)
            && limit(RLIMIT_FSIZE, to: 0)
            && limit(__RLIMIT_NPROC, to: 0)
            && limit(RLIMIT_AS, to: addressSpaceMax)
            // The open descriptors stay open; a new file, socket or pipe would need a number below the limit.
            && limit(RLIMIT_NOFILE, to: 0)
            && limit(RLIMIT_CPU, to: secondsPerFile, hard: secondsMax)
    }

    /// Moves the limit on processor time on, so that many files may take long, but not one.
    static func allowMoreTime() {
        var usage = rusage()
        guard unsafe getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage) == 0 else { return }
        let used = rlim_t(clamping: usage.ru_utime.tv_sec + usage.ru_stime.tv_sec)
        _ = limit(RLIMIT_CPU, to: min(used + secondsPerFile, secondsMax), hard: secondsMax)
    }

    private static func limit(_ resource: __rlimit_resource, to soft: rlim_t, hard: rlim_t? = nil) -> Bool {
        var limits = rlimit(rlim_cur: soft, rlim_max: hard ?? soft)
        return unsafe setrlimit(__rlimit_resource_t(resource.rawValue), &limits) == 0
    }
}
