// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// `XMLTokenizer` reads the tags of an XML document, as far as a drawing needs them: no entities but XML's five, no
/// declarations, nothing that refers to another file. Text between tags is checked and passed over.
///
/// It is written here, not taken from a library: the confined process needs neither a tree nor a validator, and every
/// feature that is not there cannot be misused. It reads each byte a bounded number of times.
struct XMLTokenizer {
    static let depthMax = 64
    private static let elementCountMax = 250_000

    var cursor: XMLCursor
    private var open: [String] = []
    private var elementCount = 0

    /// Takes the bytes of a document, and checks that they are text.
    ///
    /// - Throws: `SketchError`: `notText` for bytes that are not UTF-8 or hold control characters.
    init(_ bytes: [UInt8]) throws(SketchError) {
        if let bad = bytes.firstIndex(where: { $0 < 0x20 && $0 != 9 && $0 != 10 && $0 != 13 }) {
            throw SketchError(.notText, offset: bad)
        }
        guard String(validating: bytes, as: UTF8.self) != nil else { throw SketchError(.notText) }
        cursor = XMLCursor(bytes)
        _ = cursor.take("\u{FEFF}")
    }

    /// Returns the next tag; nil after the root's end, when nothing but comments and space follows.
    mutating func next() throws(SketchError) -> XMLToken? {
        while true {
            try skipText()
            guard !cursor.isAtEnd else {
                guard open.isEmpty, elementCount > 0 else { throw cursor.error(.malformed) }
                return nil
            }
            if cursor.take("<!--") {
                try cursor.skip(past: "-->")
            } else if cursor.take("<?") {
                let isStyleSheet = cursor.take("xml-stylesheet")
                try cursor.skip(past: "?>")
                if isStyleSheet { return .styleSheet }
            } else if cursor.take("<![CDATA[") {
                guard !open.isEmpty else { throw cursor.error(.malformed) }
                try cursor.skip(past: "]]>")
            } else if cursor.take("<!DOCTYPE") {
                try skipDocumentType()
            } else if cursor.take("</") {
                return try endTag()
            } else {
                return .start(try startTag())
            }
        }
    }

    private mutating func skipText() throws(SketchError) {
        while let byte = cursor.peek, byte != UInt8(ascii: "<") {
            if byte == UInt8(ascii: "&") {
                _ = try cursor.reference()
            } else {
                guard !open.isEmpty || XMLCursor.isSpace(byte) else { throw cursor.error(.malformed) }
                cursor.advance()
            }
        }
    }

    /// Skips a document type. One that names a definition is passed over, and the definition never fetched; one that
    /// declares is refused.
    private mutating func skipDocumentType() throws(SketchError) {
        guard elementCount == 0 else { throw cursor.error(.malformed) }
        var quote: UInt8?
        while let byte = cursor.peek {
            if let open = quote {
                if byte == open { quote = nil }
            } else if byte == UInt8(ascii: "[") || byte == UInt8(ascii: "<") {
                throw cursor.error(.declarations)
            } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
                quote = byte
            }
            cursor.advance()
            if quote == nil, byte == UInt8(ascii: ">") { return }
        }
        throw cursor.error(.malformed)
    }

    private mutating func endTag() throws(SketchError) -> XMLToken {
        let name = try cursor.name()
        cursor.skipSpace()
        guard cursor.take(">"), open.popLast() == name else { throw cursor.error(.malformed) }
        return .end
    }

    private mutating func startTag() throws(SketchError) -> XMLElement {
        guard cursor.take("<"), !open.isEmpty || elementCount == 0 else { throw cursor.error(.malformed) }
        elementCount += 1
        guard elementCount <= Self.elementCountMax else { throw cursor.error(.tooManyElements) }
        let name = try cursor.name()
        var attributes: [String: [UInt8]] = [:]
        while true {
            let hadSpace = cursor.skipSpace()
            if cursor.take("/>") { return XMLElement(name: name, attributes: attributes, isEmpty: true) }
            if cursor.take(">") { break }
            guard hadSpace else { throw cursor.error(.malformed) }
            let key = try cursor.name()
            guard attributes.count < XMLElement.attributeCountMax else { throw cursor.error(.tooManyAttributes) }
            cursor.skipSpace()
            guard cursor.take("=") else { throw cursor.error(.malformed) }
            cursor.skipSpace()
            guard attributes.updateValue(try cursor.quotedValue(), forKey: key) == nil else {
                throw cursor.error(.malformed)
            }
        }
        guard open.count < Self.depthMax else { throw cursor.error(.tooDeep) }
        open.append(name)
        return XMLElement(name: name, attributes: attributes, isEmpty: false)
    }
}

/// `XMLElement` is a start tag.
struct XMLElement {
    fileprivate static let attributeCountMax = 256

    /// With its prefix, as written.
    let name: String
    let attributes: [String: [UInt8]]
    /// Written as `<name/>`.
    let isEmpty: Bool

    func text(_ attribute: String) -> String? { attributes[attribute].map { String(decoding: $0, as: UTF8.self) } }
}

enum XMLToken {
    case start(XMLElement)
    case end
    /// An `<?xml-stylesheet …?>`; other instructions mean nothing here.
    case styleSheet
}
