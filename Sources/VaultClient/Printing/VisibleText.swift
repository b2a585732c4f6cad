// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// Makes control characters of paths and arguments visible, so that a message cannot drive the terminal.
public enum VisibleText {
    /// C0, DEL, C1, and the marks that reorder a line (Unicode TR 9).
    public static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0..<0x20, 0x7F..<0xA0, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069: true
        default: false
        }
    }

    /// `text` with every control character as `\u{…}`.
    public static func escaped(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: isControl) else { return text }
        var result = ""
        for scalar in text.unicodeScalars {
            if isControl(scalar) {
                result += "\\u{" + String(scalar.value, radix: 16) + "}"
            } else {
                result.unicodeScalars.append(scalar)
            }
        }
        return result
    }

    /// A path's bytes for a message; what is not UTF-8 becomes U+FFFD.
    public static func escaped(path: [UInt8]) -> String { escaped(String(decoding: path, as: UTF8.self)) }
}
