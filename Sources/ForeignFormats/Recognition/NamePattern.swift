// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// Compares a name with a pattern: `*` is anything, `#` a hexadecimal digit, `%` a decimal one, everything else itself.
/// Both are in lower case.
enum NamePattern {
    /// In steps of at most name times stars: a pattern is ours and has few.
    static func fits(_ name: [UInt8], _ pattern: [UInt8]) -> Bool {
        var (at, wanted) = (0, 0)
        var star: (wanted: Int, at: Int)?
        while at < name.count {
            if wanted < pattern.count, pattern[wanted] == 0x2A {
                star = (wanted, at)
                wanted += 1
            } else if wanted < pattern.count, fits(name[at], pattern[wanted]) {
                at += 1
                wanted += 1
            } else if let last = star {
                star = (last.wanted, last.at + 1)
                at = last.at + 1
                wanted = last.wanted + 1
            } else {
                return false
            }
        }
        return pattern[wanted...].allSatisfy { $0 == 0x2A }
    }

    private static func fits(_ byte: UInt8, _ wanted: UInt8) -> Bool {
        switch wanted {
        case 0x23: (0x30...0x39).contains(byte) || (0x61...0x66).contains(byte)
        case 0x25: (0x30...0x39).contains(byte)
        default: byte == wanted
        }
    }
}
