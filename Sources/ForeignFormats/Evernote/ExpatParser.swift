// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import CExpat
internal import ParserProtocol

/// `ExpatParser` reads XML with expat, piece by piece, and collects what it says: tags without their attributes, and
/// texts.
///
/// A document type may name a definition, which is never fetched. One that declares something ends the file, so no
/// entity exists but XML's five and numbers. It is always UTF-8, whatever the file says. After the first fault nothing
/// more is read.
@safe
final class ExpatParser {
    enum Token: Equatable {
        case start(String)
        case end
        case text([UInt8])
    }

    struct Fault {
        let failure: ImportFailure
        /// What was given to the parser and not read, from the fault on.
        let rest: [UInt8]
        /// Counted from 1, which is where this parser began.
        let line: Int
        /// A tag or comment does not end: what it seems to hold is in `rest` too.
        var isOpen = false
    }

    private static let depthMax = 64
    /// Most bytes of a tag or comment: a longer one is a fault, before the parser has it whole.
    private static let tagByteCountMax = 256 << 10
    /// How much references may make the text grow. Without declarations nothing grows; these limits would end what
    /// does. A reference to one of XML's own characters counts as a quarter.
    private static let growthMax: Float = 2
    private static let growthFreeByteCount: UInt64 = 64 << 10

    private let parser: OpaquePointer
    private let item: String
    private var text: [UInt8] = []
    private var depth = 0
    private var isInItem = false
    private var fault: Fault?
    /// Bytes of a tag or comment that has not ended.
    private var openByteCount = 0
    private var hasAdvanced = false
    /// What has come since the caller last emptied it.
    var tokens: [Token] = []

    /// Makes a parser of expat that reads no entity from elsewhere.
    ///
    /// - Parameter item: the elements of the root that make up the file; the tag of one within another one is a fault
    ///   of that.
    /// - Returns: nil if there is no memory.
    init?(item: String) {
        guard let parser = unsafe XML_ParserCreate("UTF-8") else { return nil }
        unsafe self.parser = parser
        self.item = item
        _ = unsafe XML_SetParamEntityParsing(parser, XML_PARAM_ENTITY_PARSING_NEVER)
        _ = unsafe XML_SetBillionLaughsAttackProtectionMaximumAmplification(parser, Self.growthMax)
        _ = unsafe XML_SetBillionLaughsAttackProtectionActivationThreshold(parser, Self.growthFreeByteCount)
        unsafe XML_SetUserData(parser, Unmanaged.passUnretained(self).toOpaque())
        unsafe XML_SetElementHandler(
            parser, { client, name, _ in unsafe ExpatParser.of(client)?.begin(name) },
            { client, _ in unsafe ExpatParser.of(client)?.end() })
        unsafe XML_SetCharacterDataHandler(parser) { client, bytes, count in
            unsafe ExpatParser.of(client)?.add(bytes, count)
        }
        unsafe XML_SetDefaultHandler(parser) { client, _, _ in unsafe ExpatParser.of(client)?.hasAdvanced = true }
        unsafe XML_SetSkippedEntityHandler(parser) { client, _, _ in unsafe ExpatParser.of(client)?.stop(.declarations)
        }
        unsafe XML_SetStartDoctypeDeclHandler(parser) { client, _, _, _, hasDeclarations in
            if hasDeclarations != 0 { unsafe ExpatParser.of(client)?.stop(.declarations) }
        }
    }

    deinit { unsafe XML_ParserFree(parser) }

    /// Parses the next bytes of the file, and returns the first fault.
    ///
    /// - Parameter bytes: none at the end of the file.
    func parse(_ bytes: [UInt8]) -> Fault? {
        guard fault == nil else { return nil }
        hasAdvanced = false
        let status = unsafe bytes.withUnsafeBytes { bytes in
            unsafe XML_Parse(
                parser, bytes.baseAddress?.assumingMemoryBound(to: CChar.self), Int32(bytes.count),
                bytes.isEmpty ? 1 : 0)
        }
        flush()
        openByteCount = hasAdvanced ? 0 : openByteCount + bytes.count
        if status != XML_STATUS_OK {
            let isDeclaration =
                unsafe XML_GetErrorCode(parser) == XML_ERROR_UNDEFINED_ENTITY
                || (XML_GetErrorCode(parser) == XML_ERROR_INVALID_TOKEN && context().before.elementsEqual("<!".utf8))
            stop(isDeclaration ? .declarations : .malformedContainer)
        } else if openByteCount > Self.tagByteCountMax {
            // From where it was opened: the items in it are other ones.
            fault = Fault(
                failure: ImportFailure(.malformedContainer), rest: context().rest, line: line, isOpen: true)
        }
        return fault
    }

    /// Stops the parser at a fault; the first one counts. Within a call of expat's its place is that of the tag or
    /// reference that is told.
    private func stop(_ reason: RefusedEntry.Reason) {
        guard fault == nil else { return }
        fault = Fault(failure: ImportFailure(reason), rest: context().rest, line: line)
        _ = unsafe XML_StopParser(parser, 0)
    }

    private var line: Int { Int(clamping: unsafe XML_GetCurrentLineNumber(parser)) }

    /// Returns the two bytes before the place of a fault, and all that follow it.
    private func context() -> (before: [UInt8], rest: [UInt8]) {
        var (offset, count) = (Int32(0), Int32(0))
        guard let start = unsafe XML_GetInputContext(parser, &offset, &count), offset >= 0, count >= offset else {
            return ([], [])
        }
        let bytes = unsafe UnsafeRawBufferPointer(start: start, count: Int(count))
        let at = Int(offset)
        return unsafe (Array(bytes[max(0, at - 2)..<at]), Array(bytes[at...]))
    }

    private static func of(_ client: UnsafeMutableRawPointer?) -> ExpatParser? {
        guard let client = unsafe client else { return nil }
        return unsafe Unmanaged<ExpatParser>.fromOpaque(client).takeUnretainedValue()
    }

    private func flush() {
        if !text.isEmpty { tokens.append(.text(text)) }
        text = []
    }

    private func begin(_ name: UnsafePointer<CChar>?) {
        guard fault == nil, let name = unsafe name.map({ unsafe String(cString: $0) }) else { return }
        hasAdvanced = true
        flush()
        guard depth < Self.depthMax, !isInItem || name != item else { return stop(.malformedContainer) }
        if depth == 1, name == item { isInItem = true }
        depth += 1
        tokens.append(.start(name))
    }

    private func end() {
        // It is called for an empty element at whose start the parser was stopped.
        guard fault == nil else { return }
        hasAdvanced = true
        flush()
        depth -= 1
        if depth == 1 { isInItem = false }
        tokens.append(.end)
    }

    private func add(_ bytes: UnsafePointer<CChar>?, _ count: Int32) {
        guard fault == nil, let bytes = unsafe bytes else { return }
        hasAdvanced = true
        unsafe text.append(contentsOf: UnsafeRawBufferPointer(start: bytes, count: Int(count)))
    }
}
