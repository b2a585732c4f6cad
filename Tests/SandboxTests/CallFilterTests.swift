// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Foundation
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
}
