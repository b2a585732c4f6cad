// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Glibc
import Testing

/// That a confined process can open no file, socket or key, and reach no other process, shown by trying.
struct AttemptTests {
    private static let names = AttemptRun.names.map(\.name)
    // One run for all attempts of a mode: each of them is a process of its own anyway.
    private static let free = Result { try AttemptRun("all", mode: "free") }
    private static let one = Result { try AttemptRun("all", mode: "one") }
    private static let many = Result { try AttemptRun("all", mode: "many") }

    @Test(arguments: names) func itEndsByTheFilter(name: String) throws {
        #expect(try Self.one.get().outcomes[name] == .signal(SIGSYS))
        #expect(try Self.many.get().outcomes[name] == .signal(SIGSYS))
    }

    @Test(arguments: AttemptRun.names.filter(\.succeedsUnconfined).map(\.name))
    func itSucceedsWithoutConfinement(name: String) throws {
        guard case .returned(let value, let errno) = try Self.free.get().outcomes[name] else {
            Issue.record("it did not return")
            return
        }
        #expect(value != -1 && errno == 0)
    }

    @Test(arguments: AttemptRun.names.filter { !$0.succeedsUnconfined }.map(\.name))
    func itReachesTheKernelWithoutConfinement(name: String) throws {
        guard case .returned = try Self.free.get().outcomes[name] else {
            Issue.record("it did not return")
            return
        }
    }

    @Test func whatMattersMostIsAmongTheAttempts() {
        #expect(
            Set(Self.names).isSuperset(of: [
                "open-read", "open-write", "open-new", "open-tmpfile", "memfd", "socket-inet", "socket-unix",
                "socket-netlink", "connect-agent",
                "fork", "exec", "ptrace-parent", "read-parent", "kill-parent", "mmap-exec", "io-uring-setup", "keyctl",
                "request-key", "bpf",
                "userfaultfd", "setns", "unshare", "mount", "chmod", "unlink", "rename", "ioctl-tiocsti",
                "open-own-memory", "dup",
                "receive-descriptor", "prctl-dumpable", "raise-files",
            ]))
        #expect(Set(Self.names).count == Self.names.count)
    }

    @Test func itRefusesToGoOnWhereNoFilterCanBeSet() throws {
        #expect(try AttemptRun("open-read", mode: "unavailable").outcomes == ["open-read": .notConfined])
    }
}
