// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import ParserProtocol

extension JSONStream {
    /// `Text` is a string, or as much of it as its reader has room for.
    struct Text {
        var bytes: [UInt8] = []
        /// Whether there was more.
        var isCut = false
        /// Whether it had a lone surrogate.
        var isDamaged = false

        /// Bytes that are not UTF-8 become U+FFFD; a character that was cut apart is left out.
        var string: String {
            var whole = bytes[...]
            if isCut {
                while let last = whole.last, last & 0xC0 == 0x80 { whole.removeLast() }
                if let last = whole.last, last >= 0xC0 { whole.removeLast() }
            }
            return String(decoding: whole, as: UTF8.self)
        }

        /// Whether what was written is what is read.
        var isExact: Bool { !isDamaged && (isCut || String(validating: bytes, as: UTF8.self) != nil) }
    }

    private static let pieceByteCountMax = 64 << 10
    private static let replacement: [UInt8] = [0xEF, 0xBF, 0xBD]

    /// Reads a string, as much of it as there is room for.
    ///
    /// - Returns: nil if the next value is no string; then it was passed over.
    func text(max: Int) throws(ImportFailure) -> Text? {
        guard try openString() else { return nil }
        var text = Text()
        var buffer: [UInt8] = []
        while try stringPiece(&buffer) {
            let room = max - text.bytes.count
            text.bytes += buffer.prefix(room)
            if buffer.count > room { text.isCut = true }
        }
        text.isDamaged = isStringDamaged
        return text
    }

    /// Begins a string that is read with `stringPiece`.
    ///
    /// - Returns: false if the next value is no string; then it was passed over.
    func openString() throws(ImportFailure) -> Bool {
        guard try isNext("\"") else {
            try skipValue()
            return false
        }
        at += 1
        (isInString, isStringDamaged, highSurrogate) = (true, false, nil)
        return true
    }

    /// Reads the next bytes of the open string, without its escapes.
    ///
    /// - Parameter buffer: gets at most about 64 KiB; what was in it is thrown away.
    /// - Returns: false at the end of the string.
    func stringPiece(_ buffer: inout [UInt8]) throws(ImportFailure) -> Bool {
        buffer.removeAll(keepingCapacity: true)
        while isInString, buffer.count < Self.pieceByteCountMax {
            guard try fill() else { throw Self.malformed }
            let bytes = piece
            let start = at
            var end = start
            while end < bytes.count, bytes[end] >= 0x20, bytes[end] != UInt8(ascii: "\""),
                bytes[end] != UInt8(ascii: "\\")
            { end += 1 }
            at = end
            if end > start {
                endPair(&buffer)
                buffer += bytes[start..<end]
            }
            guard end < bytes.count else { continue }
            at += 1
            switch bytes[end] {
            case UInt8(ascii: "\\"): try escape(&buffer)
            case UInt8(ascii: "\""):
                endPair(&buffer)
                isInString = false
            default: throw Self.malformed
            }
        }
        return !buffer.isEmpty || isInString
    }

    private func escape(_ buffer: inout [UInt8]) throws(ImportFailure) {
        let sign = try take()
        guard sign == UInt8(ascii: "u") else {
            endPair(&buffer)
            return buffer.append(try Self.plain(sign))
        }
        let unit = try unit()
        if unit & 0xFC00 == 0xDC00, let high = highSurrogate {
            highSurrogate = nil
            return buffer.append(contentsOf: String(decoding: [high, unit], as: UTF16.self).utf8)
        }
        endPair(&buffer)
        if unit & 0xFC00 == 0xD800 {
            highSurrogate = unit
        } else if let scalar = Unicode.Scalar(unit) {
            buffer.append(contentsOf: String(Character(scalar)).utf8)
        } else {
            isStringDamaged = true
            buffer += Self.replacement
        }
    }

    /// Ends a pair of which the other half did not come.
    private func endPair(_ buffer: inout [UInt8]) {
        guard highSurrogate != nil else { return }
        highSurrogate = nil
        isStringDamaged = true
        buffer += Self.replacement
    }

    private static func plain(_ sign: UInt8) throws(ImportFailure) -> UInt8 {
        switch sign {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return sign
        case UInt8(ascii: "b"): return 8
        case UInt8(ascii: "f"): return 12
        case UInt8(ascii: "n"): return 10
        case UInt8(ascii: "r"): return 13
        case UInt8(ascii: "t"): return 9
        default: throw malformed
        }
    }

    private func unit() throws(ImportFailure) -> UInt16 {
        var unit: UInt16 = 0
        for _ in 0..<4 {
            guard let digit = Character(Unicode.Scalar(try take())).hexDigitValue else { throw Self.malformed }
            unit = unit << 4 | UInt16(digit)
        }
        return unit
    }
}
