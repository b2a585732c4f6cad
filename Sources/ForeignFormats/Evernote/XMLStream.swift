// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import ParserProtocol

/// `XMLStream` gives the tags and texts of an XML file that may be larger than memory and that holds many items of one
/// name in its root.
///
/// expat stops at the first fault. `recover` begins again at the next item, with a parser of its own, so that a bad
/// item costs no other.
final class XMLStream {
    private static let sliceByteCount = 16 << 10
    private static let tailByteCount = 512
    /// Tags and comments without an end, of which each is read twice, before the rest of the file is given up.
    private static let openCountMax = 16

    private let source: any EntrySource
    private let root: String
    private let item: String
    private var parser: ExpatParser?
    private var characters = XMLCharacters()
    private var sections = NestedSections()
    /// What was read of the file and not parsed.
    private var bytes: [UInt8] = []
    private var tokens: ArraySlice<ExpatParser.Token> = []
    private var failure: ImportFailure?
    private var hasBegun = false
    private var isAtEnd = false
    private var isFinished = false
    /// The line at which the parser began.
    private var firstLine = 1
    private var openCount = 0
    /// The line of the last fault, for a person.
    private(set) var line = 1

    init(_ source: any EntrySource, root: String, item: String) {
        self.source = source
        self.root = root
        self.item = item
    }

    /// Returns the next tag or text; nil at the end.
    ///
    /// - Throws: `malformedContainer`, `declarations`, after all that stands before the fault.
    func next() throws(ImportFailure) -> ExpatParser.Token? {
        while true {
            if let token = tokens.popFirst() { return token }
            if let failure { throw failure }
            if isFinished { return nil }
            try parseMore()
        }
    }

    /// Goes to the next item after a fault, and takes the root for open. Without another one, the file counts as whole
    /// if it closes its root with its last bytes.
    func recover() throws(ImportFailure) {
        // A fault at the end of the file, such as a comment without one, may have notes behind it.
        isFinished = false
        (failure, parser, sections, tokens) = (nil, nil, NestedSections(), [])
        guard openCount <= Self.openCountMax else {
            (isFinished, bytes, failure) = (true, [], ImportFailure(.malformedContainer))
            return
        }
        let mark = Array("<\(item)".utf8)
        var tail: [UInt8] = []
        while true {
            if let found = Self.place(of: mark, in: bytes) {
                drop(found)
                firstLine = line
                let parser = try newParser()
                _ = parser.parse(Array("<\(root)>".utf8))
                parser.tokens = []
                self.parser = parser
                return
            }
            // The beginning of a tag may stand at the end.
            let kept = isAtEnd ? 0 : min(bytes.count, mark.count)
            tail = Array((tail + bytes.dropLast(kept)).suffix(Self.tailByteCount))
            drop(bytes.count - kept)
            if isAtEnd { break }
            try fill()
        }
        while let last = tail.last, Self.isSpace(last) { tail.removeLast() }
        isFinished = true
        let isWhole = !source.isCutShort && tail.suffix(root.utf8.count + 3).elementsEqual("</\(root)>".utf8)
        if !isWhole { failure = ImportFailure(.malformedContainer) }
    }

    private static func place(of mark: [UInt8], in bytes: [UInt8]) -> Int? {
        var at = bytes.startIndex
        while let start = bytes[at...].firstIndex(of: mark[0]), start + mark.count < bytes.count {
            let next = bytes[start + mark.count]
            if bytes[start...].starts(with: mark), next == UInt8(ascii: ">") || isSpace(next) { return start }
            at = start + 1
        }
        return nil
    }

    private func drop(_ count: Int) {
        line += bytes.prefix(count).reduce(0) { $0 + ($1 == 0x0A ? 1 : 0) }
        bytes.removeFirst(count)
    }

    private func newParser() throws(ImportFailure) -> ExpatParser {
        guard let parser = ExpatParser(item: item) else { throw ImportFailure(.malformedContainer) }
        return parser
    }

    private func fill() throws(ImportFailure) {
        let piece = try source.readPiece()
        isAtEnd = piece.isEmpty
        bytes += characters.clean(piece)
    }

    private func parseMore() throws(ImportFailure) {
        while bytes.isEmpty, !isAtEnd { try fill() }
        if !hasBegun, !isAtEnd {
            // XML has nothing before its declaration; a blank there does no harm.
            if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { bytes.removeFirst(3) }
            drop(bytes.prefix(while: Self.isSpace).count)
            guard !bytes.isEmpty else { return }
            (hasBegun, firstLine) = (true, line)
        }
        let parser = if let parser { parser } else { try newParser() }
        self.parser = parser
        let slice = Array(bytes.prefix(Self.sliceByteCount))
        bytes.removeFirst(slice.count)
        let ready = sections.pass(slice)
        var fault = ready.isEmpty ? nil : parser.parse(ready)
        if fault == nil, slice.isEmpty {
            isFinished = true
            fault = parser.parse([])
            if fault == nil, source.isCutShort { failure = ImportFailure(.malformedContainer) }
        }
        tokens = parser.tokens[...]
        parser.tokens = []
        guard let fault else { return }
        failure = fault.failure
        if fault.isOpen { openCount += 1 }
        line = firstLine + fault.line - 1
        // What was mended stays so when it is read again.
        bytes = fault.rest + sections.held + bytes
    }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 9 || byte == 10 || byte == 13 }
}

/// `NestedSections` mends the one known fault of Evernote's files: a CDATA section with another one in it, which XML
/// forbids.
///
/// Web clips have them: `<content><![CDATA[… <style><![CDATA[ … ]]></style> … ]]></content>`. The first `]]>` would end
/// the section in the middle of the note. It is written as XML asks (`]]]]><![CDATA[>`) unless it stands before the end
/// of the element that the section is in. Everything else passes as it is.
private struct NestedSections {
    private static let mark = Array("<![CDATA[".utf8)
    private static let end = Array("]]>".utf8)
    /// What follows the first half of "]]>" where that was parted in two: the second half, in a section of its own.
    private static let splitMark = Array("<![CDATA[>".utf8)
    private static let escapedEnd = Array("]]]]><![CDATA[>".utf8)
    private static let nameByteCountMax = 64
    private static let blankCountMax = 256

    private var isInside = false
    private var isNested = false
    /// The element whose tag was begun last.
    private var element: [UInt8] = []
    /// Bytes whose meaning those after them decide.
    private(set) var held: [UInt8] = []

    /// Returns as much of the file, mended, as is decided with a piece.
    ///
    /// - Parameter piece: empty at the end of the file.
    mutating func pass(_ piece: [UInt8]) -> [UInt8] {
        let bytes = held + piece
        let isLast = piece.isEmpty
        var (at, output) = (0, [UInt8]())
        output.reserveCapacity(bytes.count + Self.escapedEnd.count)
        while at < bytes.count {
            let next =
                bytes[at...].firstIndex { $0 == UInt8(ascii: "<") || (isInside && $0 == UInt8(ascii: "]")) }
                ?? bytes.count
            output += bytes[at..<next]
            at = next
            guard at < bytes.count, let step = take(bytes[at...], isLast) else { break }
            output += step.output
            at += step.count
        }
        held = Array(bytes[at...])
        return output
    }

    /// Takes a "<", or a "]" within a section.
    ///
    /// - Returns: how many bytes it took and what becomes of them; nil if more are needed.
    private mutating func take(_ bytes: ArraySlice<UInt8>, _ isLast: Bool) -> (count: Int, output: [UInt8])? {
        if bytes.starts(with: Self.mark) {
            isNested = isInside
            isInside = true
            return (Self.mark.count, Self.mark)
        }
        if !isLast, Self.mark.starts(with: bytes) || Self.end.starts(with: bytes) { return nil }
        if isInside, bytes.starts(with: Self.end) { return takeEnd(bytes, isLast) }
        if !isInside, bytes.first == UInt8(ascii: "<") {
            let name = bytes.dropFirst().prefix(Self.nameByteCountMax).prefix {
                !Self.isBlank($0) && !"></".utf8.contains($0)
            }
            if !isLast, name.endIndex == bytes.endIndex { return nil }
            if !name.isEmpty { element = Array(name) }
        }
        return (1, [bytes[bytes.startIndex]])
    }

    private mutating func takeEnd(_ bytes: ArraySlice<UInt8>, _ isLast: Bool) -> (count: Int, output: [UInt8])? {
        if isNested {
            let closing = Array("</".utf8) + element
            let rest = bytes.dropFirst(Self.end.count)
            let following = rest.dropFirst(rest.prefix(Self.blankCountMax).prefix(while: Self.isBlank).count)
            if !isLast, following.count < max(closing.count, Self.splitMark.count) { return nil }
            guard following.isEmpty || following.starts(with: closing) || following.starts(with: Self.splitMark) else {
                return (Self.end.count, Self.escapedEnd)
            }
        }
        (isInside, isNested) = (false, false)
        return (Self.end.count, Self.end)
    }

    private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 9 || byte == 10 || byte == 13 }
}
