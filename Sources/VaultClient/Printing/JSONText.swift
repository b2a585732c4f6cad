// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// Writes the few JSON objects that the client makes itself; the agent writes all others.
public enum JSONText {
    /// A string with its quotes: RFC 8259 section 7, and C1 controls, DEL and direction marks escaped as well, so that the
    /// line is harmless on a terminal.
    public static func quoted(_ text: String) -> String {
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": result += "\\\""
            case "\\": result += "\\\\"
            case "\n": result += "\\n"
            case "\t": result += "\\t"
            default:
                if VisibleText.isControl(scalar) {
                    result += "\\u" + hex(scalar.value)
                } else {
                    result.unicodeScalars.append(scalar)
                }
            }
        }
        return result + "\""
    }

    /// `"text"` or `null`.
    public static func quotedOrNull(_ text: String?) -> String { text.map(quoted) ?? "null" }

    private static func hex(_ value: UInt32) -> String {
        let digits = String(value, radix: 16)
        return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    }
}
