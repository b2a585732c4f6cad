// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import ForeignRecords

/// The tags and texts of an XML file that may be larger than memory: strict, and only what Evernote writes.
///
/// No entities but XML's five and numbers, no declarations: a document type may name a definition, which is never fetched.
/// Texts come in pieces. Each byte is looked at once.
struct XMLStream {
    enum Token: Equatable {
        case start(String, [String: String])
        case end(String)
        case text([UInt8])
    }

    static let depthMax = 64
    private static let textByteCountMax = 64 << 10
    private static let nameByteCountMax = 256
    private static let valueByteCountMax = 64 << 10
    private static let attributeCountMax = 64
    private static let tailByteCount = 512
    private static let spaceByteCountMax = 256
    private static let cdataMark = Array("![CDATA[".utf8)
    /// What follows the first half of "]]>" where that stands in a text: the second half, in a section of its own.
    private static let splitMark = Array("<![CDATA[>".utf8)

    private let source: any EntrySource
    private var piece: [UInt8] = []
    private var at = 0
    private var open: [String] = []
    /// The end of an element that was written as `<name/>`.
    private var pendingEnd: String?
    private var isInCDATA = false
    /// Whether the section has another one in it, which XML forbids and Evernote writes.
    private var isNested = false
    private var sawRoot = false
    /// Line feeds in the pieces before this one.
    private var lineFeedCount = 0
    /// The last bytes of the file, once it has ended.
    private var tail: [UInt8] = []

    init(_ source: any EntrySource) { self.source = source }

    /// - Throws: `malformedContainer`, `declarations`.
    mutating func next() throws(ImportFailure) -> Token? {
        if let name = pendingEnd {
            pendingEnd = nil
            return .end(name)
        }
        while true {
            if isInCDATA {
                let text = try cdata()
                if !text.isEmpty { return .text(text) }
                continue
            }
            guard let byte = try peek() else {
                guard open.isEmpty, sawRoot, !source.isCutShort else { throw malformed }
                return nil
            }
            if byte != UInt8(ascii: "<") {
                let text = try text()
                if !open.isEmpty { return .text(text) }
                guard text.allSatisfy({ Self.isSpace($0) || [0xEF, 0xBB, 0xBF].contains($0) }) else { throw malformed }
                continue
            }
            at += 1
            switch try require() {
            case UInt8(ascii: "?"): try skip(past: "?>")
            case UInt8(ascii: "!"): try declaration()
            case UInt8(ascii: "/"): return try endTag()
            case let first: return try startTag(first)
            }
        }
    }

    private var malformed: ImportFailure { ImportFailure(.malformedContainer) }

    /// Where the parser stands, for a person.
    var line: Int { 1 + lineFeedCount + Self.lineFeedCount(piece[..<at]) }

    /// Goes to the next element of this name, wherever it stopped before, and takes the elements around it for open.
    ///
    /// - Returns: false when there is none.
    mutating func recover(at name: String, in open: [String]) throws(ImportFailure) -> Bool {
        reset(open: open)
        let mark = Array("<\(name)".utf8)
        while try hold(mark.count + 1) {
            if piece[at...].starts(with: mark), piece[at + mark.count] == UInt8(ascii: ">") || Self.isSpace(piece[at + mark.count]) { return true }
            at = piece[(at + 1)...].firstIndex(of: UInt8(ascii: "<")) ?? piece.count
        }
        tail = Array((tail + piece).suffix(Self.tailByteCount))
        at = piece.count
        return false
    }

    /// Goes on as if these elements were open.
    mutating func reset(open: [String]) { (isInCDATA, isNested, pendingEnd, self.open) = (false, false, nil, open) }

    /// Whether a file that was read to its end closes this element with its last bytes.
    func ends(with name: String) -> Bool {
        guard !source.isCutShort else { return false }
        var rest = tail[...]
        while let last = rest.last, Self.isSpace(last) { rest.removeLast() }
        return rest.suffix(name.utf8.count + 3).elementsEqual("</\(name)>".utf8)
    }

    /// Makes this many bytes available; false when the file has fewer left.
    private mutating func hold(_ count: Int) throws(ImportFailure) -> Bool {
        while piece.count - at < count {
            let more = try source.readPiece()
            guard !more.isEmpty else { return false }
            tail = Array((tail + piece[..<at]).suffix(Self.tailByteCount))
            lineFeedCount += Self.lineFeedCount(piece[..<at])
            piece = Array(piece[at...]) + more
            at = 0
        }
        return true
    }

    private static func lineFeedCount(_ bytes: some Sequence<UInt8>) -> Int { bytes.reduce(0) { $0 + ($1 == 0x0A ? 1 : 0) } }

    private mutating func peek() throws(ImportFailure) -> UInt8? {
        if at == piece.count { _ = try hold(1) }
        return at < piece.count ? piece[at] : nil
    }

    private mutating func require() throws(ImportFailure) -> UInt8 {
        guard let byte = try peek() else { throw malformed }
        at += 1
        return byte
    }

    private mutating func text() throws(ImportFailure) -> [UInt8] {
        var result: [UInt8] = []
        while result.count < Self.textByteCountMax, let byte = try peek(), byte != UInt8(ascii: "<") {
            at += 1
            if byte == UInt8(ascii: "&") { result += try reference() } else { result.append(byte) }
        }
        return result
    }

    private mutating func reference() throws(ImportFailure) -> [UInt8] {
        var name: [UInt8] = []
        while true {
            let byte = try require()
            if byte == UInt8(ascii: ";") { break }
            name.append(byte)
            guard name.count <= 12 else { throw malformed }
        }
        let text = String(decoding: name, as: UTF8.self)
        guard text != "nbsp", let scalar = MarkupReference.scalar(text) else { throw ImportFailure(.declarations) }
        return Array(String(Character(scalar)).utf8)
    }

    private mutating func cdata() throws(ImportFailure) -> [UInt8] {
        var result: [UInt8] = []
        var brackets = 0
        while result.count < Self.textByteCountMax || brackets > 0 {
            let byte = try require()
            if byte == UInt8(ascii: "]") {
                brackets += 1
                // Of many brackets only the last two can belong to the end.
                if brackets > 2 {
                    result.append(byte)
                    brackets = 2
                }
                continue
            }
            if byte == UInt8(ascii: ">"), brackets == 2 {
                if isNested, try !endsHere() {
                    result += "]]>".utf8
                    brackets = 0
                    continue
                }
                (isInCDATA, isNested) = (false, false)
                return result
            }
            result += [UInt8](repeating: UInt8(ascii: "]"), count: brackets)
            brackets = 0
            result.append(byte)
            if byte == UInt8(ascii: "<"), !isNested, try hold(Self.cdataMark.count) { isNested = piece[at...].starts(with: Self.cdataMark) }
        }
        return result
    }

    /// Of a section with another one in it, the end is the one that stands before the element's own end, or where "]]>" was parted in two.
    private mutating func endsHere() throws(ImportFailure) -> Bool {
        let end = Array("</\(open.last ?? "")".utf8)
        var count = 0
        while try hold(count + 1), Self.isSpace(piece[at + count]), count < Self.spaceByteCountMax { count += 1 }
        _ = try hold(count + max(end.count, Self.splitMark.count))
        let rest = piece[(at + count)...]
        return rest.isEmpty || rest.starts(with: end) || rest.starts(with: Self.splitMark)
    }

    private mutating func declaration() throws(ImportFailure) {
        switch try require() {
        case UInt8(ascii: "-"):
            guard try require() == UInt8(ascii: "-") else { throw malformed }
            try skip(past: "-->")
        case UInt8(ascii: "["):
            for expected in "CDATA[".utf8 { guard try require() == expected else { throw malformed } }
            guard !open.isEmpty else { throw malformed }
            isInCDATA = true
        case UInt8(ascii: "D"):
            for expected in "OCTYPE".utf8 { guard try require() == expected else { throw malformed } }
            guard !sawRoot else { throw malformed }
            try documentType()
        default: throw ImportFailure(.declarations)
        }
    }

    private mutating func documentType() throws(ImportFailure) {
        var quote: UInt8?
        while true {
            let byte = try require()
            if let open = quote {
                if byte == open { quote = nil }
            } else if byte == UInt8(ascii: "[") || byte == UInt8(ascii: "<") {
                throw ImportFailure(.declarations)
            } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
                quote = byte
            } else if byte == UInt8(ascii: ">") {
                return
            }
        }
    }

    private mutating func skip(past end: String) throws(ImportFailure) {
        let mark = Array(end.utf8)
        var last: [UInt8] = []
        while last != mark {
            if last.count == mark.count { last.removeFirst() }
            last.append(try require())
        }
    }

    private mutating func endTag() throws(ImportFailure) -> Token {
        let name = try name(first: try require())
        try skipSpace()
        guard try require() == UInt8(ascii: ">"), open.popLast() == name else { throw malformed }
        return .end(name)
    }

    private mutating func startTag(_ first: UInt8) throws(ImportFailure) -> Token {
        guard !open.isEmpty || !sawRoot, open.count < Self.depthMax else { throw malformed }
        sawRoot = true
        let name = try name(first: first)
        var attributes: [String: String] = [:]
        while true {
            try skipSpace()
            let byte = try require()
            if byte == UInt8(ascii: ">") {
                open.append(name)
                return .start(name, attributes)
            }
            if byte == UInt8(ascii: "/") {
                guard try require() == UInt8(ascii: ">") else { throw malformed }
                pendingEnd = name
                return .start(name, attributes)
            }
            let key = try self.name(first: byte)
            try skipSpace()
            guard try require() == UInt8(ascii: "=") else { throw malformed }
            try skipSpace()
            guard attributes.count < Self.attributeCountMax, attributes.updateValue(try value(), forKey: key) == nil else { throw malformed }
        }
    }

    private mutating func name(first: UInt8) throws(ImportFailure) -> String {
        var name = [first]
        while let byte = try peek(), !Self.isSpace(byte), !"=/><\"'&?!".utf8.contains(byte) {
            at += 1
            name.append(byte)
            guard name.count <= Self.nameByteCountMax else { throw malformed }
        }
        guard !"=/><\"'&?! \t\r\n".utf8.contains(first) else { throw malformed }
        return String(decoding: name, as: UTF8.self)
    }

    private mutating func value() throws(ImportFailure) -> String {
        let quote = try require()
        guard quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else { throw malformed }
        var value: [UInt8] = []
        while true {
            let byte = try require()
            if byte == quote { return String(decoding: value, as: UTF8.self) }
            guard byte != UInt8(ascii: "<"), value.count < Self.valueByteCountMax else { throw malformed }
            if byte == UInt8(ascii: "&") { value += try reference() } else { value.append(byte) }
        }
    }

    private mutating func skipSpace() throws(ImportFailure) {
        while let byte = try peek(), Self.isSpace(byte) { at += 1 }
    }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 9 || byte == 10 || byte == 13 }
}
