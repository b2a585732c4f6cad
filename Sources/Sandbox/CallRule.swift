// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import Glibc

/// `CallRule` is a system call that does not end the process, with what its arguments must be.
struct CallRule: Sendable {
    /// `Condition` says what an argument must be under a mask: all 64 bits, of which the kernel may look at fewer.
    struct Condition: Sendable {
        let argument: UInt32
        let mask: UInt64
        let value: UInt64

        static func argument(_ argument: UInt32, is value: UInt64) -> Condition {
            Condition(argument: argument, mask: .max, value: value)
        }
        static func argument(_ argument: UInt32, has bits: Int32) -> Condition {
            Condition(argument: argument, mask: UInt64(bits), value: UInt64(bits))
        }
        static func argument(_ argument: UInt32, lacks bits: Int32) -> Condition {
            Condition(argument: argument, mask: UInt64(bits), value: 0)
        }
    }

    let name: String
    let conditions: [Condition]
    /// The errno that it is answered with; nil when it is carried out.
    let refusal: Int32?
    /// Whether some architecture lacks the call, and has another one for it.
    let isOfSomeArchitectures: Bool

    init(_ name: String, _ conditions: Condition..., refusing refusal: Int32? = nil, onSome: Bool = false) {
        self.name = name
        self.conditions = conditions
        self.refusal = refusal
        isOfSomeArchitectures = onSome
    }
}

extension CallRule {
    /// What every decoder needs: its three streams, memory that is never executed, time, and the end.
    static let decoding = [
        CallRule("read", .argument(0, is: UInt64(STDIN_FILENO))),
        CallRule("write", .argument(0, is: UInt64(STDOUT_FILENO))),
        CallRule("write", .argument(0, is: UInt64(STDERR_FILENO))),
        CallRule("mmap", .argument(2, lacks: PROT_EXEC), .argument(3, has: MAP_ANONYMOUS)),
        CallRule("mprotect", .argument(2, lacks: PROT_EXEC)),
        CallRule("munmap"), CallRule("mremap"), CallRule("madvise"), CallRule("brk"),
        // Run-time libraries wake waiters after they set something up once, also when nobody can wait.
        CallRule("futex"), CallRule("sched_yield"),
        CallRule("clock_gettime"), CallRule("getrandom"),
        CallRule("rt_sigreturn"), CallRule("rt_sigprocmask"), CallRule("restart_syscall"),
        CallRule("exit"), CallRule("exit_group"),
    ]

    /// What `Sandbox.allowMoreTime(for:)` needs: this process's own times, and its own limit on them, below the
    /// hard one.
    static let renewal = [
        CallRule("getrusage", .argument(0, is: UInt64(RUSAGE_SELF.rawValue))),
        CallRule("prlimit64", .argument(0, is: 0), .argument(1, is: UInt64(RLIMIT_CPU.rawValue))),
    ]
}
