// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// `AttachmentReferences` finds `](att:NAME)` in a note's text. A name may hold blanks and brackets as they are, or be
/// percent-encoded, or stand between "<" and ">".
///
/// Only names that the note has are found; all else stays text. Each place is looked at a bounded number of times: a
/// name ends at one of the next few closing signs, at most `nameByteCountMax` bytes away, in the same line.
struct AttachmentReferences {
    private static let mark = Array("](att:".utf8)
    private static let quotedMark = Array("](<att:".utf8)
    /// Longest name as written: 255 bytes, each of them escaped.
    private static let nameByteCountMax = 765
    /// How many closing signs one name may hold.
    private static let closingCountMax = 8

    struct Found {
        /// Place in the note's list.
        let attachment: Int
        /// The byte after the closing bracket.
        let end: Int
    }

    private var places: [String: Int] = [:]

    init(_ attachments: [ExportedAttachment]) {
        for (place, attachment) in attachments.enumerated() where places[attachment.name] == nil {
            places[attachment.name] = place
        }
    }

    /// Returns the reference whose "]" is at a place, if one is there.
    func match(at start: Int, in bytes: [UInt8]) -> Found? {
        guard !places.isEmpty else { return nil }
        let rest = bytes[start...]
        if rest.starts(with: Self.mark) {
            return match(name: start + Self.mark.count, closing: [UInt8(ascii: ")")], in: bytes)
        }
        if rest.starts(with: Self.quotedMark) {
            return match(
                name: start + Self.quotedMark.count, closing: [UInt8(ascii: ">"), UInt8(ascii: ")")], in: bytes)
        }
        return nil
    }

    /// Returns the text with what `replacement` gives in place of each known "att:NAME", of which it is told what stood
    /// there.
    ///
    /// - Returns: the text and the attachments that it refers to.
    func rewrite(_ text: String, _ replacement: (Int, ArraySlice<UInt8>) -> [UInt8]) -> (bytes: [UInt8], used: Set<Int>)
    {
        let bytes = Array(text.utf8)
        guard !places.isEmpty else { return (bytes, []) }
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count)
        var used: Set<Int> = []
        var (at, copied) = (0, 0)
        while at < bytes.count {
            guard bytes[at] == UInt8(ascii: "]"), let found = match(at: at, in: bytes) else {
                at += 1
                continue
            }
            result += bytes[copied..<at]
            result += "](".utf8
            result += replacement(found.attachment, bytes[(at + 2)..<(found.end - 1)])
            result.append(UInt8(ascii: ")"))
            used.insert(found.attachment)
            (at, copied) = (found.end, found.end)
        }
        result += bytes[copied...]
        return (result, used)
    }

    private func match(name start: Int, closing: [UInt8], in bytes: [UInt8]) -> Found? {
        let limit = min(bytes.count, start + Self.nameByteCountMax + closing.count)
        var closings = 0
        var at = start
        while at < limit, bytes[at] != UInt8(ascii: "\n"), closings < Self.closingCountMax {
            if bytes[at] == closing[0], bytes[at...].starts(with: closing) {
                closings += 1
                let name = bytes[start..<at]
                let place =
                    places[String(decoding: name, as: UTF8.self)] ?? PercentText.decoded(name).flatMap { places[$0] }
                if let place { return Found(attachment: place, end: at + closing.count) }
            }
            at += 1
        }
        return nil
    }
}

/// `PercentText` writes and reads paths as the destination of a Markdown link: relative, readable, and not to be taken
/// for its end.
enum PercentText {
    /// Returns a path with percent signs for what a URL may not hold: letters, digits, "-._~/" and all that is not
    /// ASCII stay. Source: RFC 3986 §2.3, RFC 3987.
    static func path(_ text: String) -> [UInt8] {
        var bytes: [UInt8] = []
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"),
                UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "~"), UInt8(ascii: "/"), 0x80...:
                bytes.append(byte)
            default:
                bytes.append(UInt8(ascii: "%"))
                for digit in [byte >> 4, byte & 15] {
                    bytes.append(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "A") + digit - 10)
                }
            }
        }
        return bytes
    }

    /// Undoes "%20" and the like; what is no such escape stays. Nil if the result is not UTF-8.
    static func decoded(_ bytes: ArraySlice<UInt8>) -> String? {
        var result: [UInt8] = []
        var at = bytes.startIndex
        while at < bytes.endIndex {
            if bytes[at] == UInt8(ascii: "%"), at + 2 < bytes.endIndex, let high = digit(bytes[at + 1]),
                let low = digit(bytes[at + 2])
            {
                result.append(high << 4 | low)
                at += 3
            } else {
                result.append(bytes[at])
                at += 1
            }
        }
        return String(validating: result, as: UTF8.self)
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
