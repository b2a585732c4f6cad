// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// UTF-8 without control characters, except those that text is made up with.
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

    /// How many bytes at the end begin a character without ending it.
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

    /// Tab, line feed, form feed, carriage return, and the escape that colours in logs begin with.
    private static func isAllowed(_ value: UInt32) -> Bool {
        switch value {
        case 0x09, 0x0A, 0x0C, 0x0D, 0x1B: true
        case 0..<0x20, 0x7F: false
        default: true
        }
    }
}
