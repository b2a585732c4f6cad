// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Foundation
import Glibc
import Sandbox
import Testing

/// The filter's program on both architectures, as far as one machine can show it: run by an interpreter.
struct CallFilterTests {
    /// The numbers of some calls on an architecture; sources: asm/unistd_64.h and asm-generic/unistd.h of Linux.
    struct Machine: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let architecture: UInt32
        let read, write, mmap, mprotect, getrusage, limit, exit: UInt32
        /// openat, socket, connect, clone, execve, ptrace, kill, ioctl, prctl, fstat's path form, seccomp.
        let forbidden: [UInt32]
    }

    static let x86 = Machine(
        testDescription: "x86_64", architecture: 0xC000_003E, read: 0, write: 1, mmap: 9, mprotect: 10, getrusage: 98,
        limit: 302, exit: 231,
        forbidden: [2, 257, 41, 42, 56, 57, 58, 59, 101, 62, 16, 157, 262, 317])
    static let arm = Machine(
        testDescription: "aarch64", architecture: 0xC000_00B7, read: 63, write: 64, mmap: 222, mprotect: 226,
        getrusage: 165, limit: 261, exit: 94,
        forbidden: [56, 198, 203, 220, 221, 117, 129, 29, 167, 79, 277])
    private static let allow: UInt32 = 0x7FFF_0000
    private static let killProcess: UInt32 = 0x8000_0000

    private func program(_ work: Workload, _ machine: Machine) throws -> FilterProgram {
        let file = FileManager.default.temporaryDirectory.appending(path: "filter-\(UUID().uuidString)")
        try #require(FileManager.default.createFile(atPath: file.path, contents: nil))
        defer { try? FileManager.default.removeItem(at: file) }
        let handle = try FileHandle(forWritingTo: file)
        let filter = try #require(CallFilter(for: work, architecture: machine.architecture))
        try #require(filter.export(to: handle.fileDescriptor))
        try handle.close()
        return FilterProgram(try Data(contentsOf: file))
    }

    @Test(arguments: [x86, arm]) func whatDecodingNeedsIsAllowed(machine: Machine) throws {
        let program = try program(.oneInput, machine)
        func isAllowed(_ number: UInt32, _ arguments: UInt64...) -> Bool {
            program.action(for: .init(architecture: machine.architecture, number: number, arguments: arguments))
                == Self.allow
        }
        #expect(
            isAllowed(machine.read, 0) && isAllowed(machine.write, 1) && isAllowed(machine.write, 2)
                && isAllowed(machine.exit, 0))
        // Readable and writable; private and anonymous.
        #expect(isAllowed(machine.mmap, 0, 4096, 3, 0x22) && isAllowed(machine.mprotect, 0, 4096, 1))
    }

    @Test(arguments: [x86, arm]) func everyOtherArgumentEndsIt(machine: Machine) throws {
        let program = try program(.manyInputs, machine)
        func ends(_ number: UInt32, _ arguments: UInt64...) -> Bool {
            program.action(for: .init(architecture: machine.architecture, number: number, arguments: arguments))
                == Self.killProcess
        }
        #expect(ends(machine.read, 1) && ends(machine.read, 3) && ends(machine.read, 1 << 32))
        #expect(ends(machine.write, 0) && ends(machine.write, 3) && ends(machine.write, 1 << 32 | 1))
        #expect(
            ends(machine.mmap, 0, 4096, 5, 0x22) && ends(machine.mmap, 0, 4096, 7, 0x22)
                && ends(machine.mmap, 0, 4096, 1, 0x02))
        #expect(ends(machine.mprotect, 0, 4096, 5) && ends(machine.mprotect, 0, 4096, 4))
        // Another process, another limit, the times of children.
        #expect(
            ends(machine.limit, 1, 0) && ends(machine.limit, 0, 7) && ends(machine.getrusage, UInt64(bitPattern: -1)))
    }

    @Test(arguments: [x86, arm]) func everyNumberThatIsNotListedEndsIt(machine: Machine) throws {
        let program = try program(.manyInputs, machine)
        let allowed = (0..<1024 as Range<UInt32>).filter { number in
            // With arguments that suit all conditions but that of one call.
            [[0, 0, 0, 0x22], [1, 0, 0, 0x22]].contains { (arguments: [UInt64]) in
                program.action(for: .init(architecture: machine.architecture, number: number, arguments: arguments))
                    != Self.killProcess
            }
        }
        #expect(allowed.count == 19)
        for number in machine.forbidden { #expect(!allowed.contains(number)) }
    }

    @Test(arguments: [x86, arm]) func onlyManyInputsMoveTheirTime(machine: Machine) throws {
        for (work, action) in [(Workload.oneInput, Self.killProcess), (.manyInputs, Self.allow)] {
            let program = try program(work, machine)
            for number in [machine.limit, machine.getrusage] {
                #expect(
                    program.action(for: .init(architecture: machine.architecture, number: number, arguments: [0, 0]))
                        == action)
            }
        }
    }

    @Test(arguments: [x86, arm]) func anotherTableOfCallsEndsIt(machine: Machine) throws {
        let program = try program(.oneInput, machine)
        let other = machine.architecture == Self.arm.architecture ? Self.x86.architecture : Self.arm.architecture
        // 0x40000003 is i386, 0x40000028 is 32-bit arm; 0x40000000 is the mark of x32.
        for architecture in [0, 0x4000_0003, 0x4000_0028, other] as [UInt32] {
            for number in [machine.read, machine.exit] {
                #expect(
                    program.action(for: .init(architecture: architecture, number: number, arguments: [0]))
                        == Self.killProcess)
            }
        }
        #expect(
            program.action(
                for: .init(architecture: machine.architecture, number: 0x4000_0000 | machine.exit, arguments: [0]))
                == Self.killProcess)
    }

    /// Numbers of calls that a process for a remote may make with some arguments, and those that end it.
    struct StoreMachine: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let architecture, mmap, openat, socket, socketpair, clone, clone3: UInt32
        /// execve, execveat, ptrace, kill, prctl, seccomp, bind, listen, accept, openat2, memfd_create, io_uring_setup,
        /// bpf, keyctl, process_vm_readv.
        let forbidden: [UInt32]
    }

    static let storeX86 = StoreMachine(
        testDescription: "x86_64", architecture: 0xC000_003E, mmap: 9, openat: 257, socket: 41, socketpair: 53,
        clone: 56,
        clone3: 435, forbidden: [59, 322, 101, 62, 157, 317, 49, 50, 43, 437, 319, 425, 321, 250, 310])
    static let storeARM = StoreMachine(
        testDescription: "aarch64", architecture: 0xC000_00B7, mmap: 222, openat: 56, socket: 198, socketpair: 199,
        clone: 220,
        clone3: 435, forbidden: [221, 281, 117, 129, 167, 277, 200, 201, 202, 437, 279, 425, 280, 219, 270])

    @Test(arguments: [storeX86, storeARM]) func aProcessForARemoteHasItsCallsAndNoOthers(machine: StoreMachine) throws {
        for access in [StoreAccess.folder(descriptor: 3), .network(ports: [443])] {
            let file = FileManager.default.temporaryDirectory.appending(path: "filter-\(UUID().uuidString)")
            try #require(FileManager.default.createFile(atPath: file.path, contents: nil))
            defer { try? FileManager.default.removeItem(at: file) }
            let handle = try FileHandle(forWritingTo: file)
            try #require(
                CallFilter(for: access, architecture: machine.architecture)?.export(to: handle.fileDescriptor) == true)
            let program = FilterProgram(try Data(contentsOf: file))
            func action(_ number: UInt32, _ arguments: UInt64...) -> UInt32? {
                program.action(for: .init(architecture: machine.architecture, number: number, arguments: arguments))
            }
            for number in machine.forbidden { #expect(action(number, 0, 0, 0, 0) == Self.killProcess, "\(number)") }
            // Where a module of a name service is, is mapped; the module would be mapped to be run.
            #expect(action(machine.mmap, 0, 4096, 1, 2) == Self.allow)
            #expect(action(machine.mmap, 0, 4096, 5, 2) == Self.killProcess)
            // To read; O_PATH; to write: left to a folder, whose place Landlock watches.
            #expect(action(machine.openat, 0, 0, 0) == Self.allow)
            #expect(action(machine.openat, 0, 0, 0x20_0000) == Self.killProcess)
            guard case .network = access else {
                #expect(action(machine.socket, 2, 1) == Self.killProcess)
                #expect(action(machine.clone, 0x1_0100) == Self.killProcess)
                continue
            }
            for flags in [1, 2, 0x40, 0x200] as [UInt64] {
                #expect(action(machine.openat, 0, 0, flags) == Self.killProcess)
            }
            #expect(action(machine.socket, 2, 1) == Self.allow && action(machine.socket, 10, 2) == Self.allow)
            // AF_UNIX and AF_NETLINK are answered with an errno; AF_PACKET and AF_VSOCK are asked for by nobody.
            #expect(action(machine.socket, 1, 1) == 0x0005_0000 | UInt32(EAFNOSUPPORT))
            #expect(action(machine.socket, 16, 3) == 0x0005_0000 | UInt32(EAFNOSUPPORT))
            #expect(
                action(machine.socket, 17, 3) == Self.killProcess && action(machine.socket, 40, 1) == Self.killProcess)
            #expect(
                action(machine.socketpair, 1, 1) == Self.allow && action(machine.socketpair, 1, 2) == Self.killProcess)
            #expect(action(machine.clone, 0x3D_0F00) == Self.allow && action(machine.clone, 17) == Self.killProcess)
            #expect(action(machine.clone, 0x1001_0100) == Self.killProcess)
            #expect(action(machine.clone3) == 0x0005_0000 | UInt32(ENOSYS))
        }
    }
}
