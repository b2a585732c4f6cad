// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// `XMLCursor` is a place in the bytes of an XML document, and reads the small parts there.
struct XMLCursor {
    private static let nameByteCountMax = 256

    private let bytes: [UInt8]
    private var offset = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 9 || byte == 10 || byte == 13 }

    var isAtEnd: Bool { offset == bytes.count }
    var peek: UInt8? { offset < bytes.count ? bytes[offset] : nil }

    func error(_ code: SketchError.Code) -> SketchError { SketchError(code, offset: offset) }

    mutating func advance() { offset += 1 }

    mutating func take(_ expected: String) -> Bool {
        guard let first = expected.utf8.first, peek == first, bytes[offset...].starts(with: expected.utf8) else {
            return false
        }
        offset += expected.utf8.count
        return true
    }

    mutating func skip(past end: String) throws(SketchError) {
        let start = offset
        while offset < bytes.count {
            if take(end) { return }
            offset += 1
        }
        throw SketchError(.malformed, offset: start)
    }

    @discardableResult
    mutating func skipSpace() -> Bool {
        let start = offset
        while let byte = peek, Self.isSpace(byte) { offset += 1 }
        return offset > start
    }

    mutating func name() throws(SketchError) -> String {
        let start = offset
        while let byte = peek, !Self.isSpace(byte), !"=/><\"'&?!".utf8.contains(byte) { offset += 1 }
        guard offset > start, offset - start <= Self.nameByteCountMax else {
            throw SketchError(.malformed, offset: start)
        }
        return String(decoding: bytes[start..<offset], as: UTF8.self)
    }

    /// Reads a value in either kind of quotes, with its references replaced.
    mutating func quotedValue() throws(SketchError) -> [UInt8] {
        guard let quote = peek, quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else {
            throw error(.malformed)
        }
        offset += 1
        var value: [UInt8] = []
        while let byte = peek, byte != quote {
            guard byte != UInt8(ascii: "<") else { throw error(.malformed) }
            if byte == UInt8(ascii: "&") {
                value.append(contentsOf: try reference())
            } else {
                value.append(byte)
                offset += 1
            }
        }
        guard !isAtEnd else { throw error(.malformed) }
        offset += 1
        return value
    }

    /// Reads one character, by its number or by one of XML's five names. A reference is never replaced by more text
    /// than it has.
    mutating func reference() throws(SketchError) -> [UInt8] {
        let start = offset
        offset += 1
        var name: [UInt8] = []
        while let byte = peek, byte != UInt8(ascii: ";"), name.count < 16 {
            name.append(byte)
            offset += 1
        }
        guard take(";") else { throw SketchError(.malformed, offset: start) }
        switch String(decoding: name, as: UTF8.self) {
        case "lt": return [UInt8(ascii: "<")]
        case "gt": return [UInt8(ascii: ">")]
        case "amp": return [UInt8(ascii: "&")]
        case "quot": return [UInt8(ascii: "\"")]
        case "apos": return [UInt8(ascii: "'")]
        case let text where text.hasPrefix("#"):
            let isHexadecimal = text.hasPrefix("#x")
            let digits = text.dropFirst(isHexadecimal ? 2 : 1)
            guard let number = UInt32(digits, radix: isHexadecimal ? 16 : 10),
                number >= 0x20 || [9, 10, 13].contains(number),
                let scalar = Unicode.Scalar(number)
            else { throw SketchError(.malformed, offset: start) }
            return Array(String(Character(scalar)).utf8)
        default: throw SketchError(.unknownEntity, offset: start)
        }
    }
}
