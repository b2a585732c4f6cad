// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// `PlainText` knows UTF-8 without control characters, except those that text is made up with.
enum PlainText {
    static func type(of view: ByteView) -> MediaType? {
        guard view.count > 0, isText(view) else { return nil }
        var root = SvgRoot(view)
        return root.isSVG() ? .svg : .plainText
    }

    private static func isText(_ view: ByteView) -> Bool {
        // The end of what is in view may cut a character in two: it then ends before that character.
        let isCut = view.count >= MediaType.headByteCount
        let slice = isCut ? view.slice.dropLast(cutByteCount(view.slice)) : view.slice
        var decoder = Unicode.UTF8()
        var bytes = slice.makeIterator()
        while true {
            switch decoder.decode(&bytes) {
            case .scalarValue(let scalar): guard isAllowed(scalar.value) else { return false }
            case .emptyInput: return true
            case .error: return false
            }
        }
    }

    /// Returns how many bytes at the end begin a character without ending it.
    private static func cutByteCount(_ bytes: ArraySlice<UInt8>) -> Int {
        for (index, byte) in bytes.suffix(3).reversed().enumerated() {
            if byte & 0xC0 == 0x80 { continue }
            let wanted =
                switch byte {
                case 0xC2...0xDF: 2
                case 0xE0...0xEF: 3
                case 0xF0...0xF4: 4
                default: 1
                }
            return wanted > index + 1 ? index + 1 : 0
        }
        return 0
    }

    /// Returns whether a text may hold a scalar. Of the controls, those are tab, line feed, form feed, carriage return,
    /// and the escape that colours in logs begin with.
    private static func isAllowed(_ value: UInt32) -> Bool {
        switch value {
        case 0x09, 0x0A, 0x0C, 0x0D, 0x1B: true
        case 0..<0x20, 0x7F: false
        default: true
        }
    }
}

/// `SvgRoot` looks for the root element of an XML text, and whether it is `svg` in the namespace of SVG. It is no
/// parser of XML: it reads as far as the first start tag, and decides nothing about what may be trusted.
private struct SvgRoot {
    private static let namespace = "http://www.w3.org/2000/svg"
    private let view: ByteView
    private var at = 0

    init(_ view: ByteView) { self.view = view }

    mutating func isSVG() -> Bool {
        if view.has([0xEF, 0xBB, 0xBF]) { at = 3 }
        while true {
            skipSpace()
            guard view.u8(at) == 0x3C else { return false }
            if view.has("<!--", at: at) {
                guard skip(past: "-->", from: at + 4) else { return false }
            } else if view.has("<?", at: at) {
                guard skip(past: "?>", from: at + 2) else { return false }
            } else if view.has("<!DOCTYPE", at: at) {
                guard skipDocumentType() else { return false }
            } else {
                at += 1
                return startTagIsSVG()
            }
        }
    }

    /// Reads the name with its prefix, then attributes until the one that binds the prefix.
    private mutating func startTagIsSVG() -> Bool {
        let name = takeName()
        let parts = name.split(separator: 0x3A, maxSplits: 2, omittingEmptySubsequences: false)
        guard let local = parts.last, local.elementsEqual("svg".utf8), parts.count <= 2 else { return false }
        let wanted = parts.count == 2 ? Array("xmlns:".utf8) + parts[0] : Array("xmlns".utf8)
        while true {
            let before = at
            skipSpace()
            guard at > before, let byte = view.u8(at), byte != 0x3E, byte != 0x2F else { return false }
            let attribute = takeName()
            skipSpace()
            guard !attribute.isEmpty, view.u8(at) == 0x3D else { return false }
            at += 1
            skipSpace()
            guard let quote = view.u8(at), quote == 0x22 || quote == 0x27 else { return false }
            let start = at + 1
            at = start
            while let byte = view.u8(at), byte != quote { at += 1 }
            guard let value = view.view(start, at - start), view.u8(at) == quote else { return false }
            at += 1
            if attribute.elementsEqual(wanted) { return value.slice.elementsEqual(Self.namespace.utf8) }
        }
    }

    private mutating func takeName() -> ArraySlice<UInt8> {
        let start = at
        while let byte = view.u8(at), !Self.isSpace(byte), ![0x3D, 0x3E, 0x2F, 0x3C, 0x22, 0x27].contains(byte) {
            at += 1
        }
        return view.view(start, at - start)?.slice ?? []
    }

    private mutating func skipSpace() {
        while let byte = view.u8(at), Self.isSpace(byte) { at += 1 }
    }

    private static func isSpace(_ byte: Int) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D }

    private mutating func skip(past text: String, from start: Int) -> Bool {
        at = start
        while at < view.count {
            if view.has(text, at: at) {
                at += text.utf8.count
                return true
            }
            at += 1
        }
        return false
    }

    /// Skips to the ">" outside of quotation marks and of the subset in brackets.
    private mutating func skipDocumentType() -> Bool {
        var depth = 0
        var quote = 0
        while let byte = view.u8(at) {
            at += 1
            if quote != 0 {
                if byte == quote { quote = 0 }
                continue
            }
            switch byte {
            case 0x22, 0x27: quote = byte
            case 0x5B: depth += 1
            case 0x5D: depth -= 1
            case 0x3E where depth <= 0: return true
            default: break
            }
        }
        return false
    }
}
