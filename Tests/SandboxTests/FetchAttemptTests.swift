// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Foundation
import Glibc
import Sandbox
import Testing

/// What is left to a process that makes one request, shown by trying: sockets of the network, and reading what says how
/// names are looked up.
struct FetchAttemptTests {
    private static let run = Result { try AttemptRun("all", mode: "fetch") }

    /// What the kernel refuses, and with which errno: files by Landlock, sockets of this machine by the filter.
    private static let refused: [String: Int32] = [
        "open-read": EACCES, "open-parent-memory": EACCES, "socket-unix": EAFNOSUPPORT, "socket-netlink": EAFNOSUPPORT,
        "clone3": ENOSYS, "send-to-agent": EOPNOTSUPP, "read-held": EBADF, "write-held": EBADF,
    ]
    /// What it does with its own descriptors, and what it may ask about files without opening them. `connect-agent` is
    /// given a socket that is not connected, which the real process cannot have.
    private static let left: Set = [
        "stat", "fcntl-setfl", "close-input", "write-input", "fstat-input", "mmap-input", "socket-inet", "socket-inet6",
        "socketpair", "pipe", "eventfd", "connect-agent", "ioctl-fionread", "uname",
    ]

    @Test(arguments: AttemptRun.names.map(\.name)) func X67whatARequestNeedsNotIsGone(name: String) throws {
        let outcome = try Self.run.get().outcomes[name]
        if let errno = Self.refused[name] {
            #expect(outcome == .returned(-1, errno: errno))
        } else if Self.left.contains(name) {
            guard case .returned = outcome else {
                Issue.record("\(name) is said to be left: \(String(describing: outcome))")
                return
            }
        } else {
            #expect(outcome == .signal(SIGSYS))
        }
    }

    @Test func X67whatMattersMostEndsTheProcess() throws {
        for name in [
            "fork", "exec", "ptrace-parent", "read-parent", "kill-parent", "mmap-exec", "keyctl", "bpf", "open-write",
            "open-new", "unlink", "rename", "bind", "receive-descriptor", "pread-input", "sigaction", "statx",
        ] {
            #expect(try Self.run.get().outcomes[name] == .signal(SIGSYS), "\(name)")
        }
    }

    @Test(arguments: [CallFilterTests.storeX86, CallFilterTests.storeARM])
    func itHasFewerCallsThanAProcessForARemote(machine: CallFilterTests.StoreMachine) throws {
        func program(_ filter: CallFilter?) throws -> FilterProgram {
            let file = FileManager.default.temporaryDirectory.appending(path: "filter-\(UUID().uuidString)")
            try #require(FileManager.default.createFile(atPath: file.path, contents: nil))
            defer { try? FileManager.default.removeItem(at: file) }
            let handle = try FileHandle(forWritingTo: file)
            try #require(filter?.export(to: handle.fileDescriptor) == true)
            return FilterProgram(try Data(contentsOf: file))
        }
        let fetch = try program(CallFilter(forFetching: machine.architecture))
        let remote = try program(CallFilter(for: .network(ports: [443]), architecture: machine.architecture))
        func ends(_ program: FilterProgram, _ number: UInt32, _ arguments: [UInt64]) -> Bool {
            program.action(for: .init(architecture: machine.architecture, number: number, arguments: arguments))
                == 0x8000_0000
        }
        // writev: how the C library asks for a name over TCP.
        let more: Set<UInt32> = machine.architecture == 0xC000_003E ? [20] : [66]
        let calls = (0..<1024 as Range<UInt32>).filter { !ends(fetch, $0, [0, 0, 0, 0x22]) }
        #expect(calls.filter { ends(remote, $0, [0, 0, 0, 0x22]) }.allSatisfy(more.contains))
        for number in machine.forbidden { #expect(ends(fetch, number, [0, 0, 0, 0]), "\(number)") }
        for flags in [1, 2, 0x40, 0x200, 0x20_0000] as [UInt64] { #expect(ends(fetch, machine.openat, [0, 0, flags])) }
        #expect(ends(fetch, machine.mmap, [0, 4096, 5, 2]) && ends(fetch, machine.socket, [17, 3]))
        #expect(!ends(fetch, machine.socket, [2, 1]) && !ends(fetch, machine.clone, [0x3D_0F00]))
        #expect(ends(fetch, machine.clone, [17]) && ends(fetch, machine.clone, [0x1001_0100]))
    }
}
