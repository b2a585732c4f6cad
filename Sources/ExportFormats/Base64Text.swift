// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// Writes base64 of RFC 4648 §4, with padding, while the bytes come in pieces.
struct Base64Text {
    private static let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

    /// Up to two bytes that wait for a third.
    private var held: [UInt8] = []

    mutating func add(_ piece: Span<UInt8>, to output: ByteOutput) throws {
        var text: [UInt8] = []
        text.reserveCapacity(min(piece.count, 48 << 10) / 3 * 4 + 8)
        for at in piece.indices {
            held.append(piece[at])
            guard held.count == 3 else { continue }
            Self.encode(held[0], held[1], held[2], &text)
            held.removeAll(keepingCapacity: true)
            guard text.count >= 64 << 10 else { continue }
            try output.write(text)
            text.removeAll(keepingCapacity: true)
        }
        try output.write(text)
    }

    /// Writes what is left.
    mutating func end(to output: ByteOutput) throws {
        guard let first = held.first else { return }
        var text: [UInt8] = []
        Self.encode(first, held.count == 2 ? held[1] : 0, 0, &text)
        for at in (held.count + 1)..<4 { text[at] = UInt8(ascii: "=") }
        try output.write(text)
        held = []
    }

    private static func encode(_ first: UInt8, _ second: UInt8, _ third: UInt8, _ text: inout [UInt8]) {
        text.append(digits[Int(first >> 2)])
        text.append(digits[Int((first & 3) << 4 | second >> 4)])
        text.append(digits[Int((second & 15) << 2 | third >> 6)])
        text.append(digits[Int(third & 63)])
    }
}
