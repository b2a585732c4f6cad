// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import ParserProtocol

/// `JSONStream` reads a JSON text of any length from a file, value after value, as its caller asks for them.
///
/// It holds a piece of the file and what the caller wants to keep: a text may be larger than memory. The caller knows
/// the form, so that objects and lists are not built: `open("{")`, then `key()` and a value until there is no more.
/// Source: RFC 8259; strict, but for a lone surrogate, which becomes U+FFFD and is told.
final class JSONStream {
    /// What a text that is no JSON throws; the caller says what becomes of the file.
    static let malformed = ImportFailure(.damaged)
    /// Deeper values are no JSON of anybody's.
    static let depthMax = 64
    private static let keyByteCountMax = 64

    private let source: any EntrySource
    var piece: [UInt8] = []
    var at = 0
    /// Whether nothing of the innermost object or list was read yet.
    private var isFirst = false
    /// The first half of a pair that an escape began.
    var highSurrogate: UInt16?
    var isInString = false
    /// Whether the string that was read last had a lone surrogate.
    var isStringDamaged = false

    private var lineFeedCount = 0

    init(_ source: any EntrySource) { self.source = source }

    /// Where it is read now, for a person.
    var line: Int { 1 + lineFeedCount + piece[..<at].reduce(0) { $0 + ($1 == 0x0A ? 1 : 0) } }

    /// Reads the next piece of the file when the one before is used up.
    ///
    /// - Returns: whether there is a byte at `at`.
    func fill() throws(ImportFailure) -> Bool {
        guard at == piece.count else { return true }
        lineFeedCount += piece.reduce(0) { $0 + ($1 == 0x0A ? 1 : 0) }
        piece = try source.readPiece()
        at = 0
        return !piece.isEmpty
    }

    func take() throws(ImportFailure) -> UInt8 {
        guard try fill() else { throw Self.malformed }
        defer { at += 1 }
        return piece[at]
    }

    /// Returns the next byte that is no blank; it is not taken.
    func next() throws(ImportFailure) -> UInt8 {
        guard let sign = try nextIfAny() else { throw Self.malformed }
        return sign
    }

    private func nextIfAny() throws(ImportFailure) -> UInt8? {
        while try fill() {
            let sign = piece[at]
            guard sign == 0x20 || sign == 9 || sign == 10 || sign == 13 else { return sign }
            at += 1
        }
        return nil
    }

    func skip(_ sign: Unicode.Scalar) throws(ImportFailure) -> Bool {
        guard UInt32(try next()) == sign.value else { return false }
        at += 1
        return true
    }

    func expect(_ sign: Unicode.Scalar) throws(ImportFailure) {
        guard try skip(sign) else { throw Self.malformed }
    }

    /// Returns whether the next value begins so.
    func isNext(_ sign: Unicode.Scalar) throws(ImportFailure) -> Bool { UInt32(try next()) == sign.value }

    func open(_ bracket: Unicode.Scalar) throws(ImportFailure) {
        try expect(bracket)
        isFirst = true
    }

    /// Reads the next name of the open object; its value is next. A very long name comes as an empty one.
    ///
    /// - Returns: nil if the object ends; then it is closed.
    func key() throws(ImportFailure) -> String? {
        guard let key = try key(max: Self.keyByteCountMax) else { return nil }
        return key.isCut ? "" : key.string
    }

    /// Reads a name as `key` does, however long it is.
    func wholeKey() throws(ImportFailure) -> String? { try key(max: .max)?.string }

    private func key(max: Int) throws(ImportFailure) -> Text? {
        guard try goOn(until: "}") else { return nil }
        guard try isNext("\""), let key = try text(max: max) else { throw Self.malformed }
        try expect(":")
        return key
    }

    /// Goes to the next element of the open list.
    ///
    /// - Returns: whether the open list has another element, which is next; if not, the list is closed.
    func element() throws(ImportFailure) -> Bool { try goOn(until: "]") }

    private func goOn(until bracket: Unicode.Scalar) throws(ImportFailure) -> Bool {
        defer { isFirst = false }
        if try skip(bracket) { return false }
        if !isFirst { try expect(",") }
        return true
    }

    /// Checks that nothing but blanks is left.
    func end() throws(ImportFailure) {
        guard try nextIfAny() == nil, !source.isCutShort else { throw Self.malformed }
    }
}

extension JSONStream {
    /// Longer numbers are no JSON of anybody's.
    private static let numberByteCountMax = 1024

    /// Reads a value that is true or false.
    ///
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

    /// Reads a whole number.
    ///
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

    /// Passes over a value, however large it is; what is in it is checked anyway.
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

    func numeral() throws(ImportFailure) -> [UInt8] {
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

    /// Returns whether bytes are a number: `-? (0 | [1-9][0-9]*) (. [0-9]+)? ([eE] [+-]? [0-9]+)?`
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
