// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// Mends the one known fault of Evernote's files: a CDATA section with another one in it, which XML forbids.
///
/// Web clips have them: `<content><![CDATA[… <style><![CDATA[ … ]]></style> … ]]></content>`. The first `]]>` would end
/// the section in the middle of the note. It is written as XML asks (`]]]]><![CDATA[>`) unless it stands before the end
/// of the element that the section is in. Everything else passes as it is.
struct NestedSections {
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
