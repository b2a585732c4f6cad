// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import CExpat
internal import Glibc

/// `XMLReader` reads a server's XML with expat as it arrives, and tells texts of elements by their local names. Nothing
/// is kept but the path of names and one short text.
///
/// A document type ends it, whatever is in it: no entity exists but XML's five and numbers.
@safe
final class XMLReader {
    /// The longest text that is told, in bytes: S3's token and a path.
    private static let textByteCountMax = 4096
    private static let depthMax = 32
    private static let nameByteCountMax = 256
    /// Most bytes of a tag or text, which expat keeps whole before it tells it: an attribute without end would fill the
    /// memory.
    private static let openByteCountMax = 64 << 10

    private let parser: OpaquePointer
    /// Gets the names of the open elements, outermost first, and the text of the innermost, when it ends.
    private let tell: ([String], [UInt8]) -> Bool
    private var path: [String] = []
    private var text: [UInt8] = []
    private var openByteCount = 0
    private var hasAdvanced = false
    private(set) var isBroken = false

    /// Makes a reader that loads no external entity, and ends at a document type; nil if expat gives no parser.
    ///
    /// - Parameter tell: says no to end the reading.
    init?(_ tell: @escaping ([String], [UInt8]) -> Bool) {
        guard let parser = unsafe XML_ParserCreateNS(nil, 10) else { return nil }
        unsafe self.parser = parser
        self.tell = tell
        _ = unsafe XML_SetParamEntityParsing(parser, XML_PARAM_ENTITY_PARSING_NEVER)
        unsafe XML_SetUserData(parser, Unmanaged.passUnretained(self).toOpaque())
        unsafe XML_SetElementHandler(
            parser, { client, name, _ in unsafe XMLReader.of(client)?.begin(name) },
            { client, _ in unsafe XMLReader.of(client)?.end() })
        unsafe XML_SetCharacterDataHandler(parser) { client, bytes, count in
            unsafe XMLReader.of(client)?.add(bytes, count)
        }
        unsafe XML_SetDefaultHandler(parser) { client, _, _ in unsafe XMLReader.of(client)?.hasAdvanced = true }
        unsafe XML_SetStartDoctypeDeclHandler(parser) { client, _, _, _, _ in unsafe XMLReader.of(client)?.stop() }
    }

    deinit { unsafe XML_ParserFree(parser) }

    /// Reads the next piece; returns false once anything was wrong, and tells nothing more then.
    func read(_ bytes: UnsafeRawBufferPointer, isLast: Bool = false) -> Bool {
        guard !isBroken, bytes.count <= Int(Int32.max) else { return false }
        hasAdvanced = false
        let status = unsafe XML_Parse(
            parser, bytes.baseAddress?.assumingMemoryBound(to: CChar.self), Int32(bytes.count), isLast ? 1 : 0)
        openByteCount = hasAdvanced ? 0 : openByteCount + bytes.count
        if status != XML_STATUS_OK || openByteCount > Self.openByteCountMax { isBroken = true }
        return !isBroken
    }

    /// Ends the document; returns whether it was whole.
    func finish() -> Bool { unsafe read(UnsafeRawBufferPointer(start: nil, count: 0), isLast: true) }

    private static func of(_ client: UnsafeMutableRawPointer?) -> XMLReader? {
        guard let client = unsafe client else { return nil }
        return unsafe Unmanaged<XMLReader>.fromOpaque(client).takeUnretainedValue()
    }

    private func stop() {
        isBroken = true
        _ = unsafe XML_StopParser(parser, 0)
    }

    private func begin(_ name: UnsafePointer<CChar>?) {
        hasAdvanced = true
        guard !isBroken, let name = unsafe name, path.count < Self.depthMax,
            unsafe strnlen(name, Self.nameByteCountMax + 1) <= Self.nameByteCountMax
        else { return stop() }
        // Its namespace, a line feed, its local name.
        let whole = unsafe String(cString: name)
        path.append(whole.split(separator: "\n").last.map(String.init) ?? "")
        text = []
    }

    private func end() {
        hasAdvanced = true
        // It is called for an empty element at whose start the parser was stopped.
        guard !isBroken, !path.isEmpty else { return }
        if !tell(path, text) { return stop() }
        path.removeLast()
        text = []
    }

    private func add(_ bytes: UnsafePointer<CChar>?, _ count: Int32) {
        hasAdvanced = true
        guard !isBroken, let bytes = unsafe bytes, count > 0 else { return }
        guard text.count + Int(count) <= Self.textByteCountMax else { return stop() }
        unsafe text.append(contentsOf: UnsafeRawBufferPointer(start: bytes, count: Int(count)))
    }
}
