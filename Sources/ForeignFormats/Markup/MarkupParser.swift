// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import CXML2

/// Reads HTML or ENML with libxml2, whatever its state, and hands out tags and texts. No tree is built.
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
    /// A tag, comment, instruction or document type that nothing closes, or a character that is none.
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

    /// To be called while other files can still be opened: the library sets itself up once.
    static func prepare() -> Bool { parse(Array("<p>".utf8)) { _ in } }

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

    /// Names and values in turn, and nil at the end.
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
