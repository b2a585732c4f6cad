// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import ParserProtocol

/// `JSONItems` reads the elements of one array of a JSON file, one after the other: `{…, "name": [element, …], …}`.
///
/// The file may be larger than memory; only one element is held. Where the array lies is found by counting brackets
/// outside of strings; each element is then parsed strictly by itself.
struct JSONItems {
    private static let elementByteCountMax = 32 << 20

    private let source: any EntrySource
    private let name: [UInt8]
    private var piece: [UInt8] = []
    private var at = 0
    private var depth = 0
    private var isInArray = false
    private var lastString: [UInt8] = []
    private(set) var isDone = false
    /// Elements that have begun.
    private(set) var number = 0
    private var lineFeedCount = 0

    enum Element {
        case value(JSONValue)
        case damaged
    }

    init(_ name: String, of source: any EntrySource) {
        self.name = Array(name.utf8)
        self.source = source
    }

    /// Tells a person which element was read last and where that ended.
    func place(_ word: String) -> [UInt8] {
        Array(
            "\(word) \(number), line \(1 + lineFeedCount + piece[..<at].reduce(0) { $0 + ($1 == 0x0A ? 1 : 0) })".utf8)
    }

    /// Returns the next element; nil after the last.
    ///
    /// - Throws: `malformedContainer` if the file is no JSON or lacks the array's end.
    mutating func next() throws(ImportFailure) -> Element? {
        guard !isDone else { return nil }
        if !isInArray { try findArray() }
        guard !isDone else { return nil }
        number += 1
        var element: [UInt8] = []
        var isTooLarge = false
        var (open, isQuoted, isEscaped) = (0, false, false)
        while true {
            guard let byte = try take() else { throw ImportFailure(.malformedContainer) }
            if isEscaped {
                isEscaped = false
            } else if isQuoted {
                isEscaped = byte == UInt8(ascii: "\\")
                isQuoted = byte != UInt8(ascii: "\"")
            } else {
                switch byte {
                case UInt8(ascii: "\""): isQuoted = true
                case UInt8(ascii: "{"), UInt8(ascii: "["): open += 1
                case UInt8(ascii: "}"), UInt8(ascii: "]"):
                    if open == 0 { isDone = true }
                    open -= 1
                default: break
                }
                if isDone || (open == 0 && byte == UInt8(ascii: ",")) { break }
            }
            if element.count < Self.elementByteCountMax { element.append(byte) } else { isTooLarge = true }
        }
        let isBlank = element.allSatisfy { $0 == 0x20 || $0 == 9 || $0 == 10 || $0 == 13 }
        if isDone, isBlank {
            number -= 1
            return nil
        }
        guard !isTooLarge, let value = JSONValue.parse(element) else { return .damaged }
        return .value(value)
    }

    /// Goes to the "[" behind the name, in the outermost object.
    private mutating func findArray() throws(ImportFailure) {
        var isFirst = true
        while let byte = try take() {
            switch byte {
            case 0x20, 9, 10, 13, 0xEF, 0xBB, 0xBF: continue
            case UInt8(ascii: "\""): lastString = try string()
            case UInt8(ascii: "["):
                if depth == 1, lastString == name {
                    isInArray = true
                    return
                }
                depth += 1
            case UInt8(ascii: "{"): depth += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
            case UInt8(ascii: ":"): break
            case UInt8(ascii: ","): lastString = []
            default: break
            }
            guard !isFirst || byte == UInt8(ascii: "{") else { break }
            isFirst = false
            if depth <= 0 { break }
        }
        throw ImportFailure(.malformedContainer)
    }

    /// Reads what stands in quotes, as far as a name can be long.
    private mutating func string() throws(ImportFailure) -> [UInt8] {
        var text: [UInt8] = []
        var isEscaped = false
        while let byte = try take() {
            if !isEscaped, byte == UInt8(ascii: "\"") { return text }
            isEscaped = !isEscaped && byte == UInt8(ascii: "\\")
            if text.count <= name.count { text.append(byte) }
        }
        throw ImportFailure(.malformedContainer)
    }

    private mutating func take() throws(ImportFailure) -> UInt8? {
        if at == piece.count {
            lineFeedCount += piece.reduce(0) { $0 + ($1 == 0x0A ? 1 : 0) }
            piece = try source.readPiece()
            at = 0
            if piece.isEmpty { return nil }
        }
        defer { at += 1 }
        return piece[at]
    }
}
