// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import CSystemShims
internal import Glibc

/// What a process that will hold notes and passwords does first.
enum ProcessSetUp {
    static func run() {
        // Swift's own handler prints registers and the memory they point to; the default action prints nothing.
        for fatal in [SIGSEGV, SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE] { signal(fatal, SIG_DFL) }
        vs_default_quit()
        // A caller may have left SIGPIPE ignored: `vault ls | head` must end quietly.
        signal(SIGPIPE, SIG_DFL)
        var none = rlimit(rlim_cur: 0, rlim_max: 0)
        _ = unsafe setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &none)
        _ = vs_not_dumpable()
        openStandardStreams()
    }

    /// With a standard stream closed, the next file opened would take its number and get our output.
    private static func openStandardStreams() {
        for stream in 0...2 as ClosedRange<Int32> where fcntl(stream, F_GETFD) == -1 {
            _ = unsafe open("/dev/null", stream == 0 ? O_RDONLY : O_WRONLY)
        }
    }
}
