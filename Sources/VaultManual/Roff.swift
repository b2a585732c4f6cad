// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// `Roff` writes text for the man(7) macros of roff.
enum Roff {
    /// Returns plain text, so that roff prints each character as itself.
    ///
    /// A bare hyphen would become U+2010 and a bare quotation mark a curly one, which could not be pasted into a shell.
    /// A full stop at the beginning of a line would be a request. Control characters have no place in a manual and are
    /// left out.
    static func escaped(_ text: String) -> String {
        let body = text.unicodeScalars.map(escaped).joined()
        return body.hasPrefix(".") ? "\\&" + body : body
    }

    static func bold(_ text: String) -> String { "\\fB" + escaped(text) + "\\fR" }
    static func italic(_ text: String) -> String { "\\fI" + escaped(text) + "\\fR" }

    /// Returns an argument of a macro.
    static func quoted(_ text: String) -> String { "\"" + escaped(text) + "\"" }

    /// Returns another manual page: `vault(1)`; its name is never hyphenated.
    static func reference(_ name: String, _ section: Int) -> String { "\\%" + bold(name) + "(\(section))" }

    /// Returns an address that may be broken behind its slashes and its at sign.
    static func address(_ text: String) -> String {
        let breaks: Set<Character> = ["/", "@"]
        return text.map { escaped(String($0)) + (breaks.contains($0) ? "\\:" : "") }.joined()
    }

    private static func escaped(_ scalar: Unicode.Scalar) -> String {
        switch scalar {
        case "\\": "\\(rs"
        case "-": "\\-"
        case "'": "\\(aq"
        case "`": "\\(ga"
        case "^": "\\(ha"
        case "~": "\\(ti"
        case "\"": "\\(dq"
        case "\n", "\t": " "
        case " "..."~": String(scalar)
        case _ where scalar.value < 0xA0: ""
        default: "\\[u" + hexadecimal(scalar.value) + "]"
        }
    }

    /// Writes at least four digits, as roff names characters.
    private static func hexadecimal(_ value: UInt32) -> String {
        let digits = String(value, radix: 16, uppercase: true)
        return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    }
}
