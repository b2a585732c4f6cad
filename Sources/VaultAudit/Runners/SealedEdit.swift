// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import VaultCrypto

/// `SealedEdit` says what an attacker does to a sealed object before it is opened. The edits are those of
/// Vectors/README.md.
struct SealedEdit {
    private let fields: [String: JSONValue]

    /// Applies the edits of a test in turn.
    ///
    /// - Throws: `VectorFault` for an edit that is unknown or lies outside of the bytes.
    static func apply(_ edits: [JSONValue], to sealed: [UInt8]) throws -> [UInt8] {
        try edits.reduce(sealed) { bytes, edit in try SealedEdit(fields: edit.object ?? [:]).applied(to: bytes) }
    }

    private func applied(to bytes: [UInt8]) throws -> [UInt8] {
        var bytes = bytes
        switch fields["op"]?.text {
        case "flip": bytes[try number("offset", below: bytes.count)] ^= 1 << UInt8(try number("bit", below: 8))
        case "zero":
            let size = try number("size", below: bytes.count + 1)
            let offset = try number("offset", below: bytes.count - size + 1)
            bytes.replaceSubrange(offset..<offset + size, with: repeatElement(0, count: size))
        case "truncate": bytes.removeLast(bytes.count - (try number("size", below: bytes.count + 1)))
        case "append": bytes += try hex()
        case "insert": bytes.insert(contentsOf: try hex(), at: try number("offset", below: bytes.count + 1))
        case "replace":
            let new = try hex()
            let offset = try number("offset", below: max(0, bytes.count - new.count) + 1)
            bytes.replaceSubrange(offset..<min(bytes.count, offset + new.count), with: new)
        case "exchange": try exchange(&bytes)
        default: bytes = try withChunks(of: bytes)
        }
        return bytes
    }

    /// Exchanges two parts of one size, such as pages.
    private func exchange(_ bytes: inout [UInt8]) throws {
        let size = try number("size", below: bytes.count / 2 + 1)
        let (a, b) = (try number("a", below: bytes.count - size + 1), try number("b", below: bytes.count - size + 1))
        guard abs(a - b) >= size else { throw VectorFault("two parts of an edit overlap") }
        let (one, two) = (Array(bytes[a..<a + size]), Array(bytes[b..<b + size]))
        bytes.replaceSubrange(a..<a + size, with: two)
        bytes.replaceSubrange(b..<b + size, with: one)
    }

    private func hex() throws -> [UInt8] {
        guard let bytes = fields["hex"]?.bytes else { throw VectorFault("hex is missing in an edit") }
        return bytes
    }

    private func withChunks(of bytes: [UInt8]) throws -> [UInt8] {
        let whole = Cobblestone.chunkByteCount + Cobblestone.tagByteCount
        let begin = min(Cobblestone.prefixByteCount, bytes.count)
        var chunks = stride(from: begin, to: bytes.count, by: whole).map {
            Array(bytes[$0..<min($0 + whole, bytes.count)])
        }
        switch fields["op"]?.text {
        case "swapChunks": chunks.swapAt(try number("a", below: chunks.count), try number("b", below: chunks.count))
        case "dropChunk": chunks.remove(at: try number("index", below: chunks.count))
        case "duplicateChunk":
            let index = try number("index", below: chunks.count)
            chunks.insert(chunks[index], at: index)
        default: throw VectorFault("an unknown edit")
        }
        return Array(bytes[0..<begin]) + chunks.flatMap { $0 }
    }

    private func number(_ name: String, below limit: Int) throws -> Int {
        guard let value = fields[name]?.integer, value >= 0, value < limit else {
            throw VectorFault("\(name) of an edit is missing or out of range")
        }
        return value
    }
}
