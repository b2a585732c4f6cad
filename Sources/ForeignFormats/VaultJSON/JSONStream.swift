// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import ForeignRecords

/// Reads a JSON text of any length from a file, value after value, as its caller asks for them.
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

    /// The next byte that is no blank; it is not taken.
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

    /// Whether the next value begins so.
    func isNext(_ sign: Unicode.Scalar) throws(ImportFailure) -> Bool { UInt32(try next()) == sign.value }

    func open(_ bracket: Unicode.Scalar) throws(ImportFailure) {
        try expect(bracket)
        isFirst = true
    }

    /// The next name of the open object; its value is next. A very long name comes as an empty one.
    ///
    /// - Returns: nil if the object ends; then it is closed.
    func key() throws(ImportFailure) -> String? {
        guard try goOn(until: "}") else { return nil }
        guard try isNext("\""), let key = try text(max: Self.keyByteCountMax) else { throw Self.malformed }
        try expect(":")
        return key.isCut ? "" : key.string
    }

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
