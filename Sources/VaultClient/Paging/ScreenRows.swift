// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// `ScreenRows` counts the rows that text takes on a terminal. It need not be exact: `less -F` ends by itself when one
/// screen was enough after all.
struct ScreenRows {
    let columns: Int
    private(set) var count = 0
    private var column = 0
    private var sequence = Sequence.none

    /// `Sequence` tells where in an escape sequence the last byte was.
    private enum Sequence {
        case none, escape, control, string, stringEscape
    }

    init(columns: Int) { self.columns = max(columns, 1) }

    mutating func add(_ bytes: [UInt8]) { for byte in bytes { add(byte) } }

    private mutating func add(_ byte: UInt8) {
        switch sequence {
        case .escape:
            sequence = byte == 0x5B ? .control : byte == 0x5D ? .string : .none
        case .control:
            if (0x40...0x7E).contains(byte) { sequence = .none }
        case .string:
            if byte == 0x07 { sequence = .none } else if byte == 0x1B { sequence = .stringEscape }
        case .stringEscape:
            sequence = .none
        case .none:
            show(byte)
        }
    }

    private mutating func show(_ byte: UInt8) {
        switch byte {
        case 0x1B: sequence = .escape
        case 0x0A:
            count += 1
            column = 0
        case 0x0D: column = 0
        case 0x80..<0xC0: break
        default:
            if column == columns {
                count += 1
                column = 0
            }
            column += 1
        }
    }
}
