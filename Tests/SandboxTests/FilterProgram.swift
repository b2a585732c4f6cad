// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Foundation

/// A seccomp program as the kernel would run it, of any architecture: enough of classic BPF for what libseccomp writes.
///
/// Each instruction is 8 bytes: code UInt16, jump if true, jump if false, operand UInt32; in this machine's byte order.
struct FilterProgram {
    struct Call {
        var architecture: UInt32
        var number: UInt32
        var arguments: [UInt64] = []
    }

    private struct Instruction {
        let code: UInt16
        let jumpTrue: Int
        let jumpFalse: Int
        let operand: UInt32
    }

    private let instructions: [Instruction]

    init(_ bytes: Data) {
        let bytes = [UInt8](bytes)
        instructions = stride(from: 0, to: bytes.count - 7, by: 8).map { at in
            func number(_ offset: Int, _ count: Int) -> UInt32 {
                bytes[at + offset..<at + offset + count].reversed().reduce(0) { $0 << 8 | UInt32($1) }
            }
            return Instruction(
                code: UInt16(number(0, 2)), jumpTrue: Int(bytes[at + 2]), jumpFalse: Int(bytes[at + 3]),
                operand: number(4, 4))
        }
    }

    var count: Int { instructions.count }

    /// - Returns: the action, e.g. 0x7FFF0000 for "allow"; nil for an instruction that is not known.
    func action(for call: Call) -> UInt32? {
        var accumulator: UInt32 = 0
        var at = 0
        while at < instructions.count {
            let instruction = instructions[at]
            at += 1
            switch instruction.code {
            case 0x20: accumulator = Self.word(of: call, at: instruction.operand)
            case 0x54: accumulator &= instruction.operand
            case 0x05: at += Int(instruction.operand)
            case 0x15: at += accumulator == instruction.operand ? instruction.jumpTrue : instruction.jumpFalse
            case 0x25: at += accumulator > instruction.operand ? instruction.jumpTrue : instruction.jumpFalse
            case 0x35: at += accumulator >= instruction.operand ? instruction.jumpTrue : instruction.jumpFalse
            case 0x45: at += accumulator & instruction.operand != 0 ? instruction.jumpTrue : instruction.jumpFalse
            case 0x06: return instruction.operand
            default: return nil
            }
        }
        return nil
    }

    /// `struct seccomp_data`: number, architecture, instruction pointer (8 bytes), six arguments of 8 bytes, low half
    /// first.
    private static func word(of call: Call, at offset: UInt32) -> UInt32 {
        if offset == 0 { return call.number }
        if offset == 4 { return call.architecture }
        let index = (Int(offset) - 16) / 8
        guard offset >= 16, call.arguments.indices.contains(index) else { return 0 }
        return UInt32(truncatingIfNeeded: offset % 8 == 0 ? call.arguments[index] : call.arguments[index] >> 32)
    }
}
