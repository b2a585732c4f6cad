// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import CXML2

/// `MarkupParser` reads HTML or ENML with libxml2, whatever its state, and hands out tags and texts. No tree is built.
///
/// All of it is given at once and not in pieces: what libxml2 2.9 makes of a text depends on where its pieces end. It
/// is UTF-8, whatever the text says of itself, since other converters are files.
@safe
final class MarkupParser {
    enum Token: Equatable {
        case start(name: String, attributes: [String: String])
        case end(name: String)
        /// The end of an element that is not open.
        case strayEnd(name: String)
        case text([UInt8])
    }

    /// Deeper elements end the reading: the library looks through all open ones at each end.
    private static let depthMax = 256
    private static let attributeCountMax = 64
    /// Longer values are data, which an attachment ought to hold.
    private static let attributeByteCountMax = 64 << 10
    private static let options = [
        HTML_PARSE_RECOVER, HTML_PARSE_NOERROR, HTML_PARSE_NOWARNING, HTML_PARSE_NONET, HTML_PARSE_IGNORE_ENC,
    ]
    /// A tag, comment, instruction or document type that nothing closes, or what is not a character of XML.
    private static let damage: Set<UInt32> = [
        XML_ERR_NO_MEMORY.rawValue, XML_ERR_INVALID_CHAR.rawValue, XML_ERR_ATTRIBUTE_NOT_FINISHED.rawValue,
        XML_ERR_COMMENT_NOT_FINISHED.rawValue,
        XML_ERR_PI_NOT_FINISHED.rawValue, XML_ERR_DOCTYPE_NOT_FINISHED.rawValue, XML_ERR_GT_REQUIRED.rawValue,
    ]

    private let receive: (Token) -> Void
    private var context: htmlParserCtxtPtr?
    private var depth = 0
    private var isDamaged = false
    /// Whether the reading was ended; the library still reports the ends of what is open.
    private var isStopped = false

    private init(_ receive: @escaping (Token) -> Void) { self.receive = receive }

    /// Sets the library up; must be called while other files can still be opened: the library sets itself up once.
    static func prepare() -> Bool { parse(Array("<p>".utf8)) { _ in } }

    /// Reads a text and hands its tags and texts to `receive`.
    ///
    /// - Returns: whether all of it could be read as it was meant.
    static func parse(_ bytes: [UInt8], _ receive: @escaping (Token) -> Void) -> Bool {
        let input = MarkupInput(bytes)
        let parser = MarkupParser(receive)
        return parser.parse(input.bytes) && !input.isDamaged
    }

    private func parse(_ bytes: [UInt8]) -> Bool {
        guard !bytes.isEmpty else { return true }
        guard let context = unsafe htmlNewParserCtxt(), let length = Int32(exactly: bytes.count) else { return false }
        unsafe self.context = context
        defer {
            unsafe htmlFreeParserCtxt(context)
            unsafe self.context = nil
        }
        unsafe context.pointee.sax.pointee = Self.handler
        unsafe context.pointee.userData = Unmanaged.passUnretained(self).toOpaque()
        let options = Int32(bitPattern: Self.options.reduce(0) { $0 | $1.rawValue })
        let tree = unsafe bytes.withUnsafeBytes { bytes in
            unsafe htmlCtxtReadMemory(
                context, bytes.baseAddress?.assumingMemoryBound(to: CChar.self), length, nil, "UTF-8", options)
        }
        if let tree = unsafe tree { unsafe xmlFreeDoc(tree) }
        return !isDamaged
    }

    /// What is not named here is passed over: documents, comments, instructions.
    private static var handler: htmlSAXHandler {
        var handler = unsafe htmlSAXHandler()
        unsafe handler.initialized = UInt32(XML_SAX2_MAGIC)
        unsafe handler.startElement = { client, name, attributes in
            unsafe MarkupParser.of(client)?.begin(name, attributes)
        }
        unsafe handler.endElement = { client, name in unsafe MarkupParser.of(client)?.end(name) }
        unsafe handler.characters = { client, bytes, count in unsafe MarkupParser.of(client)?.add(bytes, count) }
        unsafe handler.ignorableWhitespace = { client, bytes, count in unsafe MarkupParser.of(client)?.add(bytes, count)
        }
        unsafe handler.cdataBlock = { client, bytes, count in unsafe MarkupParser.of(client)?.add(bytes, count) }
        unsafe handler.serror = { client, error in
            guard let error = unsafe error?.pointee else { return }
            unsafe MarkupParser.of(client)?.meet(UInt32(bitPattern: error.code), error.str1)
        }
        return unsafe handler
    }

    private static func of(_ client: UnsafeMutableRawPointer?) -> MarkupParser? {
        guard let client = unsafe client else { return nil }
        return unsafe Unmanaged<MarkupParser>.fromOpaque(client).takeUnretainedValue()
    }

    private func begin(_ name: UnsafePointer<xmlChar>?, _ list: UnsafeMutablePointer<UnsafePointer<xmlChar>?>?) {
        guard !isStopped, let name = unsafe Self.text(name) else { return }
        depth += 1
        guard depth <= Self.depthMax else {
            (isStopped, isDamaged) = (true, true)
            unsafe xmlStopParser(context)
            return
        }
        receive(.start(name: name, attributes: unsafe Self.attributes(list)))
    }

    /// Reads names and values in turn, and nil at the end.
    private static func attributes(_ list: UnsafeMutablePointer<UnsafePointer<xmlChar>?>?) -> [String: String] {
        var attributes: [String: String] = [:]
        guard var entry = unsafe list else { return attributes }
        while attributes.count < attributeCountMax, let key = unsafe text(entry.pointee) {
            let value = unsafe text(entry.advanced(by: 1).pointee) ?? ""
            attributes[key] = value.utf8.count <= attributeByteCountMax ? value : ""
            unsafe entry = entry.advanced(by: 2)
        }
        return attributes
    }

    private func end(_ name: UnsafePointer<xmlChar>?) {
        guard !isStopped, let name = unsafe Self.text(name) else { return }
        depth -= 1
        receive(.end(name: name))
    }

    private func add(_ bytes: UnsafePointer<xmlChar>?, _ count: Int32) {
        guard !isStopped, let bytes = unsafe bytes, count > 0 else { return }
        receive(.text(unsafe Array(UnsafeBufferPointer(start: bytes, count: Int(count)))))
    }

    private func meet(_ code: UInt32, _ name: UnsafeMutablePointer<CChar>?) {
        if Self.damage.contains(code) { isDamaged = true }
        guard code == XML_ERR_TAG_NAME_MISMATCH.rawValue, let name = unsafe name else { return }
        receive(.strayEnd(name: unsafe String(cString: name)))
    }

    private static func text(_ bytes: UnsafePointer<xmlChar>?) -> String? {
        guard let bytes = unsafe bytes else { return nil }
        return unsafe String(cString: bytes)
    }
}

/// `MarkupInput` makes HTML or ENML fit for a library that reads HTML as it was in 1999.
///
/// - A CDATA section, which ENML has and HTML does not, becomes the text that it stands for.
/// - `&#…;` that names no character stays as it stands; the library would drop it.
/// - A tag with more than a thousand attributes loses them: the library compares each with all before it.
private struct MarkupInput {
    private static let sectionMark = Array("<![CDATA[".utf8)
    private static let sectionEnd = Array("]]>".utf8)
    private static let referenceByteCountMax = 12
    /// Blanks and quotes in a tag, of which each attribute has one at least.
    private static let separatorCountMax = 1024
    /// What follows is cut: a reference may take five bytes for one.
    private static let byteCountMax = 64 << 20

    private(set) var bytes: [UInt8] = []
    /// A section that nothing closes, a tag that lost its attributes, or more than may be.
    private(set) var isDamaged = false
    /// Up to here tags are known to be short.
    private var shortTagsEnd = 0

    init(_ text: [UInt8]) {
        let text = XMLCharacters.clean(text)[...]
        bytes.reserveCapacity(text.count)
        var at = text.startIndex
        while at < text.endIndex {
            isDamaged = isDamaged || bytes.count > Self.byteCountMax
            guard bytes.count <= Self.byteCountMax else { return }
            let next = text[at...].firstIndex { $0 == UInt8(ascii: "<") || $0 == UInt8(ascii: "&") } ?? text.endIndex
            bytes += text[at..<next]
            at = next
            guard at < text.endIndex else { return }
            let rest = text[at...]
            if rest.starts(with: Self.sectionMark) {
                at = takeSection(rest.dropFirst(Self.sectionMark.count))
            } else if text[at] == UInt8(ascii: "<") {
                at = takeTag(rest)
            } else {
                bytes += Self.isKept(rest) ? Array("&".utf8) : Array("&amp;".utf8)
                at += 1
            }
        }
    }

    /// Takes a CDATA section as text.
    ///
    /// - Returns: where the text goes on.
    private mutating func takeSection(_ rest: ArraySlice<UInt8>) -> Int {
        var end = rest.startIndex
        while let bracket = rest[end...].firstIndex(of: UInt8(ascii: "]")),
            !rest[bracket...].starts(with: Self.sectionEnd)
        { end = bracket + 1 }
        end = rest[end...].firstIndex(of: UInt8(ascii: "]")) ?? rest.endIndex
        if end == rest.endIndex { isDamaged = true }
        for byte in rest[..<end] where bytes.count <= Self.byteCountMax {
            switch byte {
            case UInt8(ascii: "<"): bytes += "&lt;".utf8
            case UInt8(ascii: "&"): bytes += "&amp;".utf8
            default: bytes.append(byte)
            }
        }
        return min(end + Self.sectionEnd.count, rest.endIndex)
    }

    private mutating func takeTag(_ rest: ArraySlice<UInt8>) -> Int {
        var (at, separatorCount) = (rest.startIndex + 1, 0)
        let isTag = at < rest.endIndex && at >= shortTagsEnd && Self.isLetter(rest[at])
        while isTag, at < rest.endIndex, rest[at] != UInt8(ascii: ">"), separatorCount <= Self.separatorCountMax {
            if rest[at] <= 0x20 || rest[at] == UInt8(ascii: "\"") || rest[at] == UInt8(ascii: "'") {
                separatorCount += 1
            }
            at += 1
        }
        guard separatorCount > Self.separatorCountMax else {
            if isTag { shortTagsEnd = at }
            bytes.append(rest[rest.startIndex])
            return rest.startIndex + 1
        }
        isDamaged = true
        bytes += rest.prefix { $0 > 0x20 && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "'") }
        return rest[at...].firstIndex(of: UInt8(ascii: ">")) ?? rest.endIndex
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
    }

    /// Returns whether an "&" begins what the library knows, or what it leaves alone.
    private static func isKept(_ rest: ArraySlice<UInt8>) -> Bool {
        let name = rest.dropFirst()
        guard name.first == UInt8(ascii: "#") else { return true }
        guard let end = name.prefix(referenceByteCountMax).firstIndex(of: UInt8(ascii: ";")) else { return false }
        return isCharacter(String(decoding: name[..<end].dropFirst(), as: UTF8.self))
    }

    private static func isCharacter(_ digits: String) -> Bool {
        let isHexadecimal = digits.hasPrefix("x") || digits.hasPrefix("X")
        let value = digits.dropFirst(isHexadecimal ? 1 : 0)
        guard value.allSatisfy(\.isHexDigit), let number = UInt32(value, radix: isHexadecimal ? 16 : 10),
            number >= 0x20 || number == 9 || number == 10 || number == 13, !(0x7F...0x9F).contains(number)
        else { return false }
        return Unicode.Scalar(number) != nil
    }
}
