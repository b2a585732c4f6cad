// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import ForeignRecords

extension JSONStream {
    /// Longer numbers are no JSON of anybody's.
    private static let numberByteCountMax = 1024

    /// - Returns: nil if the next value is neither true nor false; then it was passed over.
    func bool() throws(ImportFailure) -> Bool? {
        let sign = try next()
        try skipValue()
        switch sign {
        case UInt8(ascii: "t"): return true
        case UInt8(ascii: "f"): return false
        default: return nil
        }
    }

    /// - Returns: nil if the next value is no whole number from 0 to 2⁶⁴ - 1, written without point and exponent; then
    ///   it was passed over.
    func number() throws(ImportFailure) -> UInt64? {
        switch try next() {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): return UInt64(String(decoding: try numeral(), as: UTF8.self))
        default:
            try skipValue()
            return nil
        }
    }

    /// Passes over a value, however large it is; what is in it is checked all the same.
    func skipValue() throws(ImportFailure) {
        var closers: [Unicode.Scalar] = []
        repeat {
            switch try next() {
            case UInt8(ascii: "{"):
                at += 1
                if try !skip("}") {
                    closers.append("}")
                    try skipKey()
                    continue
                }
            case UInt8(ascii: "["):
                at += 1
                if try !skip("]") {
                    closers.append("]")
                    continue
                }
            default: try skipPlain()
            }
            try close(&closers)
        } while !closers.isEmpty && closers.count <= Self.depthMax
        guard closers.isEmpty else { throw Self.malformed }
    }

    /// Goes on from the end of a value to the next one, or to the end of all.
    private func close(_ closers: inout [Unicode.Scalar]) throws(ImportFailure) {
        while let closer = closers.last {
            guard try skip(closer) else {
                try expect(",")
                if closer == "}" { try skipKey() }
                return
            }
            closers.removeLast()
        }
    }

    private func skipKey() throws(ImportFailure) {
        guard try isNext("\"") else { throw Self.malformed }
        try skipPlain()
        try expect(":")
    }

    private func skipPlain() throws(ImportFailure) {
        switch try next() {
        case UInt8(ascii: "\""):
            var buffer: [UInt8] = []
            guard try openString() else { throw Self.malformed }
            while try stringPiece(&buffer) {}
        case UInt8(ascii: "t"): try word("true")
        case UInt8(ascii: "f"): try word("false")
        case UInt8(ascii: "n"): try word("null")
        default: _ = try numeral()
        }
    }

    private func word(_ word: String) throws(ImportFailure) {
        for byte in word.utf8 {
            guard try take() == byte else { throw Self.malformed }
        }
    }

    private func numeral() throws(ImportFailure) -> [UInt8] {
        var bytes: [UInt8] = []
        while try fill(), Self.isOfNumeral(piece[at]) {
            guard bytes.count < Self.numberByteCountMax else { throw Self.malformed }
            bytes.append(piece[at])
            at += 1
        }
        guard Self.isNumeral(bytes[...]) else { throw Self.malformed }
        return bytes
    }

    private static func isOfNumeral(_ byte: UInt8) -> Bool { isDigit(byte) || "+-.eE".utf8.contains(byte) }
    private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

    /// `-? (0 | [1-9][0-9]*) (. [0-9]+)? ([eE] [+-]? [0-9]+)?`
    private static func isNumeral(_ bytes: ArraySlice<UInt8>) -> Bool {
        var rest = bytes
        func digits() -> Int {
            let count = rest.prefix(while: isDigit).count
            rest = rest.dropFirst(count)
            return count
        }
        if rest.first == UInt8(ascii: "-") { rest.removeFirst() }
        let startsWithZero = rest.first == UInt8(ascii: "0")
        let count = digits()
        guard count == 1 || (count > 1 && !startsWithZero) else { return false }
        if rest.first == UInt8(ascii: ".") {
            rest.removeFirst()
            guard digits() > 0 else { return false }
        }
        if rest.first == UInt8(ascii: "e") || rest.first == UInt8(ascii: "E") {
            rest.removeFirst()
            if rest.first == UInt8(ascii: "+") || rest.first == UInt8(ascii: "-") { rest.removeFirst() }
            guard digits() > 0 else { return false }
        }
        return rest.isEmpty
    }
}
