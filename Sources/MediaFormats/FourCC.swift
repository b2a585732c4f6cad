// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// Four characters that name a chunk or box.
struct FourCC: Hashable, ExpressibleByStringLiteral {
    let value: UInt32

    init(_ value: UInt32) { self.value = value }

    /// Only for literals of four ASCII characters.
    init(stringLiteral text: String) {
        value = text.utf8.reduce(0) { $0 << 8 | UInt32($1) }
    }

    var bytes: [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: value >> (24 - 8 * $0)) } }
}
