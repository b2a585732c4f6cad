// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import CExpat
internal import ParserProtocol

/// `MetadataParser` reads the metadata of an OPF file with expat: the elements within `metadata`, each with its
/// attributes and its text.
///
/// Names are told without prefixes, whatever those are bound to, and in lower case: every program binds them itself,
/// and some forget to. It is always UTF-8. A document type that declares something ends the file, so no entity exists
/// but XML's five and numbers; nothing is ever fetched.
@safe
final class MetadataParser {
    struct Element: Equatable {
        let name: String
        var attributes: [String: String]
        var text: [UInt8] = []

        var string: String { String(decoding: text, as: UTF8.self) }
    }

    /// The largest file, in bytes: calibre keeps columns of a person's own in it, and no pictures.
    static let byteCountMax = 4 << 20
    private static let sliceByteCount = 16 << 10
    private static let depthMax = 64
    static let elementCountMax = 4096
    private static let attributeCountMax = 64
    private static let growthMax: Float = 2
    private static let growthFreeByteCount: UInt64 = 64 << 10

    private let parser: OpaquePointer
    private var path: [String] = []
    private var fault: RefusedEntry.Reason?
    private(set) var elements: [Element] = []
    private(set) var isPackage = false
    /// Whether some elements were too many.
    private(set) var isCut = false
    private var isInElement: Bool { path.count > 2 && path[1] == "metadata" }

    private init?() {
        guard let parser = unsafe XML_ParserCreate("UTF-8") else { return nil }
        unsafe self.parser = parser
        _ = unsafe XML_SetParamEntityParsing(parser, XML_PARAM_ENTITY_PARSING_NEVER)
        _ = unsafe XML_SetBillionLaughsAttackProtectionMaximumAmplification(parser, Self.growthMax)
        _ = unsafe XML_SetBillionLaughsAttackProtectionActivationThreshold(parser, Self.growthFreeByteCount)
        unsafe XML_SetUserData(parser, Unmanaged.passUnretained(self).toOpaque())
        unsafe XML_SetElementHandler(
            parser, { client, name, attributes in unsafe MetadataParser.of(client)?.begin(name, attributes) },
            { client, _ in unsafe MetadataParser.of(client)?.end() })
        unsafe XML_SetCharacterDataHandler(parser) { client, bytes, count in
            unsafe MetadataParser.of(client)?.add(bytes, count)
        }
        unsafe XML_SetSkippedEntityHandler(parser) { client, _, _ in
            unsafe MetadataParser.of(client)?.stop(.declarations)
        }
        unsafe XML_SetStartDoctypeDeclHandler(parser) { client, _, _, _, hasDeclarations in
            if hasDeclarations != 0 { unsafe MetadataParser.of(client)?.stop(.declarations) }
        }
    }

    deinit { unsafe XML_ParserFree(parser) }

    /// Reads a file.
    ///
    /// - Throws: `damaged` for what is no XML or no OPF, `declarations`.
    static func elements(of bytes: [UInt8]) throws(Failure) -> (elements: [Element], isCut: Bool) {
        guard let parser = MetadataParser() else { throw Failure(reason: .damaged) }
        var rest = XMLCharacters.clean(bytes)[...]
        if rest.starts(with: [0xEF, 0xBB, 0xBF]) { rest = rest.dropFirst(3) }
        rest = rest.drop { $0 == 0x20 || $0 == 9 || $0 == 10 || $0 == 13 }
        while !rest.isEmpty, parser.fault == nil {
            parser.parse(Array(rest.prefix(sliceByteCount)))
            rest = rest.dropFirst(sliceByteCount)
        }
        if parser.fault == nil { parser.parse([]) }
        if let fault = parser.fault { throw Failure(reason: fault) }
        guard parser.isPackage else { throw Failure(reason: .damaged) }
        return (parser.elements, parser.isCut)
    }

    struct Failure: Error {
        let reason: RefusedEntry.Reason
    }

    private func parse(_ bytes: [UInt8]) {
        let status = unsafe bytes.withUnsafeBytes { bytes in
            unsafe XML_Parse(
                parser, bytes.baseAddress?.assumingMemoryBound(to: CChar.self), Int32(bytes.count),
                bytes.isEmpty ? 1 : 0)
        }
        guard status != XML_STATUS_OK, fault == nil else { return }
        fault = unsafe XML_GetErrorCode(parser) == XML_ERROR_UNDEFINED_ENTITY ? .declarations : .damaged
    }

    private func stop(_ reason: RefusedEntry.Reason) {
        guard fault == nil else { return }
        fault = reason
        _ = unsafe XML_StopParser(parser, 0)
    }

    private static func of(_ client: UnsafeMutableRawPointer?) -> MetadataParser? {
        guard let client = unsafe client else { return nil }
        return unsafe Unmanaged<MetadataParser>.fromOpaque(client).takeUnretainedValue()
    }

    private static func localName(_ name: String) -> String {
        (name.split(separator: ":").last.map(String.init) ?? name).lowercased()
    }

    private func begin(
        _ name: UnsafePointer<CChar>?, _ attributes: UnsafeMutablePointer<UnsafePointer<CChar>?>?
    ) {
        guard fault == nil, let name = unsafe name.map({ unsafe Self.localName(String(cString: $0)) }) else { return }
        guard path.count < Self.depthMax else { return stop(.damaged) }
        if path.isEmpty { isPackage = name == "package" }
        path.append(name)
        guard path.count == 3, path[1] == "metadata" else { return }
        guard elements.count < Self.elementCountMax else {
            isCut = true
            return
        }
        elements.append(Element(name: name, attributes: unsafe Self.attributes(attributes)))
    }

    /// Reads names and values in turn, and nil at the end.
    private static func attributes(_ list: UnsafeMutablePointer<UnsafePointer<CChar>?>?) -> [String: String] {
        var attributes: [String: String] = [:]
        guard var entry = unsafe list else { return attributes }
        while attributes.count < attributeCountMax, let key = unsafe entry.pointee.map({ unsafe String(cString: $0) }) {
            let value = unsafe entry.advanced(by: 1).pointee.map { unsafe String(cString: $0) }
            if let value { attributes[localName(key)] = value }
            unsafe entry = entry.advanced(by: 2)
        }
        return attributes
    }

    private func end() {
        // It is called for an empty element at whose start the parser was stopped.
        guard fault == nil, !path.isEmpty else { return }
        path.removeLast()
    }

    private func add(_ bytes: UnsafePointer<CChar>?, _ count: Int32) {
        guard fault == nil, isInElement, !isCut, !elements.isEmpty, let bytes = unsafe bytes else { return }
        unsafe elements[elements.count - 1].text.append(
            contentsOf: UnsafeRawBufferPointer(start: bytes, count: Int(count)))
    }
}
